"""Sheet 06: a table for which the largest dot product leads back to the wrong token."""

import numpy as np

from ..kinds import Counterexample
from ..toolkit import known


def by_dot_product(table):
    return (table @ table.T).argmax(-1)


def by_distance(table):
    return ((table[:, None] - table[None]) ** 2).sum(-1).argmin(-1)


def _invalid(table):
    if table.ndim != 2 or len(table) < 2:
        return f"`table` should have a row for each of at least two tokens, shape (v, d), but has shape {table.shape}."
    if table.size == 0 or max(table.shape) > 8:
        return f"Small sizes will do: 1 to 8 along each axis. Your `table` has shape {table.shape}."
    if np.abs(table).max() > 1000:
        return "Please keep all numbers between −1000 and 1000."
    if len(np.unique(table, axis=0)) < len(table):
        return "Two rows of the table are equal, so nothing can tell these two tokens apart. Make all rows different."
    own, others = np.diag(table @ table.T), _longest_but(table).max(axis=1)
    if (others > own).any() or not (others == own).any():
        return None
    if not np.abs(table).max(axis=1).all():
        return "One row is all zeros: its dot product with every row is 0, which is a tie. One product must be strictly the largest."
    return (
        "One row has the same dot product with itself as with another row. That is a tie, and argmax decides it by the order "
        "of the rows. Make the product with the other row strictly larger."
    )


def _longest_but(table):
    products = table @ table.T
    return products - np.diag(np.full(len(table), np.inf))


nearest = Counterexample(
    id="embedding.nearest",
    answer_name="table",
    prompt="A table for which the row with the largest dot product is not the nearest row.",
    faulty=by_dot_product,
    reference=by_distance,
    invalid=_invalid,
    why=(
        "A dot product also grows with the length of the other vector, so the vector with the largest one need not be the "
        "nearest."
    ),
    hints=(
        "The dot product of a row with itself is the square of its length. What makes its product with another row larger "
        "than that?",
        "Take two rows with the same direction, one longer than the other.",
        "With one number per row, [1] and [2] will do: 1 × 1 is 1, and 1 × 2 is 2. It works in the same way with more "
        "numbers.",
    ),
    mistakes={
        "all rows of one length": known(
            "All your rows have the same length. Then no dot product is larger than that of a row with itself, and both "
            "programs find the same tokens.",
            "Make one row longer.",
            [[1.0, 0.0], [0.0, 1.0]],
            [[3.0, 4.0], [5.0, 0.0], [-4.0, 3.0]],
            [[1.0], [-1.0]],
            recognise=lambda table: np.ptp(np.linalg.norm(table, axis=1)) < 1e-6,
        ),
        "rows that do not point the same way": known(
            "The lengths differ, but no two of your rows point in even roughly the same direction. Their dot products are 0 "
            "or negative, and so smaller than that of any row with itself.",
            "Turn the long row towards a short one.",
            [[1.0, 0.0], [0.0, 5.0]],
            [[1.0, 0.0], [-7.0, 0.0]],
            [[1.0], [-3.0]],
            recognise=lambda table: _longest_but(table).max() <= 0,
        ),
        "not long enough in that direction": known(
            "The lengths differ, and some rows point in roughly the same direction. But each row still has its largest dot "
            "product with itself, because no other row reaches far enough in its direction.",
            "Make the long row longer, or turn it closer to a short one.",
            [[4.0, 0.0], [1.0, 5.0]],
            [[2.0, 0.0], [1.0, 2.0]],
            recognise=lambda table: True,
        ),
    },
)
