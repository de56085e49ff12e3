"""Which exercises this learner has passed, stored in the learner's folder."""

import contextlib
import errno
import itertools
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import platformdirs

from transformer_course import course
from transformer_course._util import paths
from transformer_course._util.files import parse_json, read_bounded, write_whole
from transformer_course.course import Source, Stage

from . import workshop_folder
from .catalogue import by_lesson, catalogue, exercise_titles

FILE = ".transformer-course-progress.json"


def file(start: Path = Path()) -> Path:
    """The file that stores passes: it is in the learner's folder that contains ``start``.

    The environment variable TRANSFORMER_COURSE_HOME sets another folder. Outside a learner's folder, the account has one file.
    """
    if home := os.environ.get("TRANSFORMER_COURSE_HOME"):
        return Path(home) / "progress.json"
    folder = paths.course_folder(start)
    return folder / FILE if folder else _account_file()


def _account_file() -> Path:
    return Path(platformdirs.user_data_dir("transformer-course", appauthor=False)) / "progress.json"


def passed(start: Path = Path()) -> dict[str, str]:
    """The ids of passed exercises, each with the time of its first pass. A file that cannot be read is treated as empty."""
    try:
        return _read(_file_to_read(start))
    except (OSError, ValueError):
        return {}


def damage(start: Path = Path()) -> str:
    """One sentence for the learner if the file is damaged or cannot be read; otherwise empty."""
    path = _file_to_read(start)
    try:
        _read(path)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"{path} cannot be read ({error.strerror}), so no passes are counted: make it readable, or rename it."
    except ValueError:
        return (
            f"{path} is damaged, so the passes in it are not counted: restore it from a backup, or run the checks of your "
            "sheets again. The damaged file is then kept under a different name."
        )
    return ""


def _file_to_read(start: Path) -> Path:
    """Until a folder has its own file, its passes are those of the account, where older versions of the course stored them."""
    path = file(start)
    return path if path.name != FILE or path.exists() else _account_file()


