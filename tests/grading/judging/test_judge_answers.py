"""Whatever an answer is, it can be written down as outcomes, and judging these ends in a verdict."""

import json
import random
from dataclasses import asdict, replace

import numpy as np
import pytest
import sampling
from examining import EXERCISES
from random_answers import LONG, OF_EACH_KIND, REASONS, arrived, some_outcomes
from torch_modules import as_answer

from transformer_course.exercises.exercise import Exercise, Verdict, examine, show
from transformer_course.runner.run import Outcome, record, respond


def judged_in_some_way(exercise: Exercise, seed: int) -> str:
    """Judge one random answer, and return the reason of the verdict."""
    dice = random.Random(f"{exercise.id} {seed}")
    asked = dice.randrange(3)
    with np.errstate(all="ignore"):
        outcomes = some_outcomes(exercise, asked, dice)
    verdict = examine(exercise, lambda *_: outcomes, asked)
    answer = f"{exercise.id}, seed {seed}: {verdict}"
    assert verdict.passed == (verdict.reason == "passed") == (verdict.score == 1), answer
    assert 0 <= verdict.score <= 1, answer
    assert len(verdict.message) + len(verdict.hint) < 10_000, answer
    assert Verdict(**json.loads(json.dumps(asdict(verdict)))) == verdict, answer
    return verdict.reason


@pytest.mark.slow
def test_judging_ends_in_a_verdict_whatever_was_answered():
    """Random answers to an exercise of each kind meet with all kinds of verdicts."""
    seen = {judged_in_some_way(each, seed) for each in OF_EACH_KIND for seed in range(2 if each.id in LONG else 8)}
    assert seen | {"mutated"} == REASONS  # hardly any answer is right but for the argument that it changes


@pytest.mark.slow
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_judging_ends_in_a_verdict_whatever_is_drawn(exercise):
    for seed in sampling.seeds(10 if exercise.is_function else 30, "judge_answers", exercise.id):
        assert judged_in_some_way(exercise, seed) in REASONS, (exercise.id, seed)


@pytest.mark.parametrize("exercise", [each for each in OF_EACH_KIND if hasattr(each, "reference")], ids=lambda e: e.id)
def test_judging_ends_in_a_verdict_whatever_is_under_a_key(exercise):
    """A process may say anything of what it saw, beside results that are right."""
    right = respond(as_answer(exercise, exercise.reference), exercise.questions(0), exercise.backends[0])
    for key in {key for each in right if isinstance(each.value, dict) for key in each.value}:
        for odd in (None, "x", 0.5, [], [np.ones(2)], [[], np.ones(1)], np.ones(2), np.ones(0), {"x": 1}):
            outcomes = [arrived(replace(each, value={**each.value, key: odd})) for each in right]
            assert examine(exercise, lambda *_, given=outcomes: given, 0).reason in REASONS, (key, odd)


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
