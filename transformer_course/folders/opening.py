"""What opens in a learner's folder: the cell where the learner stopped, or else the lesson or sheet that comes next."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from transformer_course._util import paths
from transformer_course.exercises import passes
from transformer_course.exercises.catalogue import by_lesson

from .learner_folder import handed_out


@dataclass(frozen=True)
class Opening:
    """A notebook, by its path in the folder, and the id of the cell to go to; an empty id means the top of the notebook."""

    notebook: str
    cell: str
    message: str  # for the terminal


@dataclass(frozen=True, order=True)
class _Run:
    """A cell that was run. Later runs are larger."""

    time: str
    notebook: str
    cell: str
    ends: bool  # whether it is the last code cell of its notebook


def opening(folder: Path) -> Opening:
    """Return where the learner stopped. After a lesson's last cell, its sheet opens; after a sheet's, what comes next.

    If nothing has been run yet, it is the notebook that the folder's record names, or else what comes next.
    """
    last, (_, first) = max(_runs(folder), default=None), handed_out(folder)
    if last is None and first:
        return Opening(first, "", f"Opening {first}")
    counted = passes.count(folder)
    if last and not last.ends:
        return Opening(last.notebook, last.cell, f"{counted}\nOpening {last.notebook} where you stopped.")
    if last and (sheet := _unfinished_sheet(folder, last)):
        return Opening(sheet, "", f"{counted}\nYou have run all of {last.notebook}. Opening its sheet: {sheet}")
    upcoming = passes.next_lesson(folder)
    return Opening(upcoming.opens, "", f"{counted}\n{upcoming}")


def _runs(folder: Path) -> Iterator[_Run]:
    """Yield the cells that were run in JupyterLab, which records the times in a notebook when it saves it."""
    for path in (path for part in paths.FOLDERS for path in (folder / part).glob("*.ipynb")):
        try:
            cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
            times = [str(cell["metadata"].get("execution", {}).get("iopub.execute_input", "")) for cell in cells]
            ids = [str(cell.get("id", "")) for cell in cells]
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            continue  # not a notebook, or a damaged one: JupyterLab says so when the learner opens it
        notebook = path.relative_to(folder).as_posix()
        yield from (_Run(time, notebook, cell, cell == ids[-1]) for time, cell in zip(times, ids, strict=True) if time)


def _unfinished_sheet(folder: Path, last: _Run) -> str | None:
    """Return the sheet of the lesson that was run to its end, unless all its exercises are passed."""
    part, name = last.notebook.split("/")
    sheets = [*(folder / "exercises").glob(f"{name[:2]}_sheet_*.ipynb")] if part == "notebooks" else []
    passed = passes.passed(folder)
    if sheets and not all(exercise.id in passed for exercise in by_lesson().get(name[:2], [])):
        return sheets[0].relative_to(folder).as_posix()
    return None
