"""How tests ask an exercise for its verdict on an answer."""

import numpy as np
import pytest
import torch

from transformer_course.exercises import catalogue, check, solutions
from transformer_course.exercises.exercise import Exercise, Verdict, examine
from transformer_course.runner.outcome import record
from transformer_course.runner.run import respond

EXERCISES = list(catalogue().values())
SOFTMAX = "attention.softmax"
SEEDS = range(8)  # a grader draws its own seed, so every seed must tell the mistakes apart


def of(*kinds: type) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("exercise", [e for e in EXERCISES if isinstance(e, kinds)], ids=lambda e: e.id)


def verdict(exercise: Exercise, answer, seed: int = 0) -> Verdict:
    def ask(backend, questions, oracle):
        return respond(answer, questions, backend, oracle) if exercise.is_function else [record(answer)]

    return examine(exercise, ask, seed)


def card_text(answer, name: str = SOFTMAX) -> str:
    """What the card of a wrong answer says, with what unfolds below it."""
    card = check(name, answer)
    assert not card
    return "\n".join([repr(card), *(fold.text for fold in card.folds)])


def solved(exercise: Exercise):
    """Return the answer in the solved sheet. Classes of the Build use those of earlier stages."""
    cell = {"np": np, "torch": torch, "nn": torch.nn, "F": torch.nn.functional}
    earlier = [each for each in EXERCISES if each.id.startswith("build.")] if exercise.id.startswith("build.") else []
    for each in [*earlier[: earlier.index(exercise) if earlier else 0], exercise]:
        exec(solutions.solution_of(each.id), cell)
    return cell[exercise.answer_name]
