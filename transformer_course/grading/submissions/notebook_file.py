"""Read an untrusted notebook: its code cells, or one sentence that says why it cannot be read."""

import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from transformer_course.runner import limits

from ..errors import GradingError

# With these, the grader follows no link and waits for no pipe (Windows has neither flag).
FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
SAVE_AGAIN = "open it in JupyterLab, save it, and hand it in again"


class NotANotebook(GradingError):
    """The file cannot be graded; the message says why, in a sentence for the learner."""


@dataclass(frozen=True)
class Cell:
    """A code cell: its source, the exercise that its metadata name (if any), and its tags."""

    source: str
    exercise: str | None
    tags: tuple[str, ...]


def read(path: Path, within: Path) -> list[Cell]:
    """Return the code cells of the notebook at ``path``, in order. ``path`` must be inside the folder ``within``.

    Raises NotANotebook if the file cannot be read, is not a notebook, or is reached through a link.
    """
    return cells(content(path, within))


def content(path: Path, within: Path) -> bytes:
    """Return the bytes of a file inside ``within``. Raises NotANotebook for links, large files, and anything but files."""
    try:
        if path.resolve() != within.resolve() / path.relative_to(within):
            raise NotANotebook("This is a link, and links are not followed; hand in the notebook itself.")
        _demand_file(os.lstat(path))
        with open(os.open(path, FLAGS), "rb") as file:
            _demand_file(os.fstat(file.fileno()))
            data = file.read(limits.NOTEBOOK_BYTES + 1)
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
        reason = getattr(error, "strerror", None) or str(error)
        raise NotANotebook(f"The notebook cannot be opened ({reason}); ask your teacher to look at the file.") from None
    if len(data) > limits.NOTEBOOK_BYTES:
        raise NotANotebook(
            f"The notebook is larger than {limits.NOTEBOOK_BYTES // 2**20} MB; clear its outputs in JupyterLab "
            "(Edit → Clear Outputs of All Cells), save it, and hand it in again."
        )
    return data


def cells(data: bytes) -> list[Cell]:
    """Return the code cells of a notebook, given its bytes. Raises NotANotebook unless it is a notebook of format 4."""
    if not data.strip():
        raise NotANotebook("The file is empty; save your notebook in JupyterLab, and hand it in again.")
    try:
        notebook = json.loads(data.decode("utf-8-sig"), parse_int=float)  # int() refuses thousands of digits
    except UnicodeDecodeError:
        raise NotANotebook(f"The notebook is not UTF-8 text; {SAVE_AGAIN}.") from None
    except RecursionError:
        raise NotANotebook(f"The notebook has lists that are nested too deeply; {SAVE_AGAIN}.") from None
    except ValueError:
        raise NotANotebook(
            "The notebook arrived incomplete or damaged; if the one on your computer opens in JupyterLab, hand it in again."
        ) from None
    if isinstance(notebook, dict) and "worksheets" in notebook:
        raise NotANotebook(f"The notebook is in a format from before 2015; {SAVE_AGAIN}.")
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise NotANotebook("The file is not a notebook: it has no list of cells; hand in the notebook itself.")
    if not all(isinstance(cell, dict) for cell in notebook["cells"]):
        raise NotANotebook(f"The notebook is damaged: its list of cells contains something that is not a cell; {SAVE_AGAIN}.")
    code = [_cell(number, cell) for number, cell in enumerate(notebook["cells"], 1) if cell.get("cell_type") == "code"]
    if len(code) > limits.NOTEBOOK_CELLS or sum(len(cell.source) for cell in code) > limits.NOTEBOOK_CHARACTERS:
        raise NotANotebook(
            f"The notebook has more than {limits.NOTEBOOK_CELLS:,} code cells or {limits.NOTEBOOK_CHARACTERS:,} characters of "
            "code; delete everything that is not part of an answer, and hand it in again."
        )
    return code


def _demand_file(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise NotANotebook("This is not a file but a folder, pipe or device; hand in the notebook itself.")


def _cell(number: int, cell: dict) -> Cell:
    source, metadata = cell.get("source"), cell.get("metadata")
    lines = source if isinstance(source, list) else [source]
    if not all(isinstance(line, str) for line in lines):
        raise NotANotebook(f"The notebook is damaged: cell {number} has no source; {SAVE_AGAIN}.")
    metadata = metadata if isinstance(metadata, dict) else {}
    exercise, tags = metadata.get("exercise"), metadata.get("tags")
    return Cell(
        _text("".join(lines).replace("\r\n", "\n")),
        _text(exercise) if isinstance(exercise, str) else None,
        tuple(_text(tag) for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
    )


def _text(text: str) -> str:
    """Replace halves of surrogate pairs by "?": JSON can hold them, but neither files nor Python's compiler can."""
    return text.encode(errors="replace").decode()
