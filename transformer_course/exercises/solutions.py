"""The solutions, which are in the sheets' sources between two markers."""

import functools

from transformer_course import course

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


def solution_of(exercise_id: str) -> str:
    """Return the code of the cell that solves an exercise, without the markers. Raises LookupError if there is none."""
    if exercise_id not in _solutions():
        raise LookupError(f"no source has a solution of the exercise {exercise_id!r}")
    return _solutions()[exercise_id]


@functools.cache
def _solutions() -> dict[str, str]:
    cells = (cell for source in course.sources() for cell in source.cells if "exercise" in cell.says)
    return {
        cell.says["exercise"]: "\n".join(line for line in cell.text.splitlines() if line.strip() not in (BEGIN, END)).strip()
        for cell in cells
    }
