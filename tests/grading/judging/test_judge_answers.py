"""Whatever an answer is, it can be written down as outcomes, and judging these ends in a verdict."""

import json
import random
from dataclasses import asdict

import numpy as np
import pytest
from random_answers import EXERCISES, REASONS, some_outcomes

from transformer_course.exercises.exercise import Verdict, examine, show
from transformer_course.runner.run import Outcome, record, respond


@pytest.mark.slow
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_judging_ends_in_a_verdict_whatever_was_answered(exercise):
    dice, seen = random.Random(exercise.id), set()
    for _ in range(60 if exercise.is_function else 500):
        seed = dice.randrange(3)
        with np.errstate(all="ignore"):
            outcomes = some_outcomes(exercise, seed, dice)
        verdict = examine(exercise, lambda *_, outcomes=outcomes: outcomes, seed)
        seen.add(verdict.reason)
        assert verdict.passed == (verdict.reason == "passed") == (verdict.score == 1)
        assert 0 <= verdict.score <= 1
        assert len(verdict.message) + len(verdict.hint) < 10_000
        assert Verdict(**json.loads(json.dumps(asdict(verdict)))) == verdict
    assert {"passed", "type"} & seen <= seen <= REASONS
    assert len(seen) >= 3


class Odd(Exception):
    __str__ = None


class TimeLimit(Exception):
    """A learner's own class, with the name of one of ours."""


def _raises(error):
    raise error


def test_the_strangest_answers_are_written_down():
    assert respond(lambda x: _raises(Odd), [[1]], "numpy") == [Outcome(error="Odd", message=" (in `raise error`)")]
    assert len(respond(lambda x: _raises(TimeLimit()), [[1], [2]], "numpy")) == 2
    assert respond(lambda x: setattr(x, "dtype", "S8"), [[np.ones(2)]], "numpy")[0].mutated_argument == 0
    assert len(respond(lambda x: _raises(ValueError("x" * 9999)), [[1]], "numpy")[0].message) < 700
    assert len(record(type("x" * 9999, (), {})()).type) == 100
    assert [record(10**30).value, record([2**63, -(10**20)]).value] == [1e30, [2.0**63, -1e20]]
    assert (record([10**400]).value, record([10**400]).type) == (None, "list")


def test_what_is_large_is_shown_by_its_beginning():
    assert show([1, 0.123456, "a", None, [2, []]]) == "[1, 0.1235, 'a', None, [2, []]]"
    assert show({"a": {"b": [1, [2]]}}) == "{a: {b: […]}}"
    assert show([0] * 10) == "[0, 0, 0, 0, 0, 0, 0, 0, 0, …]"
    assert show([np.ones(3), np.ones(10)]) == "[[1, 1, 1], an array of shape (10,)]"
    assert all(len(show(large)) < 210 for large in (["x" * 99] * 9, {"x" * 99: 1, "y": "z" * 200}, [[["x" * 99]] * 9] * 9))
