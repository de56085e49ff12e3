"""How much the causal mask matters to a trained GPT and to a trained translator."""

import pytest
import torch

from transformer_course import models
from transformer_course.data import character_names
from transformer_course.experiments.unmasked import name_accuracy, numeral_accuracy


@pytest.mark.parametrize("right", [name_accuracy, numeral_accuracy])
def test_a_single_token_needs_no_mask_and_shares_come_for_each_draw_and_length(right):
    with_mask, without = right([1, 3], True), right([1, 3], False)
    assert with_mask.shape == (3, 2)
    assert torch.equal(with_mask[:, 0], without[:, 0])


def test_names_with_their_mask_are_what_a_gpt_says_itself():
    gpt, vocabularies = models.load("gpt-pre")
    vocabulary = vocabularies["text"]
    names = [name for name, _ in character_names().test if len(name) >= 6][:100]
    ids = torch.tensor([[vocabulary.begin, *vocabulary.encode(name)[:6]] for name in names])
    with torch.no_grad():
        hit = gpt(ids[:, :6])[:, -1].argmax(-1) == ids[:, 6]
    assert name_accuracy([6], True)[0, 0] == hit.float().mean()


def test_the_mask_is_worth_much_to_a_gpt_and_nothing_to_the_translator():
    lengths = [4, 6, 8]
    assert (name_accuracy(lengths, True) - name_accuracy(lengths, False)).min() > 0.2
    assert (name_accuracy(lengths, True, "gpt-post") - name_accuracy(lengths, False, "gpt-post")).min() > 0.2
    assert (numeral_accuracy(lengths, True) - numeral_accuracy(lengths, False)).abs().max() < 0.05
