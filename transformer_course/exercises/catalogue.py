"""All exercises and questions of the course.

A module or folder ``lesson_NN_topic``, or ``build_N_topic`` for a stage of the Build, is registered by being there; so is a
file ``questions.md`` beside the source of a lesson or stage.
"""

import difflib
import functools
import importlib
import itertools
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

from transformer_course import course
from transformer_course.course import Source, SourceError
from transformer_course.course.question import Question

from .exercise import Exercise


def _modules(number: str) -> Iterator[ModuleType]:
    """Every module of the lesson ("02") or stage ("B1") with this number, whose name begins with lesson_02_ or build_1_."""
    prefix = f"build_{number[1:]}_" if number.startswith("B") else f"lesson_{number}_"
    package = importlib.import_module(__package__)
    for name in sorted(module.name for module in pkgutil.iter_modules(package.__path__)):
        if name.startswith(prefix):
            yield from _within(importlib.import_module(f"{__package__}.{name}"))


def _within(lesson: ModuleType) -> Iterator[ModuleType]:
    yield lesson
    for module in pkgutil.iter_modules(getattr(lesson, "__path__", [])):
        yield importlib.import_module(f"{lesson.__name__}.{module.name}")


def collected(modules: Iterable[ModuleType]) -> dict[str, Exercise]:
    """The exercises that modules define, by their ids. Several modules may import the same exercise."""
    found: dict[str, Exercise] = {}
    for exercise in (value for module in modules for value in vars(module).values() if isinstance(value, Exercise)):
        if found.setdefault(exercise.id, exercise) is not exercise:
            raise SourceError(f"two exercises have the id {exercise.id!r}; give one of them another id")
    return found


def ids_in(sources: Iterable[Source]) -> dict[str, list[str]]:
    """The ids of the exercises of each source ("02") in the order of its cells. Those without exercises are left out."""
    lessons: dict[str, list[str]] = {}
    for source in sources:
        if names := source.exercise_ids:
            lessons.setdefault(source.number, []).extend(names)
    return lessons


def in_sheet_order(exercises: Mapping[str, Exercise], number: str, cells: Mapping[str, list[str]]) -> list[Exercise]:
    """The exercises of one lesson in the order of its cells. Every exercise needs a cell, every cell an exercise."""
    for name in cells[number]:
        if name not in exercises:
            raise SourceError(f"the sheet {number} has a cell for {name!r}, but no module of this sheet defines it")
    if without_cell := set(exercises).difference(*cells.values()):
        first = min(without_cell)
        raise SourceError(f'no sheet has a cell for {first!r}; add one with exercise="{first}"')
    return [exercises[name] for name in cells[number]]


class _WhenAsked(Mapping):
    """A mapping whose values are loaded when they are first asked for: a first check waits for its own sheet alone."""

    def __init__(self, keys: Iterable[str], load: Callable[[str], Any]):
        self._keys, self._load = dict.fromkeys(keys), functools.cache(load)

    def __getitem__(self, key: str) -> Any:
        if key not in self._keys:
            raise KeyError(key)
        return self._load(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


@functools.cache
def ids() -> dict[str, list[str]]:
    """The ids of the exercises of each lesson and stage, which are known before any of them is loaded."""
    return ids_in(course.sources())


@functools.cache
def by_lesson() -> Mapping[str, list[Exercise]]:
    """The exercises of each lesson ("02") and stage of the Build ("B1"), in the order of the sheet or stage.

    Lessons without exercises are left out. Lesson 00 has its exercise in itself.
    """
    return _WhenAsked(ids(), lambda number: in_sheet_order(collected(_modules(number)), number, ids()))


@functools.cache
def catalogue() -> Mapping[str, Exercise]:
    """Every exercise by its id, in the order of the lessons."""
    names = itertools.chain(*ids().values())
    return _WhenAsked(names, lambda name: next(each for each in by_lesson()[home(name)] if each.id == name))


def home(exercise_id: str) -> str:
    """The lesson ("02") or stage ("B1") of an exercise."""
    return next(number for number, names in ids().items() if exercise_id in names)


@functools.cache
def questions() -> dict[str, Question]:
    """Every question by its id, in the order of the lessons."""
    return {question.id: question for lesson in course.lessons() for question in lesson.questions}


@functools.cache
def question_groups() -> dict[str, list[Question]]:
    """What ``ask`` shows, by what it is called with: "02.recall" for all questions with ids such as "02.recall.exp"."""
    groups: dict[str, list[Question]] = {}
    for question in questions().values():
        group, _, _ = question.id.rpartition(".")
        if "." in group:  # else it is a prediction
            groups.setdefault(group, []).append(question)
    return groups


def exercise_titles(sheet: str) -> dict[str, str]:
    """The title of each exercise in a sheet ("02"), by its id: "Other numbers". Lesson 00 has its exercise in itself."""
    return {exercise.id: exercise.title for exercise in _of_sheet(sheet)}


def exercise_minutes(sheet: str) -> dict[str, int]:
    """How many minutes each exercise in a sheet takes, by its id."""
    return {exercise.id: exercise.minutes for exercise in _of_sheet(sheet)}


def core(sheet: str) -> list[str]:
    """The ids of the exercises in the core of a sheet, in order; of a stage, all of them."""
    return [exercise.id for exercise in _of_sheet(sheet) if exercise.core]


@functools.cache
def _of_sheet(number: str) -> list[course.Exercise]:
    sources = (*course.sheets_and_stages(), *course.lessons())
    return next(source.exercises for source in sources if source.number == number)


def unknown(what: str, name: object, known: Iterable[str]) -> str:
    """A message about a name that is in no catalogue."""
    (nearest,) = difflib.get_close_matches(str(name), known, n=1, cutoff=0.0)
    return f"There is no {what} {str(name)[:80]!r}. The nearest name is `{nearest}`."
