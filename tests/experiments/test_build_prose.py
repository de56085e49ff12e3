"""Stage B8: a GPT on byte pairs, and the shipped model under the names of the learner's class."""

import math

import pytest
import torch
from torch import nn

from transformer_course import models
from transformer_course.build_parts import GPT
from transformer_course.byte_pairs import BytePairs
from transformer_course.experiments import build_ladder as ladder
from transformer_course.experiments import build_prose as prose
from transformer_course.models.recipes import bits_of_a_text


class Uniform(nn.Module):
    """Find all of ``size`` tokens equally likely."""

    def __init__(self, size: int):
        super().__init__()
        self.size = size

    def forward(self, tokens):
        return torch.zeros(*tokens.shape, self.size)


def test_bits_are_per_character_whatever_the_tokens():
    text = "abababab" * 200
    bytes_alone, pairs = BytePairs([]), BytePairs([("a", "b"), ("ab", "ab")])
    assert prose.bits_per_character(Uniform(256), bytes_alone, text) == pytest.approx(8, abs=1e-5)
    assert prose.bits_per_character(Uniform(258), pairs, text) == pytest.approx(math.log2(258) / 4, abs=1e-5)


def test_every_window_counts_once_and_labels_are_the_next_tokens():
    class Successor(nn.Module):
        def forward(self, tokens):
            return nn.functional.one_hot((tokens + 1) % 10, 10) * 50.0

    ids = [number % 10 for number in range(1 + 7 * 16)]
    assert bits_of_a_text(Successor(), ids, len(ids), 16) == pytest.approx(0, abs=1e-5)
    wrong = [*ids[:-1], 5]  # the last label counts as well; it was 2
    expected = 50 / math.log(2) / (len(ids) - 1)
    assert bits_of_a_text(Successor(), wrong, len(ids), 16) == pytest.approx(expected, rel=1e-4)
    with pytest.raises(ValueError, match="the text must have at least 17 tokens, got 16"):
        bits_of_a_text(Successor(), ids[:16], 16, 16)


def test_training_uses_the_learners_step_and_windows_of_this_stage():
    shapes = []

    def step(model, optimizer, inputs, labels):
        shapes.append((tuple(inputs.shape), tuple(labels.shape)))
        return 1.5

    assert prose.train(nn.Linear(1, 1), step, torch.arange(500)) == [1.5] * prose.STEPS
    assert set(shapes) == {((ladder.BATCH, prose.LENGTH),) * 2}


def test_the_shipped_model_is_the_same_under_the_learners_names():
    shipped, vocabularies = models.load("prose")
    weights, tokenizer = prose.trained_longer()
    own = GPT(len(tokenizer), **prose.SIZES)
    own.load_state_dict(weights)
    special = len(vocabularies["text"].specials)
    ids = torch.tensor([tokenizer.encode("\nIf the argument is a string, it is used as the name of a file.")])
    with torch.no_grad():
        torch.testing.assert_close(own(ids), shipped(ids + special)[..., special:], rtol=1e-4, atol=1e-4)


def test_the_tokens_of_the_shipped_model_are_its_tokenizer():
    _, vocabularies = models.load("prose")
    vocabulary, (_, tokenizer) = vocabularies["text"], prose.trained_longer()
    text = "\nReturn the naïve “size” of a file. 日本\n"
    pieces = tokenizer.tokenize(text)
    assert vocabulary.decode(vocabulary.encode(pieces)) == pieces
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert len(tokenizer.merges) == 1024
