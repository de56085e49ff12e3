"""A claim with its reason and value: what is wrong with each part is said, and costs that part alone."""

import pytest
from examining import card_text

from transformer_course.exercises import catalogue
from transformer_course.runner.outcome import record


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"claim": 2, "reason": "b", "value": 1}, "`claim` should be one of a, b, c, d, but is 2"),
        ({"claim": "b", "reason": ["b"], "value": 1}, "`reason` should be one of"),
        ({"claim": "bc", "reason": "b", "value": 1}, "`claim` should be one of"),
        ({"claim": "b", "reason": "b", "value": "4.48"}, "`value` should be one number, without quotation marks"),
        ({"claim": "b", "reason": "b", "value": 9.99}, "The claim and the reason are right. The value does not fit yet."),
        ({"claim": "b", "reason": "b"}, "`value` is still open. The claim and the reason are right."),
        (
            {"claim": "b", "reason": ..., "value": 9.99},
            "`reason` is still open. The value does not fit yet. The claim is right.",
        ),
        ({"claim": ..., "reason": ..., "value": ...}, "There's no answer in"),
        ({"Claim": "b"}, "should have the form"),
        ("b", "should have the form"),
    ],
)
def test_a_claim_with_its_reason_in_a_wrong_form_is_told(answer, words):
    assert words in card_text(answer, "attention.wrong_row")


def test_a_part_in_a_wrong_form_costs_that_part_alone():
    exercise = catalogue()["attention.wrong_row"]
    ills = [
        {"claim": "z"},
        {"value": str(exercise.right["value"])},
        {"reason": ...},
        {"value": None},
    ]
    left = {part: right for part, right in exercise.right.items() if part != "reason"}
    for given in [left, *({**exercise.right, **ill} for ill in ills)]:
        verdict = exercise.judge(0, [record(given)])
        assert not verdict.passed
        assert verdict.score == pytest.approx(2 / 3)
