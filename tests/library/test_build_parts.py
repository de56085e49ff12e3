"""The course's own parts of the Build compute what the library computes, in values and gradients."""

import pytest
import torch
from decoding_models import PROMPTS, lively
from twins import random, scatter_parameters

from transformer_course import build_parts, family, models, transformer
from transformer_course.config import TransformerConfig
from transformer_course.data import number_pairs
from transformer_course.decoding import beam_search, greedy, sample
from transformer_course.embedding import pad_right
from transformer_course.experiments.number_translation import translate
from transformer_course.weights import by_stage_names, copy_weights

D, HEADS, WIDE = 6, 2, 10


def test_gpt_apart_from_the_factor_of_its_table():
    config = TransformerConfig(
        d_model=D, num_heads=HEADS, num_layers=2, d_ff=WIDE, dropout=0.0, norm="pre", positions="learned",
        vocabulary_size=11, tied=False, max_length=5,
    )  # fmt: skip
    part, library = scatter_parameters(build_parts.GPT(11, 5, D, HEADS, 2, WIDE)), family.GPT(config).double()
    own, theirs = dict(part.named_parameters()), by_stage_names(dict(library.named_parameters()))
    assert own.keys() == theirs.keys()
    for name, parameter in theirs.items():
        parameter.data = own[name].detach() / (D**0.5 if name == "tokens.weight" else 1)
    outputs = [model(torch.tensor([[4, 9, 5, 10], [6, 6, 7, 8]])) for model in (part, library)]
    torch.testing.assert_close(*outputs, rtol=1e-6, atol=1e-6)
    for output in outputs:
        (output * random(*output.shape, seed=7)).sum().backward()
    for name, parameter in theirs.items():
        expected = parameter.grad / (D**0.5 if name == "tokens.weight" else 1)
        torch.testing.assert_close(own[name].grad, expected, rtol=1e-6, atol=1e-6)


SIZES = {
    "d_model": D, "num_heads": HEADS, "num_layers": 2, "d_ff": WIDE, "dropout": 0.0, "vocabulary_size": 11,
    "target_vocabulary_size": 9, "tied": False, "max_length": 16,
}  # fmt: skip
SOURCE, TARGET = torch.tensor([[4, 9, 5, 10, 7], [6, 3, 8, 0, 0]]), torch.tensor([[1, 4, 7, 5], [1, 8, 8, 3]])


@pytest.mark.parametrize("choices", [{}, {"norm": "post"}, {"tied": True}, {"target_vocabulary_size": None, "tied": True}])
def test_transformer_has_the_librarys_names_values_and_gradients(choices):
    config = TransformerConfig(**{**SIZES, "norm": "pre", **choices})
    part, library = scatter_parameters(build_parts.Transformer(config)), transformer.Transformer(config).double()
    copy_weights(library, dict(part.named_parameters()))
    outputs = [model(SOURCE, TARGET) for model in (part, library)]
    torch.testing.assert_close(*outputs, rtol=1e-6, atol=1e-6)
    for output in outputs:
        (output * random(*output.shape, seed=7)).sum().backward()
    for (name, own), (_, theirs) in zip(part.named_parameters(), library.named_parameters(), strict=True):
        torch.testing.assert_close(own.grad, theirs.grad, rtol=1e-6, atol=1e-6, msg=name)


def test_the_librarys_decoding_works_with_a_transformer_that_has_no_caches():
    config = TransformerConfig(**{**SIZES, "dropout": 0.3, "norm": "pre"})
    prompts, lengths = pad_right(PROMPTS), set()
    for seed in range(1, 6):
        part = lively(build_parts.Transformer(config), seed)
        library = transformer.Transformer(config).double()
        copy_weights(library, dict(part.named_parameters()))
        written = greedy(part, prompts, 7)
        assert written == greedy(library, prompts, 7)
        assert beam_search(part, prompts, 7, width=3) == beam_search(library, prompts, 7, width=3)
        drawn = [sample(model, prompts, 7, generator=torch.Generator().manual_seed(1)) for model in (part, library)]
        assert drawn[0] == drawn[1]
        lengths |= {len(ids) for ids in written}
    assert len(lengths) > 1


def test_the_shipped_weights_translate_in_the_courses_own_transformer():
    shipped, vocabularies = models.load("translator")
    part = build_parts.Transformer(shipped.config)
    copy_weights(part, dict(shipped.named_parameters()))
    sources = pad_right([vocabularies["source"].encode(words) for words, _ in number_pairs(100, 30).test])
    assert greedy(part, sources, 20) == greedy(shipped, sources, 20)
    shown = translate(12_300, (part, vocabularies))
    assert repr(shown).startswith("twelve thousand three hundred → 一万二千三百 = 12,300")
    assert shown.right
    assert shown._repr_html_() == translate(12_300, (shipped, vocabularies))._repr_html_()
