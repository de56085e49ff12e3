"""The course as plain objects: its lessons, sheets and stages, read from their sources, in order.

What a source says of itself is written in its cells' first lines, in the ids of its headings and in comments (``source.py``).
Nothing else reads its prose.
"""

import itertools

from transformer_course._util import paths

from .exercise import Exercise as Exercise
from .learning_path import FILE as PATHS
from .learning_path import LearningPath
from .learning_path import read as read_paths
from .lesson import Lesson, Sheet, Source, Stage
from .source import SourceError


def lessons() -> list[Lesson]:
    """Return all lessons. Raises SourceError if two have the same number."""
    return _distinct([Lesson(path) for path in (paths.ROOT / "notebooks" / "source").glob("[0-9][0-9]_*/lesson.py")])


def sheets() -> list[Sheet]:
    """Return all sheets. Raises SourceError if two have the same number."""
    return _distinct([Sheet(path) for path in (paths.ROOT / "exercises" / "source").glob("[0-9][0-9]_*.py")])


def stages() -> list[Stage]:
    """Return the Build's stages. Raises SourceError if two have the same number."""
    return _distinct([Stage(path) for path in (paths.ROOT / "exercises" / "source").glob("B[0-9]*_*.py")])


def sheets_and_stages() -> list[Sheet | Stage]:
    """Return all that has exercises to hand in."""
    return [*sheets(), *stages()]


def after_the_build() -> list[Stage]:
    """Return the notebooks that follow the stages: GPT-2's, which has no graded exercises."""
    return [Stage(path) for path in sorted((paths.ROOT / "exercises" / "source").glob("GPT2_*.py"))]


def sources() -> list[Source]:
    """Return everything: lessons, sheets, stages, and what follows the Build."""
    return [*lessons(), *sheets_and_stages(), *after_the_build()]


def stages_of(lesson: Lesson) -> list[Stage]:
    """Return the stages that build on a lesson."""
    return [stage for stage in stages() if lesson.number in stage.lessons]


def builders() -> dict[str, list[tuple[Sheet | Stage, Exercise]]]:
    """Return the exercises in which one writes each part of the model, with their sheets and stages."""
    found: dict[str, list[tuple[Sheet | Stage, Exercise]]] = {}
    for source in sheets_and_stages():
        for exercise in source.exercises:
            for part in exercise.builds:
                found.setdefault(part, []).append((source, exercise))
    return found


def learning_paths() -> list[LearningPath]:
    """Return the paths through the course, the default first. Raises SourceError if their file cannot be used."""
    return read_paths((paths.ROOT / PATHS).read_text(encoding="utf-8"), sources())


def lesson(number: str) -> Lesson:
    """Return the lesson with this number, such as "04". Raises LookupError if there is none."""
    return _numbered(number, lessons())


def sheet(number: str) -> Sheet | Stage:
    """Return the sheet, or the stage, with this number, such as "04" or "B2". Raises LookupError if there is none."""
    return _numbered(number, sheets_and_stages())


def stage(number: str) -> Stage:
    """Return the stage with this number, such as "B2". Raises LookupError if there is none."""
    return _numbered(number, stages())


def _numbered(number, among):
    for source in among:
        if source.number == number:
            return source
    raise LookupError(f"there is no {number!r}; there are {', '.join(source.number for source in among)}")


def _distinct(found: list) -> list:
    """Return sources in the order of their numbers, B10 after B9."""
    found.sort(key=lambda source: (source.number[:1] == "B", int(source.number.lstrip("B")), source.name))
    for one, other in itertools.pairwise(found):
        if one.number == other.number:
            raise SourceError(f"{one.file} and {other.file} have the same number; give one of them another")
    return found
