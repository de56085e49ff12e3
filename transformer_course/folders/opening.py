"""What opens in a learner's folder: the cell where the learner stopped, or else the lesson or sheet that comes next."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from transformer_course import course
from transformer_course._util import paths
from transformer_course.exercises import progress

from .learner_folder import handed_out
from .reading import PassedOver, code_cells, printable

CELL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")  # as Jupyter's format of notebooks defines it


@dataclass(frozen=True)
class Opening:
    """A notebook, by its path in the folder, and the id of the cell to go to; an empty id means the top of the notebook."""

    notebook: str
    cell: str
    message: str  # for the terminal
    passed_over: tuple[str, ...] = ()  # a sentence for each notebook that is damaged


@dataclass(frozen=True, order=True)
class _Run:
    """A cell that was run. Later runs are larger."""

    time: float
    notebook: str
    cell: str
    ends: bool  # whether it is the last code cell of its notebook


def opening(folder: Path) -> Opening:
    """Return where the learner stopped. After a lesson's last cell, what follows it on the path opens; after a sheet's, what
    comes next.

    If nothing has been run yet, it is the notebook that the folder's record names, or else what comes next.
    """
    faults: list[str] = []
    last, (_, first) = max(_runs(folder, faults), default=None), handed_out(folder)
    damaged = tuple(faults)
    if last is None and first:
        return Opening(first, "", f"Opening {printable(first)}", damaged)
    counted = progress.count(folder)
    if last and not last.ends:
        message = f"{counted}\nOpening {printable(last.notebook)} where you stopped."
        return Opening(last.notebook, last.cell, message, damaged)
    lesson = next((lesson for lesson in course.lessons() if last and lesson.link == last.notebook), None)
    if lesson and (step := progress.following(lesson, folder)):
        what = "its sheet" if step.number == lesson.number else "what follows on your path"
        return Opening(step.link, "", f"{counted}\nYou have run all of {lesson.link}. Opening {what}: {step.link}", damaged)
    upcoming = progress.next_lesson(folder)
    return Opening(upcoming.opens, "", f"{counted}\n{upcoming}", damaged)


def _runs(folder: Path, passed_over: list[str]) -> Iterator[_Run]:
    """Yield the cells that were run in JupyterLab, which records the times in a notebook when it saves it.

    ``passed_over`` gets a sentence for each notebook that is damaged.
    """
    now = datetime.now(UTC).timestamp()
    for path in sorted(path for part in paths.FOLDERS for path in (folder / part).glob("*.ipynb")):
        notebook = path.relative_to(folder).as_posix()
        try:
            cells = code_cells(folder, notebook)
        except PassedOver as sentence:
            passed_over.append(str(sentence))
            continue
        ids, damaged = [_cell_id(cell.get("id")) for cell in cells], False
        twice = {cell_id for cell_id, count in Counter(ids).items() if count > 1}
        for cell, cell_id in zip(cells, ids, strict=True):
            time = _time(cell["metadata"].get("execution"))
            if time is None:
                continue
            if cell_id in twice:
                cell_id = ""
            damaged = damaged or time > now or not cell_id
            if time <= now:
                yield _Run(time, notebook, cell_id, cell is cells[-1])
        if damaged:
            passed_over.append(
                f"{printable(notebook)} has cells without a proper id, or with a time that cannot be when they ran; they were "
                "passed over. Run them again in JupyterLab, and save it."
            )


def _cell_id(cell_id: object) -> str:
    """Return the id of a cell as it is, or an empty string for anything that Jupyter would not call one."""
    return cell_id if isinstance(cell_id, str) and CELL_ID.fullmatch(cell_id) else ""


def _time(execution: object) -> float | None:
    """Return when a cell was run, in seconds, from what JupyterLab has recorded; infinity for what is no time."""
    try:
        recorded = (execution or {}).get("iopub.execute_input")
        if not recorded:
            return None
        time = datetime.fromisoformat(recorded)
    except (AttributeError, TypeError, ValueError):
        return math.inf
    return time.replace(tzinfo=time.tzinfo or UTC).timestamp()
