"""All exercises and questions of the course.

A module or folder ``lesson_NN_topic``, or ``build_N_topic`` for a stage of the Build, is registered by being there; so is a
file ``questions.md`` beside the source of a lesson or stage.
"""

import difflib
import functools
import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType

from transformer_course import course
from transformer_course.course import Source, SourceError
from transformer_course.course.question import Question

from .exercise import Exercise


@functools.cache
def _modules() -> list[ModuleType]:
    """Every module of every lesson and stage: the stages first, then the lessons in their order."""
    package = importlib.import_module(__package__)
    found = (module.name for module in pkgutil.iter_modules(package.__path__))
    names = sorted(name for name in found if name.startswith(("lesson_", "build_")))
    return [module for name in names for module in _within(importlib.import_module(f"{__package__}.{name}"))]


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


def in_sheet_order(exercises: Mapping[str, Exercise], sources: Iterable[Source]) -> dict[str, list[Exercise]]:
    """The exercises of each source ("02") in the order of its cells. Every exercise needs a cell, every cell an exercise."""
    lessons: dict[str, list[Exercise]] = {}
    for source in sources:
        for name in source.exercise_ids:
            if name not in exercises:
                raise SourceError(f"{source.file} has a cell for {name!r}, but no lesson defines it")
            lessons.setdefault(source.number, []).append(exercises[name])
    if without_cell := set(exercises) - {exercise.id for sheet in lessons.values() for exercise in sheet}:
        first = min(without_cell)
        raise SourceError(f'no sheet has a cell for {first!r}; add one with exercise="{first}"')
    return lessons


@functools.cache
def by_lesson() -> dict[str, list[Exercise]]:
    """The exercises of each lesson ("02") and stage of the Build ("B1"), in the order of the sheet or stage.

    Lessons without exercises are left out. Lesson 00 has its exercise in itself.
    """
    return in_sheet_order(collected(_modules()), course.sources())


@functools.cache
def catalogue() -> dict[str, Exercise]:
    """Every exercise by its id, in the order of the lessons."""
    return {exercise.id: exercise for exercises in by_lesson().values() for exercise in exercises}


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
