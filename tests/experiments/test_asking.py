"""Writers of numbers, and what they are asked in training."""

import math

import pytest

from transformer_course import models
from transformer_course.experiments.asking import TOKENS, WIDTH, WORDS, number_texts, train_writer
from transformer_course.training import sequence_loss, translation_loss


def test_the_numbers_to_99_are_asked_in_the_shipped_vocabularies_and_mostly_padding():
    vocabularies = models.load("translator")[1]
    english, chinese = vocabularies["source"], vocabularies["target"]
    assert (len(english), len(chinese)) == (WORDS, TOKENS)
    words, numerals = number_texts(english, chinese)
    assert (len(words), numerals.shape) == (99, (99, WIDTH))
    assert " ".join(english.decode(words[72])) == "seventy three"
    assert "".join(chinese.decode(numerals[72])) == "七十三"
    assert english.unknown not in words
    assert chinese.unknown not in numerals
    assert (numerals == chinese.end).sum() == 99
    assert round(float((numerals == chinese.pad).float().mean()), 2) == 0.55  # as lesson 14 says


def test_a_writer_is_looked_at_on_the_next_token_whatever_it_is_asked():
    pairs = number_texts(*(models.load("translator")[1][side] for side in ("source", "target")))
    right = train_writer(pairs, steps=20)
    assert (len(right.printed), len(right.true)) == (20, 2)
    assert right.true[-1] == pytest.approx(translation_loss(right.model, *pairs).item(), rel=1e-5)
    again = train_writer(pairs, lambda model, source, target: 0.5 * translation_loss(model, source, target), steps=20)
    assert again.printed[0] == pytest.approx(right.printed[0] / 2)  # the same start and the same batch
    assert train_writer(pairs, seed=1, steps=1).printed != right.printed[:1]


@pytest.mark.slow
def test_the_runs_of_lesson_14():
    pairs = number_texts(*(models.load("translator")[1][side] for side in ("source", "target")))

    def without_shift(model, source, target):
        return sequence_loss(model(source, target), target)

    right, copied = train_writer(pairs), train_writer(pairs, without_shift)
    assert right.exact > 0.9
    assert right.printed[-1] < 0.1
    assert copied.exact == 0
    assert copied.printed[-1] < right.printed[-1]
    assert copied.true == sorted(copied.true)  # worse from look to look
    assert copied.true[0] > math.log(TOKENS)
