"""The encoder's memory: taken from each layer, probed, shuffled and replaced."""

import pytest
import torch

from transformer_course import models
from transformer_course.data.numbers import english
from transformer_course.experiments.encoder_memory import (
    _translator,
    accuracy_with_memory,
    first_word_changes,
    four_digit_numbers,
    layer_outputs,
    probe_accuracy,
)
from transformer_course.training import exact_match
from transformer_course.transformer import Encoder, StackConfig


def test_the_layers_of_an_encoder_end_in_what_it_gives():
    for norm in ("pre", "post"):
        config = StackConfig(d_model=8, num_heads=2, num_layers=3, d_ff=16, dropout=0.0, norm=norm)
        encoder, x, mask = Encoder(config), torch.randn(2, 5, 8), torch.tensor([True, True, True, True, False])[None]
        after = layer_outputs(encoder, x, mask)
        assert len(after) == 3
        torch.testing.assert_close(after[-1], encoder(x, mask))
        torch.testing.assert_close(after[0], encoder.norm(encoder.layers[0](x, mask)))
        assert not torch.allclose(after[-1], layer_outputs(encoder, x)[-1])


@pytest.mark.parametrize("name", ["translator", "translator-early", "dates"])
def test_a_translator_that_is_given_its_memory_is_as_good_as_when_it_writes(name):
    model, sources, targets = _translator(name, 60)
    columns = [[row[row != 0].tolist() for row in side] for side in (sources, targets)]
    score = exact_match(model, *columns)
    assert accuracy_with_memory(lambda after, real: ([after[-1]] * 2, real), name, 60) == pytest.approx(score)
    assert score > 0.4
    assert (score < 0.9) == (name == "translator-early")


def test_the_memory_may_be_shuffled_but_not_exchanged():
    def shuffled(after, real):
        order = torch.randperm(real.shape[-1], generator=torch.Generator().manual_seed(1))
        return [after[-1][:, order]] * 2, real[..., order]

    def from_another_sequence(after, real):
        return [after[-1].roll(1, 0)] * 2, real.roll(1, 0)

    assert accuracy_with_memory(shuffled) == accuracy_with_memory(lambda after, real: ([after[-1]] * 2, real)) > 0.97
    assert accuracy_with_memory(from_another_sequence) < 0.05


def test_the_sentences_of_four_digits_are_numbers_in_words_and_all_differ():
    vocabularies = models.load("translator")[1]
    texts, digits = four_digit_numbers(5832, vocabularies["source"])
    assert len(set(map(tuple, digits.tolist()))) == len({tuple(text) for text in texts.tolist()}) == 5832
    for text, (a, b, c, d) in zip(texts[:100].tolist(), digits.tolist(), strict=False):
        assert vocabularies["source"].decode(text) == english(a * 10**6 + b * 100 + c * 10 + d)
    assert torch.equal(four_digit_numbers(50, vocabularies["source"])[0], texts[:50])
    assert not torch.equal(four_digit_numbers(50, vocabularies["source"], seed=1)[0], texts[:50])


def test_only_the_first_word_is_replaced_and_by_another_digit():
    source = models.load("translator")[1]["source"]
    texts, digits = four_digit_numbers(100, source)
    new = first_word_changes(texts, digits, source)
    assert torch.equal(new[:, 1:], texts[:, 1:])
    for text, (a, b, c, d) in zip(new.tolist(), digits.tolist(), strict=True):
        assert source.decode(text) == english(a % 9 * 10**6 + 10**6 + b * 100 + c * 10 + d)


def test_a_digit_is_read_where_it_stands_and_nowhere_else_and_only_from_texts_that_were_not_fitted():
    digits = torch.randint(1, 10, (500, 2), generator=torch.Generator().manual_seed(0))
    one_hot = torch.nn.functional.one_hot(digits, 10).float()
    vectors = torch.stack([one_hot[:, 0], one_hot[:, 1] + 1, torch.zeros(500, 10)], dim=1)
    shares = probe_accuracy(vectors, digits)
    assert shares.shape == (3, 2)
    assert shares[0, 0] == shares[1, 1] == 1
    assert (shares[[0, 1, 2, 2], [1, 0, 0, 1]] < 0.3).all()
    noise = torch.randn(500, 1, 450, generator=torch.Generator().manual_seed(1))  # wide enough to memorise 400 sequences
    assert (probe_accuracy(noise, digits) < 0.3).all()
