"""What a kind of exercise says of a test, of arrays and of lines that it cannot take."""

from dataclasses import replace

import numpy as np
from examining import of, solved, told, verdict

from transformer_course.exercises import catalogue
from transformer_course.exercises.kinds import ParsonsProblem, WriteTest

TEST = catalogue()["attention.test_softmax"]


@of(WriteTest)
def test_a_test_is_marked_by_what_it_catches(exercise):
    assert set(exercise.caught) <= {mistake.name for mistake in exercise.target.mistakes}
    right, example = solved(exercise), exercise.target.draw(np.random.default_rng(0))[0]
    lenient = verdict(exercise, lambda f: f(*example) is not None)
    assert (lenient.passed, lenient.score, lenient.mistake is not None) == (False, 0.0, True)
    assert any(shown in lenient.hint for shown in exercise.caught.values())
    assert "rejects nothing" in lenient.hint
    assert "functions that are right" in verdict(exercise, lambda f: f(*example) is None).message
    assert "accepts most of those that are broken" in verdict(exercise, lambda f: not right(f)).message


def calling(*shapes):
    def is_softmax(f):
        return all(f(np.ones(shape)) is not None for shape in shapes)

    return is_softmax


def endless(f):
    while True:
        f(np.zeros(3))


def undecided(f):
    f(np.zeros(3))


def misspelt(f):
    return undefined(f)


def test_a_test_that_cannot_be_marked_is_told_why(snapshot):
    right = solved(TEST)
    assert {
        "never called": told(TEST.id, lambda f: True),
        "nothing returned": told(TEST.id, undecided),
        "an error": told(TEST.id, misspelt),
        "everything accepted": told(TEST.id, calling(3)),
        "everything rejected": told(TEST.id, lambda f: not calling(3)(f)),
        "True and False swapped": told(TEST.id, lambda f: not right(f)),
        "endless calls": told(TEST.id, endless),
        "a large input": told(TEST.id, calling((64, 65))),
    } == snapshot
    small = "a test needs only small inputs"
    assert all(small in told(TEST.id, calling(shape)) for shape in [4097, (257, 2), (2, 257), (257, 0)])
    assert small not in told(TEST.id, calling((16, 256), (256, 16)))


def test_arrays_that_are_given_as_an_answer_are_small(snapshot):
    limit, one = np.zeros((10, 500)), np.ones((1, 1))
    assert verdict(catalogue()["attention.late_mask"], (limit, 1 + limit)).mistake == "nothing forbidden"
    fifty = (np.ones((50, 1)),) + (np.ones((1, 50)),) * 3
    assert verdict(catalogue()["attention.hidden_fault"], fifty).mistake == "w_q and w_k alike"
    assert {
        "10,001 numbers in two arrays": told("attention.late_mask", (np.zeros(5001), np.ones(5000))),
        "6,000 numbers in each of two arrays": told("attention.one_way", (np.ones((3, 2000)),) * 2),
        "51 rows": told("attention.hidden_fault", (np.ones((51, 1)), one, one, one)),
    } == snapshot


def test_lines_with_another_mistake_or_too_many_are_told(snapshot):
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

    def message(lines, *chosen):
        return verdict(replace(order, lines=lines), chosen).message

    assert {
        "too many": message(order.lines, "A", "C", "B"),
        "an error": message({**order.lines, "D": "y = 1 / z"}, "A", "C", "D"),
        "a wrong value": message({"A": "y = x"}, "A"),
        "another name": message({"A": "z = x"}, "A"),
        "another shape": message({"A": "y = x.sum()"}, "A"),
    } == snapshot
