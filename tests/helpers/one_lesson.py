"""Which tests are about one lesson or one stage of the Build: those of `make test LESSON=04`."""

from pathlib import Path

import pytest

from transformer_course.exercises.catalogue import by_lesson
from transformer_course.exercises.exercise import Exercise
from transformer_course.exercises.question import Question


def is_about(item: pytest.Item, lesson: str) -> bool:
    """Whether the test's notebook, its file or one of its parameters belongs to the lesson."""
    if item.path.stem.removeprefix("test_sheet_").startswith(lesson):
        return True
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return any(_belongs(value, lesson) for value in parameters)


def _belongs(value: object, lesson: str) -> bool:
    if isinstance(value, Path):
        return value.stem.startswith(lesson)
    if isinstance(value, Exercise):
        return value in by_lesson().get(lesson, ())
    if isinstance(value, Question):
        return value.id.startswith(f"{lesson}.")
    return value == lesson
