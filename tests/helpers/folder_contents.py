"""What the tests of folders share: reading and changing what was delivered."""

import json
from collections.abc import Callable
from pathlib import Path

import nbformat

LESSON, SHEET = "notebooks/02_self_attention_by_hand.ipynb", "exercises/02_sheet_self_attention_by_hand.ipynb"
SOLVED_SHEET = "source/02/02_sheet_self_attention_by_hand.ipynb"  # in a folder for nbgrader


def cells(path: Path) -> list:
    return nbformat.read(path, as_version=4).cells


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def change(path: Path, edit: Callable) -> None:
    """Edit the cells of a notebook."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    edit(notebook["cells"])
    path.write_text(json.dumps(notebook), encoding="utf-8")
