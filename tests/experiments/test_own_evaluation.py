"""What one can claim about a model of one's own: bits with an interval, copies, and facts."""

import math
import random

import numpy as np
import pytest
import torch
from torch import nn

from transformer_course.build_parts import GPT
from transformer_course.data import python_docs
from transformer_course.experiments import build_prose as prose
from transformer_course.experiments import own_evaluation as own
from transformer_course.experiments.counting import CountTable


class Later(nn.Module):
    """Give the next of ten digits probability 1/2 at the first position of a window, 1/4 at the second, 1/8 …"""

    def forward(self, tokens):
        rest = 1 - 2.0 ** -torch.arange(1, tokens.shape[1] + 1)
        logits = (rest / 9).log()[None, :, None].repeat(len(tokens), 1, 10)
        return logits.scatter(-1, ((tokens + 1) % 10)[..., None], (1 - rest).log()[None, :, None].expand(*tokens.shape, 1))


def digits(text: str) -> list[int]:
    return [int(character) for character in text if character.isdigit()]


def test_a_model_is_read_in_windows_and_the_rest_is_read_too():
    model = Later().train()
    read = own.model_reader(model, 3)
    np.testing.assert_allclose(read(digits("012345678")), [1, 2, 3, 1, 2, 3, 1, 2], rtol=1e-5)
    np.testing.assert_allclose(read(digits("01")), [1], rtol=1e-5)
    assert model.training


def test_bits_belong_to_the_paragraph_of_the_token_they_predict():
    parts = ["01\n", "2345\n"]
    bits = own.paragraph_bits(own.model_reader(Later(), 3), digits, parts)
    np.testing.assert_allclose(bits, [1, 2 + 3 + 1 + 2], rtol=1e-5)
    assert own.bits_with_interval(Later(), digits, "".join(parts), 3).value == pytest.approx(9 / 8)


def test_paragraphs_are_the_whole_text():
    for text, count in (("a\nb\n", 2), ("a\nb", 2), ("a\nb\n\nc\n\n\nd", 3), ("", 0), ("\n\n", 1)):
        parts = own.paragraphs(text)
        assert len(parts) == count
        assert "".join(parts) == text


def test_the_interval_is_that_of_a_mean_and_longer_paragraphs_weigh_more():
    bits, parts = np.array([10.0, 30.0] * 200), ["ten chars\n"] * 400
    value, low, high = own.per_character(bits, parts)
    assert value == pytest.approx(2)
    assert (high - low) / 2 == pytest.approx(1.96 / math.sqrt(400), rel=0.1)
    assert own.per_character(np.array([1.0, 9.0]), ["x", "y" * 9]) == pytest.approx((1, 1, 1))


def test_what_cannot_be_measured_is_told():
    class Broken(nn.Module):
        def forward(self, tokens):
            return torch.full((*tokens.shape, 10), math.nan)

    with pytest.raises(ValueError, match=r"not numbers \(NaN\); load its last good checkpoint"):
        own.bits_with_interval(Broken(), digits, "12\n34\n", 3)
    for text in ("", "1\n\n"):
        with pytest.raises(ValueError, match=f"the text must have at least 2 tokens, got {len(digits(text))}"):
            own.bits_with_interval(Later(), digits, text, 3)
    with pytest.raises(ValueError, match="an interval needs at least 2 paragraphs, got 1"):
        own.bits_with_interval(Later(), digits, "1234", 3)
    with pytest.raises(ValueError, match="the held-out text must have at least 5 characters, got 3"):
        own.usual_copies("abc", "abc", 5)


def test_the_longest_copy_is_what_comparing_everything_finds():
    draw = random.Random(0)
    for _ in range(200):
        letters = draw.choice(["ab", "abcdefgh"])
        written, train = ("".join(draw.choices(letters, k=draw.randrange(90))) for _ in range(2))
        if draw.random() < 0.5 and train:  # a copy of any length, at any place
            start = draw.randrange(len(train))
            written = written[:20] + train[start : start + draw.randrange(90)] + written[20:]
        runs = (written[i:j] for i in range(len(written)) for j in range(i + 1, len(written) + 1))
        found = own.longest_copy(written, train)
        assert found in written
        assert found in train
        assert len(found) == max((len(run) for run in runs if run in train), default=0)


@pytest.mark.parametrize("length", [126, 127, 128, 200])
def test_a_long_copy_is_found_wherever_it_begins(length):
    noise = "".join(map(chr, range(1000, 1600)))  # no character twice
    for start in range(70):
        assert own.longest_copy("x" + noise[start : start + length] + "y", noise) == noise[start : start + length]


def test_the_usual_copy_is_measured_on_passages_of_the_same_length():
    assert own.usual_copies("ab" * 50, "ab" * 100, 10, count=3) == [10, 10, 10]
    assert own.usual_copies("abc" * 50, "xbcx", 10, count=3) == [2, 2, 2]


def letters(text: str) -> list[int]:
    return [ord(character) for character in text]


def test_who_knows_the_facts_gets_all_and_who_ignores_the_beginning_one_in_four():
    every = {start + end for group in own.FACTS for start, end in group.items()}
    assert len(every) == 40

    def knows(ids):
        return np.full(len(ids) - 1, 1.0 if "".join(map(chr, ids)) in every else 1.1)

    def likes_short_ones(ids):
        return np.full(len(ids) - 1, 5.0)

    def likes_early_letters(ids):
        return np.array(ids[1:]) / 10

    assert own.known_facts(knows, letters) == (40, 40)
    assert own.known_facts(likes_short_ones, letters) == (10, 40)
    assert own.known_facts(likes_early_letters, letters) == (10, 40)
    assert own.known_facts(knows, letters, shuffled=True) == (10, 40)


def test_luck_is_a_binomial_with_one_in_four():
    assert own.Known(0, 40).by_luck() == pytest.approx(1)
    assert own.Known(2, 2).by_luck() == pytest.approx(1 / 16)
    assert own.Known(1, 2).by_luck() == pytest.approx(7 / 16)


def test_a_tokenizer_without_the_letters_is_told():
    with pytest.raises(ValueError, match=r"the tokenizer must encode plain English .* got KeyError"):
        own.known_facts(own.model_reader(Later(), 3), lambda text: [{"a": 0}[character] for character in text])


@pytest.mark.slow
def test_the_shipped_model_knows_facts_that_a_table_of_counts_does_not():
    weights, tokenizer = prose.trained_longer()
    model = GPT(len(tokenizer), **prose.SIZES)
    model.load_state_dict(weights)
    text = python_docs()
    reader = own.model_reader(model, prose.LENGTH)
    known, shuffled = (own.known_facts(reader, tokenizer.encode, each) for each in (False, True))
    assert known.by_luck() < 0.01 < shuffled.by_luck()
    table = CountTable(tokenizer.encode(text.train), len(tokenizer), 4)
    assert own.known_facts(table.reader(3), tokenizer.encode).by_luck() > 0.05
    middle, low, high = own.bits_with_interval(model, tokenizer.encode, text.test[:100_000], prose.LENGTH)
    assert 1.4 < low < middle < high < 1.9
