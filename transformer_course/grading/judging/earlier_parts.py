"""The course's own parts of the Build that a learner's process gets: those of the stages before the one that is graded."""

import functools
from collections.abc import Iterable

from transformer_course._util import paths
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.exercises.definitions import needs
from transformer_course.exercises.exercise import Exercise
from transformer_course.exercises.learner_parts import parts


def earlier_parts(exercises: Iterable[Exercise]) -> str:
    """Return the source of the parts of all stages before the first one that has one of these exercises; empty without one.

    So no solution of what is graded, or of what comes after it, is anywhere in the learner's process.
    """
    asked, build = {exercise.id for exercise in exercises}, {*parts().values()}
    stages = [build & {exercise.id for exercise in stage} for stage in by_lesson().values()]
    first = next((number for number, stage in enumerate(stages) if stage & asked), 0)
    earlier = set().union(*stages[:first])
    return _source(tuple(name for name, exercise in parts().items() if exercise in earlier))


@functools.cache
def _source(names: tuple[str, ...]) -> str:
    """Return the source of these parts and of all that they use, in the order of the file."""
    if not names:
        return ""
    file = (paths.PACKAGE / "build_parts.py").read_text(encoding="utf-8")
    *found, _ = (wanted := needs("_all", [file, f"_all = {', '.join(names)},"])).definitions
    found.sort(key=lambda each: each.first)
    return "\n\n\n".join(["\n".join(wanted.imports.values()), *(each.code for each in found)])
