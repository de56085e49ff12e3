"""What a kind of exercise says of a test, of arrays and of lines that it cannot take."""

from dataclasses import replace

import numpy as np
import pytest
from examining import SEEDS, of, solved, verdict

from transformer_course.exercises import catalogue
from transformer_course.exercises.kinds import ParsonsProblem, WriteTest


@of(WriteTest)
def test_a_test_is_marked_by_what_it_catches(exercise):
    assert set(exercise.caught) <= {mistake.name for mistake in exercise.target.mistakes}
    example = exercise.target.draw(np.random.default_rng(0))[0]
    lenient, strict = verdict(exercise, lambda f: f(*example) is not None), verdict(exercise, lambda f: f(*example) is None)
    assert (lenient.passed, lenient.score, lenient.mistake is not None) == (False, 0.0, True)
    assert any(shown in lenient.hint for shown in exercise.caught.values())
    assert "never calls `f`" in verdict(exercise, lambda f: True).message
    assert "functions that are right" in strict.message
    assert "returned nothing" in verdict(exercise, lambda f: [f(*example), None][1]).message
    assert "NameError" in verdict(exercise, lambda f: undefined(f)).message


@of(WriteTest)
def test_a_test_that_says_the_opposite_or_always_yes_is_told_so(exercise):
    right, example = solved(exercise), exercise.target.draw(np.random.default_rng(0))[0]
    for seed in SEEDS:
        opposite = verdict(exercise, lambda f: not right(f), seed)
        assert "accepts most of those that are broken" in opposite.message
        assert "Did you swap True and False" in opposite.hint
    assert "rejects nothing" in verdict(exercise, lambda f: f(*example) is not None).hint


def test_a_test_is_capped_in_its_calls():
    def is_softmax(f):
        while True:
            f(np.zeros(3))

    seen = verdict(catalogue()["attention.test_softmax"], is_softmax)
    assert "1000 times" in seen.message


@of(WriteTest)
@pytest.mark.parametrize("shape", [(4097,), (64, 65), (257, 2), (2, 257), (257, 0)])
def test_a_test_needs_only_small_inputs(exercise, shape):
    def of_size(shape):
        return lambda f: f(np.ones(shape)) is not None

    limits = "ValueError: a test needs only small inputs: at most 4,096 numbers in a call, and 256 along an axis"
    assert limits in verdict(exercise, of_size(shape)).message
    for wide in ((16, 256), (256, 16)):
        assert limits not in verdict(exercise, of_size(wide)).message


def test_arrays_that_are_given_as_an_answer_are_small():
    trap, weights, hidden = (catalogue()[f"attention.{name}"] for name in ("late_mask", "one_way", "hidden_fault"))
    limit = np.zeros((10, 500))
    assert "contains 10,001 numbers in all" in verdict(trap, (np.zeros(5001), np.ones(5000))).message
    assert verdict(trap, (limit, 1 + limit)).mistake == "nothing forbidden"
    assert "Small arrays are enough: use at most 10,000." in verdict(weights, (np.ones((3, 2000)),) * 2).message
    wide = verdict(hidden, (np.ones((51, 1)),) + (np.ones((1, 1)),) * 3)
    assert wide.message.startswith("Use at most 50 rows and 50 columns")
    assert "shape (51, 1)" in wide.message
    assert verdict(hidden, (np.ones((50, 1)),) + (np.ones((1, 50)),) * 3).mistake == "w_q and w_k alike"


def test_lines_with_another_fault_or_too_many_are_told():
    order = ParsonsProblem(
        id="x",
        answer_name="order",
        prompt=".",
        hints=(),
        lines={"A": "y = x + 1", "B": "y = y + z", "C": "z = 0", "D": "y = y @ z"},
        needed=1,
        draw=lambda rng: [{"x": np.ones(2)}],
        reference=lambda x: x + 1,
        result="y",
    )
    assert verdict(order, ["a"]).passed
    assert "You chose 3 lines, but 1 are needed." in verdict(order, ["A", "C", "B"]).message
    assert "Line D, in position 3: `y = y @ z` raised ValueError: matmul" in verdict(order, ["A", "C", "D"]).message
    assert "at the end the value of `y` is wrong" in verdict(replace(order, lines={"A": "y = x"}), ["A"]).message
    assert "none of them computes `y`" in verdict(replace(order, lines={"A": "z = x"}), ["A"]).message
    assert "`y` should have shape (2,), and it has ()" in verdict(replace(order, lines={"A": "y = x.sum()"}), ["A"]).message
