"""How far a learner has come on the path, and what comes next."""

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from transformer_course import course
from transformer_course._util import paths
from transformer_course._util.folder_record import read_record, update_record
from transformer_course.course import Lesson, Sheet, Source, Stage

from . import learner_path, passes, workshop_folder

READ = "read"  # a key of the folder's record: the numbers of the lessons whose exit questions were shown
MOST = 4  # steps that are named at once: a lesson that asks for nothing is followed by others


class Row(list[bool]):
    """Whether each exercise of a sheet's core, or of a stage, has been passed; ``practice`` counts what was passed besides."""

    practice = 0


def rows(start: Path = Path()) -> dict[str, Row]:
    """For each lesson and each stage on the path, by its name: whether each of its exercises has been passed in this folder.

    Of a sheet, these are the exercises of its core. What was passed of its practice is counted besides. Below them are lessons
    and stages that the path leaves out, if something in them has been passed. A lesson's sheet that the path leaves out counts
    in the same way. In a workshop's folder, there are only the workshop's exercises.
    """
    steps = steps_of(start)
    others = [step for step in learner_path.whole_course().steps if step not in steps and _is_begun(step, start)]
    found: dict[str, Row] = {}
    for step in (*steps, *others):
        row = found.setdefault(row_of(step), Row())
        row.extend(_results(step, start).values())
        row.practice += _practice(step, start)
    return found


def rows_in_words(start: Path = Path()) -> dict[str, str]:
    """The same rows, with how many exercises have been passed, or whether a lesson without any has been read."""
    numbers = lessons_read(start)
    read = {lesson.short_title for lesson in course.lessons() if lesson.number in numbers}
    return {
        name: f"{sum(each)} of {len(each)}{_besides(each.practice)}" if each else "read" if name in read else "to read"
        for name, each in rows(start).items()
    }


def count(start: Path = Path()) -> str:
    """How many exercises have been passed in this folder, in a sentence; on a path of lessons alone, also how many were
    read."""
    results, steps = rows(start).values(), steps_of(start)
    practice = _besides(sum(row.practice for row in results))
    exercises = f"{sum(map(sum, results))} of {sum(map(len, results))} exercises passed{practice}."
    if not all(isinstance(step, Lesson) for step in steps):
        return exercises
    read = lessons_read(start)
    return f"{sum(step.number in read for step in steps)} of {len(steps)} lessons read, {exercises}"


def _besides(practice: int) -> str:
    return f", and {practice} of practice" if practice else ""


def has_read(number: str, start: Path = Path()) -> None:
    """Remember in the folder's record that a lesson was read up to its exit questions, but not what was answered."""
    read = lessons_read(start)
    if number not in read and (folder := paths.course_folder(start)):
        with contextlib.suppress(OSError):
            update_record(folder, READ, sorted({*read, number}))


def lessons_read(start: Path = Path()) -> set[str]:
    """Return the numbers of the lessons that were read in this folder up to their exit questions."""
    folder = paths.course_folder(start)
    kept = read_record(folder).get(READ) if folder else None
    return {*map(str, kept)} if isinstance(kept, list) else set()


def left_out(start: Path = Path()) -> str:
    """What the path leaves out and ``rows`` does not show, in words; empty if it shows everything."""
    path = learner_path.followed(start)
    if path is None or path.id == learner_path.WHOLE:
        return ""
    everything = learner_path.whole_course().steps
    shown = rows(start)
    others = {row_of(step) for step in everything} - {*shown}
    total = sum(len(_results(step, start)) for step in everything) - sum(map(len, shown.values()))
    return (
        f"Not on your path, “{path.title}”: {len(others)} lessons and stages, {total} exercises.\n"
        "Other paths: transformer-course path"
    )


def steps_of(start: Path) -> list[Source]:
    """Return the steps of the path, or of a workshop's plan, in order."""
    if found := workshop_folder.lessons_and_exercises(start):
        lessons, asked = found
        steps = learner_path.whole_course().steps
        return [step for step in steps if step.number in lessons or any(each.id in asked for each in step.exercises)]
    return [*learner_path.followed(start).steps]


def _present(steps: Iterable[Source], folder: Path) -> list[Source]:
    """Return the steps whose notebooks a folder has; all steps if it has none of them."""
    here = paths.course_folder(folder) or folder
    return [step for step in steps if (here / step.link).exists()] or [*steps]


def row_of(step: Source) -> str:
    """A lesson and its sheet share a row."""
    return (course.lesson(step.number) if isinstance(step, Sheet) else step).short_title


def _results(step: Source, start: Path) -> dict[str, bool]:
    """Whether each exercise of a step's core has been passed, by its id. In a workshop's folder, the plan says which count."""
    kept = passes.passed(start)
    _, asked = workshop_folder.lessons_and_exercises(start) or (None, None)
    return {each.id: each.id in kept for each in step.exercises if (each.core if asked is None else each.id in asked)}


def _practice(step: Source, start: Path) -> int:
    """How many exercises of a step's practice have been passed; in a workshop's folder, these do not count."""
    if workshop_folder.lessons_and_exercises(start):
        return 0
    kept = passes.passed(start)
    return sum(not each.core and each.id in kept for each in step.exercises)


