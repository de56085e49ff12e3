"""A folder that a workshop hands out: it contains only the workshop's lessons and exercises."""

from pathlib import Path

from transformer_course._util.folder_record import read_record
from transformer_course._util.paths import course_folder

EXERCISES = "exercises"  # a key of the folder's record: the ids of the workshop's exercises


def lessons_and_exercises(start: Path) -> tuple[set[str], set[str]] | None:
    """Return the lessons and the exercises of the workshop whose folder contains ``start``; None outside such a folder."""
    folder = course_folder(start)
    if folder is None or not isinstance(exercises := read_record(folder).get(EXERCISES), list):
        return None
    return {notebook.stem[:2] for notebook in (folder / "notebooks").glob("*.ipynb")}, {*map(str, exercises)}
