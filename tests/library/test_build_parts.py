"""The course's own parts of the Build compute what the library computes, in values and gradients."""

import pytest
import torch
import twins
from decoding_models import PROMPTS, lively
from torch import nn
from torch.nn import functional as F
from twins import random, random_mask, scatter_parameters

from transformer_course import attention, build_parts, family, layers, models, training, transformer
from transformer_course.config import TransformerConfig
from transformer_course.data import number_pairs
from transformer_course.decoding import beam_search, greedy, sample
from transformer_course.embedding import pad_right
from transformer_course.experiments.number_translation import translate
from transformer_course.masks import causal_mask
from transformer_course.weights import copy_weights

D, HEADS, WIDE = 6, 2, 10
BLOCK = {
    "attention_residual.norm": "norm_1",
    "self_attention": "attention",
    "feed_forward_residual.norm": "norm_2",
    "feed_forward": "feed_forward",
}
TABLE = "input.embedding.table"


def assert_same(part, library, call, names=lambda name: name, scales=()):
    """The outputs and all gradients are the same, and no parameter is left over.

    ``names`` translates the library's names of parameters into the part's; ``scales`` has those that the library multiplies.
    """
    own, scales = dict(scatter_parameters(part).named_parameters()), dict(scales)
    weights = {name: own[names(name)] / scales.get(name, 1) for name in library.state_dict()}
    library.double().load_state_dict(weights)
    assert len(own) == len(weights)
    outputs = []
    for module in (part, library):
        outputs.append(call(module))
        (outputs[-1] * random(*outputs[-1].shape, seed=7)).sum().backward()
    torch.testing.assert_close(*outputs, rtol=1e-6, atol=1e-6)
    for name, parameter in library.named_parameters():
        torch.testing.assert_close(own[names(name)].grad, parameter.grad / scales.get(name, 1), rtol=1e-6, atol=1e-6)


def in_block(name: str) -> str:
    module = max((each for each in BLOCK if name.startswith(f"{each}.")), key=len)
    return name.replace(module, BLOCK[module], 1)


def in_gpt(name: str) -> str:
    if name.startswith("stack.layers."):
        number, _, rest = name.removeprefix("stack.layers.").partition(".")
        return f"blocks.{number}.{in_block(rest)}"
    renamed = {TABLE: "tokens.weight", "input.positions.table": "positions.weight"}
    return renamed.get(name, name.replace("stack.norm", "final_norm"))


@pytest.mark.parametrize("masked", [False, True])
def test_multi_head_attention(masked):
    query, memory = random(2, 4, D), random(2, 5, D, seed=1)
    mask = random_mask(2, 4, 5) if masked else None
    part, library = build_parts.MultiHeadAttention(D, HEADS), attention.MultiHeadAttention(D, HEADS)
    assert_same(part, library, lambda module: module(query, memory, memory, mask))


def test_causal_head():
    x, part = random(2, 4, D), scatter_parameters(build_parts.CausalHead(D, 3))
    q, k, v = (F.linear(x, w.weight) for w in (part.w_q, part.w_k, part.w_v))
    expected, _ = attention.scaled_dot_product_attention(q, k, v, causal_mask(4))
    torch.testing.assert_close(part(x), expected, rtol=1e-6, atol=1e-6)


def test_layer_norm_and_feed_forward():
    for name, sizes in (("LayerNorm", (D,)), ("FeedForward", (D, WIDE))):
        part, library = getattr(build_parts, name)(*sizes), getattr(layers, name)(*sizes)
        assert_same(part, library, lambda module: module(random(2, 4, D)))


def test_block():
    part, library = build_parts.Block(D, HEADS, WIDE), layers.EncoderLayer(D, HEADS, WIDE, norm="pre")
    mask = causal_mask(4)
    assert_same(part, library, lambda module: module(random(2, 4, D), *([mask] if module is library else [])), in_block)


def test_gpt_apart_from_the_factor_of_its_table():
    config = TransformerConfig(
        d_model=D, num_heads=HEADS, num_layers=2, d_ff=WIDE, dropout=0.0, norm="pre", positions="learned",
        vocabulary_size=11, tied=False, max_length=5,
    )  # fmt: skip
    part, tokens = build_parts.GPT(11, 5, D, HEADS, 2, WIDE), torch.tensor([[4, 9, 5, 10], [6, 6, 7, 8]])
    assert_same(part, family.GPT(config), lambda module: module(tokens), in_gpt, {TABLE: D**0.5})


SIZES = {
    "d_model": D, "num_heads": HEADS, "num_layers": 2, "d_ff": WIDE, "dropout": 0.0, "vocabulary_size": 11,
    "target_vocabulary_size": 9, "tied": False, "max_length": 16,
}  # fmt: skip
SOURCE, TARGET = torch.tensor([[4, 9, 5, 10, 7], [6, 3, 8, 0, 0]]), torch.tensor([[1, 4, 7, 5], [1, 8, 8, 3]])


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_encoder_layer_equals_torchs(norm):
    ours = scatter_parameters(build_parts.EncoderLayer(D, HEADS, WIDE, norm=norm))
    sizes = {"dropout": 0.0, "batch_first": True, "norm_first": norm == "pre", "dtype": torch.float64}
    theirs = nn.TransformerEncoderLayer(D, HEADS, WIDE, **sizes)
    twins.share(pairs := twins.encoder_layer(ours, theirs), theirs)
    x, same = twins.leaves((3, 5, D))
    mask = random_mask(3, 1, 5)
    twins.assert_equal(ours(*x, mask), theirs(*same, src_key_padding_mask=~mask[:, 0]), x, same, pairs)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_decoder_layer_equals_torchs(norm):
    ours = scatter_parameters(build_parts.DecoderLayer(D, HEADS, WIDE, norm=norm))
    sizes = {"dropout": 0.0, "batch_first": True, "norm_first": norm == "pre", "dtype": torch.float64}
    theirs = nn.TransformerDecoderLayer(D, HEADS, WIDE, **sizes)
    twins.share(pairs := twins.decoder_layer(ours, theirs), theirs)
    inputs, same = twins.leaves((3, 5, D), (3, 4, D))
    mask, memory_mask = causal_mask(5), random_mask(3, 1, 4)
    expected = theirs(*same, tgt_mask=~mask, memory_key_padding_mask=~memory_mask[:, 0])
    twins.assert_equal(ours(*inputs, mask, memory_mask), expected, inputs, same, pairs)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_transformer_equals_torchs_between_its_inputs_and_its_output(norm):
    ours = scatter_parameters(build_parts.Transformer(TransformerConfig(**SIZES, norm=norm, final_norm=True)))
    sizes = {"d_model": D, "nhead": HEADS, "num_encoder_layers": 2, "num_decoder_layers": 2, "dim_feedforward": WIDE}
    theirs = twins.torch_transformer(**sizes, norm_first=norm == "pre")
    pairs = twins.stack(ours.encoder, theirs.encoder) + twins.stack(ours.decoder, theirs.decoder)
    twins.share(pairs, theirs)
    hidden = {"src_key_padding_mask": SOURCE == 0, "memory_key_padding_mask": SOURCE == 0}
    expected = theirs(ours.source(SOURCE), ours.target(TARGET), tgt_mask=~causal_mask(4), **hidden)
    twins.assert_equal(ours(SOURCE, TARGET), ours.output(expected), [], [], pairs)


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


def test_shift():
    targets = torch.tensor([[7, 8, 2], [9, 2, 0]])
    for ours, expected in zip(build_parts.shift(targets), training.shift(targets), strict=True):
        assert torch.equal(ours, expected)


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
