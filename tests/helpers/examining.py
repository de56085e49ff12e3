"""How tests ask an exercise for its verdict on an answer."""

import pytest

from transformer_course import course
from transformer_course.authoring.build import notebook_of
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


def told(name: str, answer, seed: int = 0) -> str:
    """What a learner reads about a wrong answer, as the snapshots keep it: the mistake's name, the message and the hint."""
    seen = verdict(catalogue()[name], answer, seed)
    assert not seen.passed
    return f"{seen.mistake or seen.reason}: {seen.message}" + (f"\n→ {seen.hint}" if seen.hint else "")


def card_text(answer, name: str = SOFTMAX) -> str:
    """What the card of a wrong answer says, with what unfolds below it."""
    card = check(name, answer)
    assert not card
    return "\n".join([repr(card), *(fold.text for fold in card.folds)])


def cells_of(number: str) -> list[str]:
    """The cells of a sheet as learners get them."""
    return [cell.source for cell in notebook_of(course.sheet(number)).cells]


def lettered_rows(text: str) -> dict[str, list[str]]:
    """The rows of a sheet's table by their letters, each without its own."""
    return {line[4]: [part.strip() for part in line.split("|")[2:-1]] for line in text.splitlines() if line.startswith("| **")}


def solution_code(exercise: Exercise) -> str:
    """Return code that defines the answer in the solved sheet. Classes of the Build use those of earlier stages."""
    if not exercise.id.startswith("build."):
        return f"import numpy as np\n{solutions.solution_of(exercise.id)}"
    stages = [each for each in EXERCISES if each.id.startswith("build.")]
    needed = stages[: stages.index(exercise) + 1]
    imports = "import functools, json, math, re\nfrom collections import Counter\nimport torch\n"
    imports += "from torch import nn\nfrom torch.nn import functional as F"
    return "\n\n".join([imports, *(solutions.solution_of(each.id) for each in needed)])


def solved(exercise: Exercise):
    cell: dict = {}
    exec(solution_code(exercise), cell)
    return cell[exercise.answer_name]
