"""Numbers worked out by hand: which of them is wrong, still open, rounded too early or written with a comma."""

import re

import numpy as np
import pytest
from examining import EXERCISES, cells_of, told, verdict

from transformer_course.exercises import catalogue
from transformer_course.exercises.catalogue import home
from transformer_course.exercises.exercise import Mistake
from transformer_course.exercises.kinds.number import Number
from transformer_course.runner.outcome import record


def test_a_number_left_open_costs_that_number_alone():
    exercise = catalogue()["attention.by_hand"]
    for given in ([0.8668, ..., 0.1173], (0.8668, ..., 0.1173), np.array([0.8668, ..., 0.1173])):
        verdict = exercise.judge(0, [record(given)])
        assert (verdict.message, verdict.score) == ("The second of your 3 numbers is still open.", pytest.approx(2 / 3))


def test_a_wrong_number_is_shown_as_it_was_typed():
    exercise = Number(id="x.y", answer_name="z", prompt="", hints=(), value=100, atol=0.01)
    assert exercise.judge(0, [record(100.0525)]).message.startswith("Almost: 100.0525 is close")
    assert exercise.judge(0, [record(250.0525)]).message == "250.0525 is not right."


def test_numbers_rounded_as_their_sheets_ask_are_right():
    asked = {}
    for exercise in (each for each in EXERCISES if isinstance(each, Number) and home(each.id) != "00"):
        sheet = " ".join(" ".join(cells_of(home(exercise.id))).split())
        task = sheet.partition(f'check("{exercise.id}")')[0].rpartition("check(")[2]
        if places := re.search(r"\b(one|two|three|four) decimal place", task):
            asked[exercise.id] = ("one", "two", "three", "four").index(places[1]) + 1
    assert len(asked) > 10
    rounded = {name: np.round(np.asarray(catalogue()[name].value, float), places).tolist() for name, places in asked.items()}
    assert [name for name, answer in rounded.items() if not verdict(catalogue()[name], answer).passed] == []


@pytest.mark.parametrize(("count", "which"), [(7, "The seventh"), (8, "1")])
def test_a_number_left_open_is_called_by_its_place_as_far_as_there_are_words(count, which):
    exercise = Number(id="x.y", answer_name="z", prompt="", hints=(), value=[1] * count, atol=0.1)
    seen = exercise.judge(0, [record([*[1] * (count - 1), ...])])
    assert seen.message == f"{which} of your {count} numbers is still open."


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


@pytest.mark.parametrize(("given", "named"), [([0.67, 0, 0.33], True), ([0.7, 0, 0.3], False), ([0.66, 0, 0.33], False)])
def test_a_mistake_is_recognised_at_the_precision_that_was_typed(given, named):
    thirds = Mistake("thirds", "You divided by three.", "", [2 / 3, 0, 1 / 3])
    exercise = Number(id="x.y", answer_name="z", prompt="", hints=(), value=[1, 0, 0], atol=1e-4, mistakes=[thirds])
    assert (exercise.judge(0, [record(given)]).mistake == "thirds") is named
    also = Mistake("also", "Another way.", "", [0.668, 0, 0.333])  # at this precision, nobody can tell the two apart
    two = Number(id="x.y", answer_name="z", prompt="", hints=(), value=[1, 0, 0], atol=1e-4, mistakes=[thirds, also])
    assert two.judge(0, [record(given)]).mistake is None


def test_an_error_above_forty_tolerances_is_no_rounding():
    exercise = Number(id="x.y", answer_name="z", prompt="", hints=(), value=100, atol=1e-3)
    messages = [exercise.judge(0, [record(given)]).message for given in (100.03, 100.05)]
    assert ["you rounded" in message for message in messages] == [True, False]


@pytest.mark.parametrize(("given", "rounded"), [([13, 0.4, 1.7], True), ([13, 0.48, 1.73], False), ([13, 0.36, 2], False)])
def test_a_number_is_rounded_to_fewer_places_or_near_for_its_own_size(given, rounded):
    exercise = Number(id="x.y", answer_name="z", prompt="", hints=(), value=[13, 0.36, 1.732], atol=0.006)
    assert ("you rounded" in exercise.judge(0, [record(given)]).message) == rounded


def test_what_is_only_rounded_is_not_called_wrong_beside_what_is():
    exercise = Number(id="x.y", answer_name="z", prompt="", hints=(), value=[13, 0.36, 1.732], atol=0.006)
    message = exercise.judge(0, [record([13, 0.4, 5.5])]).message
    assert message == "One of your 3 numbers is wrong: 5.5 for the third number. And 0.4 should have more decimal places."


@pytest.mark.parametrize(("given", "digits"), [(9.4, "9.4"), (0.00938, "0.00938"), (937.5, "937.5"), (8.4, ""), (-0.9375, "")])
def test_right_digits_with_another_power_of_ten_are_told(given, digits):
    exercise = Number(id="x.y", answer_name="z", prompt="", hints=(), value=[0.09375, 2], atol=0.0006)
    message = exercise.judge(0, [record([given, 2])]).message
    assert message == (f"The digits of {digits} are right, but the power of ten is not." if digits else message)
    assert bool(digits) == ("power of ten" in message)


def test_numbers_that_are_wrong_or_in_a_wrong_form_are_told(snapshot):
    answers = {
        "one nearly": [0.8668, 0.0159, 0.117],
        "two nearly": [0.867, 0.016, 0.117],
        "three nearly": [0.86702, 0.0169, 0.117],
        "one wrong": [0.5, 0.0159, 0.1173],
        "two wrong": [0.5, 0.5, 0.1173],
        "one missing": [0.8668, 0.0159],
        "decimal commas": [0, 8668, 0, 1173, 0, 159],
        "NaN": [float("nan")] * 3,
        "letters": ["a", "b", "c"],
        "a list and None": [0.5, [0.1], None],
        "ragged rows": [[0.5, 1], [0.1], [2]],
        "text": "0.8668",
        "one open and one wrong": [0.8668, ..., 0.5],
        "two open": [..., 0.0159, ...],
        "one open and one missing": [..., 0.0159],
        "all open": [..., ..., ...],
        "open in a list": [[..., 0.0159]],
    }
    assert {name: told("attention.by_hand", answer) for name, answer in answers.items()} == snapshot


def test_one_number_in_a_wrong_form_is_told(snapshot):
    answers = {"a decimal comma": (4, 0), "text": "4", "a matrix": [[4]], "nearly": 4.02}
    assert {name: told("start.average", answer) for name, answer in answers.items()} == snapshot
    assert verdict(catalogue()["start.average"], [4]).passed  # in brackets it is the same number
