"""Which path through the course a learner follows: the one that was chosen, or else the default.

The choice is kept in the record of the learner's folder; outside a learner's folder, in such a record beside the passes.
"""

import contextlib
from pathlib import Path

from transformer_course import course
from transformer_course._util import paths
from transformer_course._util.folder_record import ONLY, read_record, update_record
from transformer_course.course import LearningPath

from . import passes, workshop_folder

PATH = "path"  # a key of the record: the id of the chosen path
WHOLE = "everything"  # the id of the path that is the whole course
PLANNED = "This folder follows the plan of your workshop, so it has no path to choose."


class CannotChoose(Exception):
    """The path cannot be chosen; the message says why and what to try."""


def whole_course() -> LearningPath:
    """Return the path that is the whole course."""
    return next(path for path in course.learning_paths() if path.id == WHOLE)


def chosen(start: Path = Path()) -> LearningPath | None:
    """Return the path that has been chosen in the folder that contains ``start``; None if none has, or in a workshop's."""
    if workshop_folder.lessons_and_exercises(start):
        return None
    name = _record(start).get(PATH)
    return next((path for path in course.learning_paths() if path.id == name), None)


def followed(start: Path = Path()) -> LearningPath | None:
    """Return the path that is followed in the folder that contains ``start``; None in a workshop's folder, which has a plan.

    Until one is chosen, it is the default. But who was handed only some lessons, or has passed exercises of lessons that the
    default leaves out, follows the whole course.
    """
    if workshop_folder.lessons_and_exercises(start):
        return None
    if path := chosen(start):
        return path
    default = course.learning_paths()[0]
    numbers = {step.number for step in default.steps}
    others = {each.id for source in course.sources() if source.number not in numbers for each in source.exercises}
    return whole_course() if _has_a_part(start) or not others.isdisjoint(passes.passed(start)) else default


def known_lessons(number: str, start: Path = Path()) -> frozenset[str] | None:
    """Return the lessons to which recall in lesson ``number`` may look back: the workshop's, or those before it on a path."""
    lessons, _ = workshop_folder.lessons_and_exercises(start) or (None, None)
    path = chosen(start)
    return frozenset(lessons) if lessons is not None else path.lessons_before(number) if path else None


def choose(name: str, start: Path = Path()) -> LearningPath:
    """Choose a path, by its id or its title, for the folder that contains ``start``. Raises CannotChoose."""
    if workshop_folder.lessons_and_exercises(start):
        raise CannotChoose(PLANNED)
    known = {path.id: path for path in course.learning_paths()}
    name = next((path.id for path in known.values() if path.title.lower() == str(name).lower()), name)
    if name not in known:
        raise CannotChoose(f"There is no path {name!r:.80}. Choose from: {', '.join(known)}.")
    folder = passes.file(start).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        update_record(folder, PATH, name)
    except OSError as error:
        reason = error.strerror or error
        raise CannotChoose(f"Your path could not be saved ({reason}): make {folder} writable, then try again.") from None
    return known[name]


def keep(start: Path) -> None:
    """Make the path that a learner's folder follows the chosen one, so that passing something else does not change it."""
    path = followed(start)
    if path and not _has_a_part(start):
        with contextlib.suppress(CannotChoose):
            choose(path.id, start)


def _record(start: Path) -> dict:
    return read_record(passes.file(start).parent)


def _has_a_part(start: Path) -> bool:
    """Whether ``start`` is in a folder that was handed out with only some lessons."""
    folder = paths.course_folder(start)
    return folder is not None and ONLY in read_record(folder)