def _is_begun(step: Source, start: Path) -> bool:
    return any(_results(step, start).values()) or _practice(step, start) > 0


def _is_done(step: Source, start: Path) -> bool:
    """Whether all that it asks for is passed. A lesson is also done once it was read up to its exit questions; one without
    exercises was read if something in its sheet is passed."""
    if isinstance(step, Lesson) and step.number in lessons_read(start):
        return True
    results = _results(step, start)
    if results or not isinstance(step, Lesson):
        return bool(results) and all(results.values())
    return any(_is_begun(sheet, start) for sheet in course.sheets() if sheet.number == step.number)


@dataclass(frozen=True, repr=False)
class NextLesson:
    """Where to continue: its parts are the next lesson and what follows it, up to the next exercises, each with its path in
    the learner's folder."""

    name: str
    parts: dict[str, str]
    opens: str  # the path of the part to open: the sheet, once something in it has been passed
    standing: str  # how much of the sheet is passed, and which exercise is next; empty before it is begun
    earlier: int  # how many exercises of earlier lessons have not been passed

    def __repr__(self) -> str:
        lines = [f"Next: {self.name}", *(f"  {words}: {path}" for words, path in self.parts.items())]
        return "\n".join(lines + self.unfinished)

    def _repr_markdown_(self) -> str:
        # A folder may contain only some lessons; a notebook's kernel runs in the folder of the notebook.
        parts = (f"[{words}](../{path})" if Path("..", path).exists() else words for words, path in self.parts.items())
        return "  \n".join([f"Next: **{self.name}**, {', '.join(parts)}", *self.unfinished])

    @property
    def unfinished(self) -> list[str]:
        earlier = f"Exercises open in earlier lessons: {self.earlier}" if self.earlier else ""
        return [line for line in (self.standing, earlier) if line]


def next_lesson(folder: Path = Path("..")) -> NextLesson:
    """The last step of the path in which something was passed or read, until all of it is; then the one after it.

    If ``folder`` contains only some lessons, it is one of these. A notebook's kernel runs in the folder of the notebook.
    """
    steps = _present(steps_of(folder), folder)
    place = _reached(steps, folder)
    opens, standing = steps[place], _standing(steps[place], folder)
    earlier = [step for step in steps[:place] if not isinstance(step, Stage)]
    if isinstance(opens, Sheet) and place and steps[place - 1].number == opens.number:
        place -= 1
    together = steps[place : place + 1]
    for step in steps[place + 1 : place + MOST]:
        if isinstance(step, Lesson) and any(_results(each, folder) for each in together):
            break
        together.append(step)
    return NextLesson(
        row_of(together[0]),
        {_words(step, together[0]): step.link for step in together},
        opens.link,
        standing,
        sum([*_results(step, folder).values()].count(False) for step in earlier),
    )


def _reached(steps: list[Source], folder: Path) -> int:
    """The place of the step to go on with."""
    begun = [place for place, step in enumerate(steps) if _is_begun(step, folder) or _is_done(step, folder)]
    here = begun[-1] if begun else 0
    return here + 1 if _is_done(steps[here], folder) and here + 1 < len(steps) else here


def _standing(step: Source, folder: Path) -> str:
    results = _results(step, folder)
    if _is_done(step, folder) and all(results.values()):
        return "You have come to the end of your path. To see the others: transformer-course path"
    if not _is_begun(step, folder):
        return ""
    first = next(name for name, is_passed in results.items() if not is_passed)
    number, title = next((number, each.title) for number, each in enumerate(step.exercises, 1) if each.id == first)
    passed = f"{sum(results.values())} of {len(results)} exercises passed{_besides(_practice(step, folder))}"
    return f"{passed}; open: {number} · {title}"


def _words(step: Source, first: Source) -> str:
    """What a step is called below the name of the first one."""
    kind = type(step).__name__.lower()
    if isinstance(step, Stage):
        kind = "notebook" if step is first else f"Build it: {step.short_title}"
    elif step.number != first.number:
        kind = f"{kind} {step.number}"
    return f"{kind} ({step.minutes} min)"


def following(source: Source, folder: Path) -> Source | None:
    """The step to go on with after a lesson or a sheet that one has just finished; None if the folder does not have it.

    It is the next one on the path that is not passed, or the one that comes next in any case if that is further on, or if the
    path leaves out the lesson.
    """
    steps = steps_of(folder)
    present = [step for step in steps if (folder / step.link).exists()]
    if not present:
        return None
    upcoming = present[_reached(present, folder)]
    places = [place for place, step in enumerate(steps) if step == source]
    if isinstance(source, Sheet) and not places:
        places = [place for place, step in enumerate(steps) if step.number == source.number]
    after = [step for step in steps[places[-1] + 1 :] if step in present and not _is_done(step, folder)] if places else []
    if after and (after[0].number == source.number or steps.index(after[0]) > steps.index(upcoming)):
        return after[0]
    return upcoming
