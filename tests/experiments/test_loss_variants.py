"""Translators of numbers, and the losses that they are trained with."""

import math

import pytest

from transformer_course import models
from transformer_course.experiments.loss_variants import (
    LENGTH,
    SOURCE_VOCABULARY,
    TARGET_VOCABULARY,
    encoded_numbers,
    train_translator,
)
from transformer_course.training import sequence_loss, translation_loss


def test_the_numbers_to_99_are_asked_in_the_shipped_vocabularies_and_mostly_padding():
    vocabularies = models.load("translator")[1]
    english, chinese = vocabularies["source"], vocabularies["target"]
    assert (len(english), len(chinese)) == (SOURCE_VOCABULARY, TARGET_VOCABULARY)
    words, numerals = encoded_numbers(english, chinese)
    assert (len(words), numerals.shape) == (99, (99, LENGTH))
    assert " ".join(english.decode(words[72])) == "seventy three"
    assert "".join(chinese.decode(numerals[72])) == "七十三"
    assert english.unknown not in words
    assert chinese.unknown not in numerals
    assert (numerals == chinese.end).sum() == 99
    assert round(float((numerals == chinese.pad).float().mean()), 2) == 0.55  # as lesson 14 says


def test_a_writer_is_looked_at_on_the_next_token_whatever_it_is_asked():
    pairs = encoded_numbers(*(models.load("translator")[1][side] for side in ("source", "target")))
    right = train_translator(pairs, steps=20)
    assert (len(right.losses), len(right.next_token_losses)) == (20, 2)
    assert right.next_token_losses[-1] == pytest.approx(translation_loss(right.model, *pairs).item(), rel=1e-5)
    again = train_translator(pairs, lambda model, source, target: 0.5 * translation_loss(model, source, target), steps=20)
    assert again.losses[0] == pytest.approx(right.losses[0] / 2)  # the same initialisation and the same batch
    assert train_translator(pairs, seed=1, steps=1).losses != right.losses[:1]


def test_the_runs_of_lesson_14():
    pairs = encoded_numbers(*(models.load("translator")[1][side] for side in ("source", "target")))

    def without_shift(model, source, target):
        return sequence_loss(model(source, target), target)

    right, copied = train_translator(pairs), train_translator(pairs, without_shift)
    assert right.exact > 0.9
    assert right.losses[-1] < 0.1
    assert copied.exact == 0
    assert copied.losses[-1] < right.losses[-1]
    assert copied.next_token_losses == sorted(copied.next_token_losses)  # worse at every measurement
    assert copied.next_token_losses[0] > math.log(TARGET_VOCABULARY)
