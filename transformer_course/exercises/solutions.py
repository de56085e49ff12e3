"""The solutions, which are in the sheets' sources between two markers."""

import functools
import re

from transformer_course._util import paths

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


@functools.cache
def solution_of(exercise_id: str) -> str:
    """Return the code of the cell that solves an exercise, without the markers. Raises LookupError if there is none."""
    cell = re.compile(rf'^# %% .*\bexercise="{re.escape(exercise_id)}".*\n((?:(?!# %%).*\n)*)', re.MULTILINE)
    for source in (source for folder in paths.FOLDERS for source in paths.sources(folder)):
        if found := cell.search(source.read_text(encoding="utf-8")):
            lines = [line for line in found[1].splitlines() if line.strip() not in (BEGIN, END)]
            return "\n".join(lines).strip()
    raise LookupError(f"no source has a solution of the exercise {exercise_id!r}")
