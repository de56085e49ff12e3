"""Activation patching: where what differs between two numbers must be, and where it cannot be."""

import pytest
import torch
from cn2an import cn2an

from transformer_course import models
from transformer_course.data.split import held_back
from transformer_course.experiments.patching import patched, swap, swaps


@pytest.fixture(scope="module")
def translator():
    model, vocabularies = models.load("translator")
    return model, vocabularies["source"], vocabularies["target"]


@pytest.mark.parametrize(("stack", "row", "position"), [("encoder", 0, "word"), ("decoder", -1, "numeral")])
def test_all_of_the_difference_is_at_the_word_at_first_and_at_the_numeral_in_the_end(translator, stack, row, position):
    for pair in swaps(3, seed=0):
        shares = patched(*translator, pair, stack)[row]
        expected = torch.nn.functional.one_hot(torch.tensor(getattr(pair, position)), len(shares)).float()
        torch.testing.assert_close(shares, expected, atol=1e-4, rtol=0)


def test_the_decoders_input_is_the_same_in_both_runs_so_its_vectors_carry_nothing(translator):
    assert patched(*translator, swap(340_200, 360_200), "decoder")[0].abs().max() < 1e-6


def test_numbers_that_are_drawn_were_not_trained_on_and_differ_in_one_place():
    for pair in swaps(20, seed=1):
        numbers = [cn2an(numerals) for numerals in (pair.numerals, pair.other_numerals)]
        assert pair == swap(*numbers)
        assert held_back(numbers[0], 0)


@pytest.mark.parametrize("other", [12_345, 12_347_000, 340_200])
def test_two_numbers_that_differ_in_more_or_in_nothing_are_refused(other):
    with pytest.raises(ValueError, match="differ in one word"):
        swap(340_200, other)
