"""All exercises and predictions of the course, collected from the modules ``lesson_NN``."""

import difflib
import functools
import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from transformer_course._util import headings, paths

from .exercise import Exercise


@dataclass(frozen=True)
class Prediction:
    """What a learner guesses before running a cell: the choices, each with the reply to whoever chose it."""

    id: str
    right: str
    replies: Mapping[str, str]


@functools.cache
def _lessons() -> dict[str, object]:
    package = importlib.import_module(__package__)
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.name.startswith("lesson_"))
    return {name.removeprefix("lesson_")[:2]: importlib.import_module(f"{__package__}.{name}") for name in names}


def by_lesson() -> dict[str, list[Exercise]]:
    """The exercises of each lesson that has some ("02"), in their order."""
    return {name: lesson.EXERCISES for name, lesson in _lessons().items() if lesson.EXERCISES}


@functools.cache
def catalogue() -> dict[str, Exercise]:
    """Every exercise by its id, in the order of the lessons."""
    return {exercise.id: exercise for exercises in by_lesson().values() for exercise in exercises}


@functools.cache
def predictions() -> dict[str, Prediction]:
    """Every prediction by its id, in the order of the lessons."""
    return {p.id: p for lesson in _lessons().values() for p in lesson.PREDICTIONS}


@functools.cache
def exercise_titles(sheet: str) -> dict[str, str]:
    """The heading of each exercise in a sheet ("02"), by its id: "Other numbers". Lesson 00 has its exercise in itself."""
    sources = [*paths.sources("exercises"), *paths.sources("notebooks")]
    return headings.exercise_titles(next(source for source in sources if source.stem.startswith(sheet)))


def unknown(what: str, name: object, known: Iterable[str]) -> str:
    """What to say about a name that is in no catalogue."""
    (nearest,) = difflib.get_close_matches(str(name), known, n=1, cutoff=0.0)
    return f"There is no {what} {str(name)[:80]!r}. The nearest name is `{nearest}`."
