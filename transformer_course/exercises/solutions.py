"""The solutions, which are in the sheets' sources between two markers."""

import jupytext

from transformer_course._util import paths

from .exercise import Exercise

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


def solution_of(exercise: Exercise) -> str:
    """The code of the cell that solves an exercise, without the markers. Raises LookupError if there is none."""
    for source in (source for folder in paths.FOLDERS for source in paths.sources(folder)):
        text = source.read_text(encoding="utf-8")
        if f'"{exercise.id}"' not in text:
            continue
        for cell in jupytext.reads(text, fmt="py:percent").cells:
            if cell.metadata.get("exercise") == exercise.id:
                return "\n".join(line for line in cell.source.splitlines() if line.strip() not in (BEGIN, END))
    raise LookupError(f"no source has a solution of the exercise {exercise.id!r}")