def _read(path: Path) -> dict[str, str]:
    """Read passes. Raises OSError if there is no file, or if it may not be read, and ValueError if it is damaged."""
    try:
        kept = parse_json(read_bounded(path))
        return {str(name): str(time) for name, time in kept["passed"].items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("no passes") from error


def remember(exercise_id: str) -> str:
    """Record a pass. Returns an empty string, or one sentence for the learner about what went wrong."""
    kept, path = passed(), file()
    if exercise_id in kept:
        return ""
    try:
        sentence = "" if kept or not path.exists() else _set_aside(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        kept[exercise_id] = datetime.now().isoformat(timespec="seconds")
        write_whole(path, (json.dumps({"passed": kept}, indent=1) + "\n").encode())
    except OSError as error:
        advice = f"make {path} and its folder writable"
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            advice = f"make room on the disk of {path}"
        if isinstance(error, FileExistsError | NotADirectoryError):
            advice = f"{path.parent} has to be a folder; rename what is there"
        return f"This pass could not be saved ({error.strerror or error}): {advice}, then run this check again."
    return sentence


def _set_aside(path: Path) -> str:
    """Rename a damaged file, so that nothing is lost."""
    with contextlib.suppress(ValueError):
        if _read(path) == {}:
            return ""
    names = (path.with_name(f"{path.stem}.damaged{number or ''}.json") for number in itertools.count())
    aside = next(name for name in names if not name.exists())
    os.replace(path, aside)
    return f"Your earlier passes could not be read; the damaged file is now {aside}. Run those checks again to restore them."


def my_progress(start: Path = Path()) -> dict[str, list[bool]]:
    """For each lesson and each stage of the Build, by its name: whether each of its exercises has been passed in this folder.

    A stage comes after the last lesson that it needs. In a workshop's folder, there are only the workshop's exercises.
    """
    rows = _results(sorted([*course.lessons(), *course.stages()], key=_place), start)
    lessons, _ = workshop_folder.lessons_and_exercises(start) or (None, None)
    return {
        source.short_title: [*results.values()]
        for source, results in rows.items()
        if lessons is None or results or source.number in lessons
    }


def _place(source: Source) -> tuple[str, str]:
    """A sort key that puts a stage after the last lesson that it needs."""
    return (source.lessons[-1] if isinstance(source, Stage) else source.number), source.number


def _results(sources: Sequence[Source], start: Path) -> dict[Source, dict[str, bool]]:
    """For each source, whether each of its exercises has been passed, by the exercise's id."""
    kept, exercises = passed(start), by_lesson()
    _, asked = workshop_folder.lessons_and_exercises(start) or (None, {*catalogue()})
    return {
        source: {each.id: each.id in kept for each in exercises.get(source.number, []) if each.id in asked}
        for source in sources
    }


def count(start: Path = Path()) -> str:
    """How many exercises have been passed in this folder, as a sentence."""
    rows = my_progress(start).values()
    return f"{sum(map(sum, rows))} of {sum(map(len, rows))} exercises passed."


@dataclass(frozen=True, repr=False)
class NextLesson:
    """Where to continue: its parts are the lesson, its sheet and the Build's stages after it, each with its path in the
    learner's folder."""

    name: str
    parts: dict[str, str]
    opens: str  # the path of the part to open: the sheet, once something in it has been passed
    standing: str  # how much of the sheet is passed, and which exercise is next; empty before it is begun
    earlier: int  # how many exercises of earlier lessons have not been passed

    def __repr__(self) -> str:
        lines = [f"Next: {self.name}", *(f"  {words}: {path}" for words, path in self.parts.items())]
        return "\n".join(lines + self._open())

    def _repr_markdown_(self) -> str:
        # A folder may contain only some lessons; a notebook's kernel runs in the folder of the notebook.
        parts = (f"[{words}](../{path})" if Path("..", path).exists() else words for words, path in self.parts.items())
        return "  \n".join([f"Next: **{self.name}**, {', '.join(parts)}", *self._open()])

    def _open(self) -> list[str]:
        earlier = f"Exercises open in earlier lessons: {self.earlier}" if self.earlier else ""
        return [line for line in (self.standing, earlier) if line]


def next_lesson(folder: Path = Path("..")) -> NextLesson:
    """The last lesson in which something was passed, until all of it is; then the one after it.

    If ``folder`` contains only some lessons, it is one of these. A notebook's kernel runs in the folder of the notebook.
    """
    lessons = course.lessons()
    rows = list(_results(lessons, folder).values())
    available = [place for place, lesson in enumerate(lessons) if (folder / lesson.link).exists()]
    available = available or list(range(len(lessons)))
    here = max((place for place in available if any(rows[place].values())), default=available[0])
    if all(rows[here].values()):
        here = next((place for place in available if place > here), here)
    number = lessons[here].number
    sheets = [sheet for sheet in course.sheets() if sheet.number == number]
    parts = {
        f"{words} ({source.minutes} min)": source.link
        for words, source in zip(("lesson", "sheet"), (lessons[here], *sheets), strict=False)
    }
    opens = list(parts.values())
    ready = [stage for stage in course.stages() if stage.lessons[-1] == number]
    parts |= {f"Build it: {stage.short_title} ({stage.minutes} min)": stage.link for stage in ready}
    results = rows[here].values()
    begun, standing = any(results) and not all(results), ""
    if begun:
        first = next(name for name, is_passed in rows[here].items() if not is_passed)
        titles = exercise_titles(number)
        place = [*titles].index(first) + 1
        standing = f"{sum(results)} of {len(results)} exercises passed; open: {place} · {titles[first]}"
    earlier = sum([*rows[place].values()].count(False) for place in available if place < here)
    return NextLesson(lessons[here].short_title, parts, opens[-1 if begun else 0], standing, earlier)
