"""Sheet 25: a row that one scale spoils, and groups keep."""

import numpy as np

from ..kinds import Counterexample
from ..toolkit import known

SIZE, GROUP, LEAST, MOST = 8, 4, 0.5, 10.0


def lost_by_row(row):
    """Return how many numbers become 0 with one scale for the row."""
    return (np.rint(row / (np.abs(row).max() / 7)) == 0).sum()


def lost_in_groups(row):
    """Return how many become 0 with a scale for each group of four."""
    return sum(lost_by_row(group) for group in row.reshape(-1, GROUP))


def _invalid(row):
    if row.shape != (SIZE,):
        return f"`row` should hold {SIZE} numbers; yours has shape {row.shape}."
    least, most = np.abs(row).min(), np.abs(row).max()
    if least < LEAST - 1e-9 or most > MOST + 1e-9:
        return f"Each magnitude should be from {LEAST} to {MOST:g}; yours go from {least:.4g} to {most:.4g}."
    near = [x for scale in (row, *row.reshape(-1, GROUP)) for x in np.abs(scale) / (np.abs(scale).max() / 7)]
    if any(abs(x - 0.5) < 0.005 for x in near):
        return "One of your numbers is almost exactly between two codes. Change it a little more."
    if lost := lost_in_groups(row):
        return f"Groups should lose nothing, but here they lose {lost} of the numbers."
    return None


outlier = Counterexample(
    id="fast.outlier",
    answer_name="row",
    prompt="A row of eight numbers that loses some of them with one scale, and none with a scale per group.",
    faulty=lost_by_row,
    reference=lost_in_groups,
    invalid=_invalid,
    why="The largest number sets the scale, and whatever is below a fourteenth of it becomes 0: of the row, or only of its group.",
    hints=(
        "A number becomes 0 if it is smaller than half of the scale. With 4 bits, how does that compare to the largest number?",
        "The scale is the largest magnitude divided by 7, so what is below a fourteenth of it is lost. With a 10 in the row, that "
        "is everything below 0.71.",
        "Which numbers can stand in the same group as the 10, if that group may lose none? And which in the other group?",
    ),
    mistakes={
        "too similar": known(
            "With one scale, this row loses nothing either: its smallest number is more than a fourteenth of its largest.",
            "Make the largest number larger, or the smallest ones smaller, within 0.5 and 10.",
            [0.5, -0.6, 0.7, 0.8, 5.0, -4.0, 3.0, 2.0],
            [1.0, 1.0, 1.0, 1.0, 10.0, 10.0, 10.0, 10.0],
            recognise=lambda row: lost_by_row(row) == 0,
        ),
    },
)
