"""A notebook's check and the grading of a class reach the same verdict on every answer.

Each answer goes through the real sandbox. It is pickled by value into a cell, because most answers exist only as functions.
With the same seed, the check asks the same questions. `make test-all` draws answers and seeds.
"""

import base64
import copyreg
import functools
import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

import cloudpickle
import in_torch
import numpy as np
import pytest
import right_answers
import sampling
import torch
import torch_answers
import torch_modules
from examining import solved, verdict
from grading_a_class import PATIENT
from random_answers import OF_EACH_KIND

import transformer_course.exercises
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.exercises.exercise import Exercise, Verdict
from transformer_course.grading.judging.judge import grade
from transformer_course.grading.sandbox.supervisor import Supervisor
from transformer_course.grading.submissions.notebook_file import Cell

RIGHT = "a right answer"  # the name of one begins so
for module in (transformer_course.exercises, in_torch, right_answers, torch_answers, torch_modules):
    cloudpickle.register_pickle_by_value(module)
copyreg.pickle(type(functools.cache(len)), lambda cached: (functools.cache, (cached.__wrapped__,)))  # else by its name alone


def raises(error):
    def answer(*arguments):
        raise error

    return answer


FUNCTIONS = [
    raises(ValueError("two\nlines")), raises(RuntimeError("x" * 5000)), raises(SystemExit(3)), raises(NotImplementedError),
    raises(IndexError()), lambda: 0, lambda *a: None, lambda *a: a, lambda *a: "text", lambda *a: {"a": a[0]}, lambda *a: ...,
    lambda *a: np.zeros((0, 3)), lambda *a: np.float32("nan"), lambda *a: [[1.0], [1.0, 2.0]], lambda *a: 10**400,
    lambda *a: np.zeros(3, complex), lambda *a: np.array([object()]), lambda *a: torch.ones(2, 3, requires_grad=True),
    lambda *a: torch.ones(2, dtype=torch.bfloat16), lambda *a: np.zeros(2**20 + 1), lambda *a: True, lambda *a: 1 / 0,
    lambda *a: a[0].dim(), lambda *a: (a[0], a[0]), 3, "text", None, ..., [1, 2],
]  # fmt: skip
VALUES = [
    None, ..., True, 3, 3.5, float("nan"), 10**400, "text", "B", b"bytes", 1j, [], [[]], [1, [2, 3]], [1.0, "B"], ["A", "B"],
    {"claim": "a"}, {"claim": ..., "reason": ..., "value": ...}, {1: 2}, {3, 4}, (1.0, 2.0), np.zeros((2, 3)),
    np.float32(0.5), np.zeros((0, 2)), np.zeros(20_000), np.ones(3, bool), torch.ones(3), [torch.ones(2), np.ones(2)],
    [np.eye(3), np.eye(3)], lambda: 3, object(), [{"model": "LSTM"}], "x" * 10_000,
    {"claim": "a", "value": ...}, [0.5, ..., 2], [..., 1.0], np.array([1, ...]),
]  # fmt: skip


def drawn_answers(exercise: Exercise) -> list[tuple[str, object]]:
    """Return two right answers, five wrong ones and five odd ones, by their names."""
    odd = {f"odd {number}": answer for number, answer in enumerate(FUNCTIONS if exercise.is_function else VALUES)}
    wrong = {name: answer for name, _, answer in torch_modules.spellings(exercise)}
    dice = sampling.dice("agreement", exercise.id)
    right = {f"{RIGHT}, {name}": answer for name, answer in right_answers.right_answers(exercise).items()}
    kinds = ((2, right), (5, wrong), (5, odd))
    return [pair for count, answers in kinds for pair in dice.sample([*answers.items()], min(count, len(answers)))]


def cell(exercise: Exercise, answer) -> Cell:
    pickled = base64.b64encode(cloudpickle.dumps(answer)).decode()
    return Cell(
        f"import base64, cloudpickle\n{exercise.answer_name} = cloudpickle.loads(base64.b64decode({pickled!r}))",
        exercise.id,
        (),
    )


def comparable(verdict: Verdict) -> Verdict:
    """Remove what only the notebook shows: the comparison, and the line of code that raised, with the hint it leads to."""
    hint = "" if verdict.hint.startswith("That is your own `raise`") else verdict.hint
    return replace(verdict, message=re.sub(r" \(in `.*`\)", "", verdict.message), hint=hint, comparison=None)


def disagreements(given: Sequence[tuple[Exercise, str, object]], seed: int, supervisor: Supervisor) -> list[str]:
    """Grade a notebook with these answers, and say where the check comes to other verdicts."""
    cells = [cell(exercise, answer) for exercise, _, answer in given]
    graded = grade(cells, [exercise for exercise, _, _ in given], seed, supervisor, PATIENT)
    assert not graded.notes, graded.notes
    pairs = ((verdict(exercise, answer, seed), graded.verdicts[exercise.id]) for exercise, _, answer in given)
    return [
        f"{exercise.id}, {name}, seed {seed}:\n  check: {checked}\n  grade: {seen}"
        for (exercise, name, _), (checked, seen) in zip(given, pairs, strict=True)
        if seen is None or comparable(seen) != comparable(checked) or (name.startswith(RIGHT) and not seen.passed)
    ]


@pytest.mark.parametrize("which", ["right", "wrong", "odd"])
def test_check_and_grade_agree_on_an_answer_of_each_kind(which, supervisor: Supervisor):
    """Of the last exercise of each kind, so that no two answers have the same name."""
    given = []
    for exercise in OF_EACH_KIND:
        wrong = ((name, answer) for name, _, answer in torch_modules.spellings(exercise))
        odd = (lambda *arguments: np.zeros((0, 3))) if exercise.is_function else [1, [2, 3]]
        named = {"right": (RIGHT, solved(exercise)), "wrong": next(wrong, ("no", lambda f: True)), "odd": ("odd", odd)}
        given.append((exercise, *named[which]))
    assert len({exercise.answer_name for exercise, *_ in given}) == len(given)
    disagree = disagreements(given, 11, supervisor)
    assert not disagree, "\n".join(disagree)


@pytest.mark.slow
@pytest.mark.parametrize("sheet", by_lesson())
def test_check_and_grade_agree_on_drawn_answers(sheet: str, supervisor: Supervisor):
    (seed,) = sampling.seeds(1, "agreement", sheet)
    exercises = by_lesson()[sheet]
    for row in itertools.zip_longest(*map(drawn_answers, exercises)):
        given = [(exercise, *pair) for exercise, pair in zip(exercises, row, strict=True) if pair is not None]
        disagree = disagreements(given, seed, supervisor)
        assert not disagree, "\n".join(disagree)
