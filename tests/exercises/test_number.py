"""Numbers worked out by hand: which of them is wrong, still open, rounded too early or written with a comma."""

import numpy as np
import pytest
from examining import card_text

from transformer_course.exercises import catalogue
from transformer_course.exercises.exercise import Mistake
from transformer_course.exercises.kinds.number import Number
from transformer_course.runner.outcome import record


def test_a_number_left_open_costs_that_number_alone():
    exercise = catalogue()["attention.by_hand"]
    for given in ([0.8668, ..., 0.1173], (0.8668, ..., 0.1173), np.array([0.8668, ..., 0.1173])):
        verdict = exercise.judge(0, [record(given)])
        assert (verdict.message, verdict.score) == ("The second of your 3 numbers is still open.", pytest.approx(2 / 3))


def test_each_right_number_counts_also_in_a_mistake_that_is_named():
    exercise = Number(
        id="x.y",
        answer_name="z",
        prompt="",
        hints=(),
        value=[9, 7, 2],
        atol=0.1,
        mistakes=[Mistake("the first number again", "You wrote the first number twice.", "", [9, 9, 2])],
    )
    verdict = exercise.judge(0, [record([9, 9, 2])])
    assert (verdict.mistake, verdict.score) == ("the first number again", pytest.approx(2 / 3))
    assert exercise.judge(0, [record([9, 8, 2])]).score == verdict.score


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            [0.8668, 0.0159, 0.117],
            "Almost: 0.117 is close, but you rounded too early or too much. Four decimal places are enough.",
        ),
        ([0.867, 0.016, 0.117], "Almost: 0.867 and 0.117 are close, but you rounded"),
        ([0.86702, 0.0169, 0.117], "Almost: 0.86702, 0.0169 and 0.117 are close, but you rounded"),
        ([0.5, 0.0159, 0.1173], "One of your 3 numbers is wrong: 0.5 for scarlet."),
        ([0.8668, 0.0159], "should be a list of 3 numbers, but has 2."),
        (["a", "b", "c"], "contains text. Remove the quotation marks."),
        ([0.5, [0.1], None], "contains something that is not a number"),
        ([[0.5, 1], [0.1], [2]], "contains rows of different lengths, 1 and 2."),
        ("0.8668", "should be a list of 3 numbers, but is text. Remove the quotation marks."),
        ([0.5, 0.5, 0.1173], "2 of your 3 numbers are wrong: 0.5 for scarlet and 0.5 for car."),
        ([float("nan")] * 3, "3 of your 3 numbers are wrong"),
        ([0.8668, ..., 0.5], "The second of your 3 numbers is still open. 1 of the others is wrong."),
        ([..., 0.0159, ...], "The first and third of your 3 numbers are still open."),
        ([..., 0.0159], "should be a list of 3 numbers, but has 2."),
        ([..., ..., ...], "There's no answer in"),
        ([[..., 0.0159]], "There's no answer in"),
    ],
)
def test_numbers_in_a_wrong_form_are_told(answer, words):
    assert words in card_text(answer, "attention.by_hand")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((4, 0), ("should be one number, but is 2 numbers, [4, 0].", "with a point, not with a comma")),
        ("4", ("should be one number, but is text. Remove the quotation marks.", "hint(")),
        ([[4]], ("should be one number, but has shape (1, 1).", "hint(")),
    ],
)
def test_one_number_in_a_wrong_form_is_told(answer, words):
    text = card_text(answer, "start.average")
    assert all(word in text for word in words)


def test_a_list_with_decimal_commas_is_told():
    text = card_text([0, 8668, 0, 1173, 0, 159], "attention.by_hand")
    assert "should be a list of 3 numbers, but has 6." in text
    assert "with a point, not with a comma" in text
    assert "with a point" not in card_text([0.8668, 0.0159], "attention.by_hand")


def test_one_number_that_is_nearly_right_is_told():
    nearly = card_text(4.02, "start.average")
    assert "Almost: 4.02 is close, but you rounded" in nearly
    assert "decimal place" not in nearly  # of a whole number
