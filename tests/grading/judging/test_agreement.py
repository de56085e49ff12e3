"""A notebook's check and the grading of a class reach the same verdict on every answer in the catalogues.

Each answer goes through the real sandbox. It is pickled by value into a cell, because most answers exist only as functions.
The k-th answers to all exercises of a sheet make one notebook. With the same seed, the check asks the same questions.
"""

import base64
import itertools
import re
from dataclasses import replace

import cloudpickle
import numpy as np
import pytest
import torch
import torch_modules
from examining import solved, verdict
from grading_a_class import PATIENT

import transformer_course.exercises
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.exercises.exercise import Exercise, Verdict
from transformer_course.grading.judging.judge import grade
from transformer_course.grading.sandbox.bubblewrap import Bubblewrap
from transformer_course.grading.sandbox.supervisor import Sandbox, Supervisor
from transformer_course.grading.submissions.notebook_file import Cell

pytestmark = pytest.mark.slow

SEED = 11
cloudpickle.register_pickle_by_value(transformer_course.exercises)
cloudpickle.register_pickle_by_value(torch_modules)


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


def answers(exercise: Exercise) -> list[tuple[str, object]]:
    """Return named answers to an exercise: right ones of every style, every mistake, and odd ones."""
    right = [
        solved(exercise),
        *([exercise.reference] if exercise.kind == "implement" and _accepts_arrays(exercise) else []),
        *getattr(exercise, "alternatives", ()),
    ]
    wrong = [
        (m.name, torch_modules.as_answer(exercise, spelling))
        for m in exercise.mistakes
        for spelling in (m.answer, *m.variants)
        if spelling is not None
    ]
    odd = FUNCTIONS if exercise.is_function else VALUES
    return [("right", answer) for answer in right] + wrong + [(f"odd {n}", answer) for n, answer in enumerate(odd)]


def _accepts_arrays(exercise: Exercise) -> bool:
    return not exercise.differentiable and exercise.backends() != ("ids",)  # whose results must be tensors


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


@pytest.fixture(scope="module")
def supervisor(needs_sandbox):
    with Sandbox(Bubblewrap.start()) as sandbox:
        sandbox.ready()
        with sandbox.supervisor() as supervisor:
            yield supervisor


@pytest.mark.parametrize("sheet", by_lesson())
def test_check_and_grade_agree_on_every_answer(sheet: str, supervisor: Supervisor):
    exercises = by_lesson()[sheet]
    disagree, passed = [], 0
    for row in itertools.zip_longest(*map(answers, exercises)):
        given = [(exercise, *pair) for exercise, pair in zip(exercises, row, strict=True) if pair is not None]
        cells = [cell(exercise, answer) for exercise, _, answer in given]
        graded = grade(cells, [exercise for exercise, _, _ in given], SEED, supervisor, PATIENT)
        assert not graded.notes, graded.notes
        for exercise, name, answer in given:
            checked, seen = verdict(exercise, answer, SEED), graded.verdicts[exercise.id]
            passed += name == "right" and seen is not None and seen.passed
            if seen is None or comparable(seen) != comparable(checked):
                disagree.append(f"{exercise.id}, {name}:\n  check: {checked}\n  grade: {seen}")
    assert not disagree, "\n".join(disagree)
    assert passed == sum(name == "right" for exercise in exercises for name, _ in answers(exercise))
