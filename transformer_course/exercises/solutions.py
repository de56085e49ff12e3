"""The solutions, which are in the sheets' sources between two markers."""

import functools

from transformer_course import course

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


@functools.cache
def solution_of(exercise_id: str) -> str:
    """Return the code of the cell that solves an exercise, without the markers. Raises LookupError if there is none."""
    for source in course.sources():
        if exercise_id in source.exercise_ids:
            text = next(cell.text for cell in source.cells if cell.says.get("exercise") == exercise_id)
            return "\n".join(line for line in text.splitlines() if line.strip() not in (BEGIN, END)).strip()
    raise LookupError(f"no source has a solution of the exercise {exercise_id!r}")
