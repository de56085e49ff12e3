"""Sheet 02: what it says of its exercises is so, and other answers are told why."""

import re

import numpy as np
import pytest
from examining import cells_of, verdict

from transformer_course.exercises import catalogue


def test_what_sheet_02_says_of_its_exercises_is_so():
    cells = cells_of("02")
    names = {"np": np}
    exec(next(cell for cell in cells if cell.startswith("def faulty(")), names)
    hidden, same = catalogue()["attention.hidden_fault"], np.testing.assert_allclose
    example, *others = catalogue()["attention.self_attention"].questions(0)
    same(names["faulty"](*example), hidden.reference(*example))  # right on the lesson's three tokens
    same(names["faulty"](*others[0]), hidden.faulty(*others[0]))  # what is shown is what is judged
    assert len(catalogue()["attention.test_softmax"].caught) == 12
    assert any("twelve broken ones" in cell for cell in cells)


def test_the_largest_absolute_value_is_told_as_one_max_for_all_rows():
    """No variant of that mistake: after a mask, the largest absolute value is infinite, which is a different mistake."""

    def softmax(scores):
        exponentials = np.exp(scores - np.abs(scores).max(-1, keepdims=True))
        return exponentials / exponentials.sum(-1, keepdims=True)

    assert verdict(catalogue()["attention.softmax"], softmax).mistake == "one max for all rows"


def test_a_test_that_catches_some_gets_part_of_the_credit():
    exercise = catalogue()["attention.test_softmax"]
    sums = verdict(exercise, lambda f: np.allclose(f(np.array([[1.0, 2.0, 4.0], [3.0, 0.0, 1.0]])).sum(-1), 1))
    assert 0 < sums.score < 1


def test_a_test_has_to_try_more_axes_than_two_and_to_allow_for_rounding():
    def compared(shapes, **tolerance):
        def is_softmax(f):
            scores = [scale * np.sin(np.arange(np.prod(shape))).reshape(shape) for shape in shapes for scale in (2, 1000)]
            rights = [np.exp(s - np.logaddexp.reduce(s, -1, keepdims=True)) for s in scores]
            return all(np.allclose(f(s), right, **tolerance) for s, right in zip(scores, rights, strict=True))

        return is_softmax

    exercise = catalogue()["attention.test_softmax"]
    assert verdict(exercise, compared([(3,), (3, 3)], atol=1e-4)).mistake == "axis 1, but for a single row"
    assert "1 of 3 functions that are right" in verdict(exercise, compared([(3,), (2, 3, 4)], rtol=1e-9, atol=0)).message
    assert verdict(exercise, compared([(3,), (3, 3), (2, 3, 4)], atol=1e-4)).passed


def test_the_value_is_judged_for_the_row_that_was_claimed_as_the_sheet_asks():
    text = " ".join(cells_of("02"))
    assert "the largest weight of the row that you think is wrong, divided by its second-largest weight" in text
    assert "(If you suspect none, take row 1.)" in text
    rows = [sorted(map(float, weights)) for weights in re.findall(3 * r"(0\.\d{4}) \| " + r"[01]\.\d{4} \|", text)]
    ratios = [round(row[-1] / row[-2], 2) for row in rows]
    assert len(ratios) == 3
    exercise = catalogue()["attention.wrong_row"]
    for claim, ratio in zip("abcd", [*ratios, ratios[0]], strict=True):
        for value in ratios:
            right = (claim == "b") + (value == ratio)
            for reason in "ab":
                seen = verdict(exercise, {"claim": claim, "reason": reason, "value": value})
                assert seen.score == pytest.approx((right + (reason == "b")) / 3)
                assert seen.passed == (seen.score == 1)
