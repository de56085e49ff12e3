"""A claim with its reason and value: what is wrong with each part is said, and costs that part alone."""

import pytest
from examining import told

from transformer_course.exercises import catalogue
from transformer_course.runner.outcome import record


def test_a_claim_with_its_reason_in_a_wrong_form_is_told(snapshot):
    answers = {
        "a number as the claim": {"claim": 2, "reason": "b", "value": 1},
        "a list as the reason": {"claim": "b", "reason": ["b"], "value": 1},
        "two letters as the claim": {"claim": "bc", "reason": "b", "value": 1},
        "text as the value": {"claim": "b", "reason": "b", "value": "4.48"},
        "another value": {"claim": "b", "reason": "b", "value": 9.99},
        "the value missing": {"claim": "b", "reason": "b"},
        "the reason open": {"claim": "b", "reason": ..., "value": 9.99},
        "all open": {"claim": ..., "reason": ..., "value": ...},
        "a capital": {"Claim": "b"},
        "the claim alone": "b",
    }
    assert {name: told("attention.wrong_row", answer) for name, answer in answers.items()} == snapshot


@pytest.mark.parametrize(("value", "close"), [(5.9, True), (6.2, False), (6, False)])
def test_a_value_with_too_few_decimal_places_is_told(value, close):
    exercise = catalogue()["bigger.verdict"]
    message = exercise.judge(0, [record({**exercise.right, "value": value})]).message
    assert ("decimal places" in message) == close


def test_a_part_in_a_wrong_form_costs_that_part_alone():
    exercise = catalogue()["attention.wrong_row"]
    ills = [{"claim": "z"}, {"value": str(exercise.right["value"])}, {"reason": ...}, {"value": None}]
    left = {part: right for part, right in exercise.right.items() if part != "reason"}
    for given in [left, *({**exercise.right, **ill} for ill in ills)]:
        verdict = exercise.judge(0, [record(given)])
        assert not verdict.passed
        assert verdict.score == pytest.approx(2 / 3)
