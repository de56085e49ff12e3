"""The solutions, which are in the sheets' sources between two markers."""

import functools
import re

from transformer_course._util import paths

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


def solution_of(exercise_id: str) -> str:
    """Return the code of the cell that solves an exercise, without the markers. Raises LookupError if there is none."""
    if exercise_id not in _solutions():
        raise LookupError(f"no source has a solution of the exercise {exercise_id!r}")
    return _solutions()[exercise_id]


@functools.cache
def _solutions() -> dict[str, str]:
    cell = re.compile(r'^# %% .*\bexercise="([^"]+)".*\n((?:(?!# %%).*\n)*)', re.MULTILINE)
    found = {}
    for source in (source for folder in paths.FOLDERS for source in paths.sources(folder)):
        for exercise_id, code in cell.findall(source.read_text(encoding="utf-8")):
            lines = [line for line in code.splitlines() if line.strip() not in (BEGIN, END)]
            found.setdefault(exercise_id, "\n".join(lines).strip())
    return found
