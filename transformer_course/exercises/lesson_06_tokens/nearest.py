"""Sheet 06: a table on which the largest dot product leads back to the wrong token."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Counterexample


def by_dot_product(table):
    return (table @ table.T).argmax(-1)


def by_distance(table):
    return ((table[:, None] - table[None]) ** 2).sum(-1).argmin(-1)


def _invalid(table):
    if table.ndim != 2 or len(table) < 2:
        return f"`table` should have a row for each of at least two tokens, shape (v, d), and has shape {table.shape}."
    if table.size == 0 or max(table.shape) > 8:
        return f"Small sizes will do: from 1 to 8 along each axis. `table` has shape {table.shape}."
    if np.abs(table).max() > 1000:
        return "Please keep all numbers between −1000 and 1000."
    if len(np.unique(table, axis=0)) < len(table):
        return "Two rows of the table are equal. Then nobody can tell these tokens apart; let all rows differ."
    own, others = np.diag(table @ table.T), _longest_but(table).max(axis=1)
    if (others > own).any() or not (others == own).any():
        return None
    if not np.abs(table).max(axis=1).all():
        return "One row is all zeros: its dot product with every row is 0, so it has no largest one. Let the largest be strictly so."
    return (
        "One row has the same dot product with itself as with another row. That is a tie, which argmax decides by the order of "
        "the rows alone: let the product with the other row be strictly larger."
    )


def _longest_but(table):
    products = table @ table.T
    return products - np.diag(np.full(len(table), np.inf))


nearest = Counterexample(
    id="embedding.nearest",
    answer_name="table",
    prompt="A table on which the row with the largest dot product is not the nearest one.",
    faulty=by_dot_product,
    reference=by_distance,
    invalid=_invalid,
    why=(
        "A dot product also grows with the length of the other vector, so the largest one need not belong to the nearest "
        "vector."
    ),
    hints=(
        "The dot product of a row with itself is the square of its length. What makes its product with another row larger than that?",
        "Two rows in the same direction, one longer than the other.",
        "[1] and its double: 1 × 1 is 1, and 1 × 2 is 2. In two dimensions it is the same.",
    ),
    mistakes=(
        Mistake(
            "all rows of one length",
            "All your rows have the same length. Then no dot product is larger than a row's with itself, and both "
            "ways find the same.",
            "Let one row be longer.",
            [[1.0, 0.0], [0.0, 1.0]],
            variants=([[3.0, 4.0], [5.0, 0.0], [-4.0, 3.0]], [[1.0], [-1.0]]),
            recognise=lambda table: np.ptp(np.linalg.norm(table, axis=1)) < 1e-6,
        ),
        Mistake(
            "rows that do not point the same way",
            "The lengths differ, but no two of your rows point the same way, not even roughly: their dot products are 0 or below, "
            "and less than any row has with itself.",
            "Turn the long row towards a short one.",
            [[1.0, 0.0], [0.0, 5.0]],
            variants=([[1.0, 0.0], [-7.0, 0.0]], [[1.0], [-3.0]]),
            recognise=lambda table: _longest_but(table).max() <= 0,
        ),
        Mistake(
            "not long enough in that direction",
            "The lengths differ, and some rows point roughly the same way. But each has its largest dot product with itself: "
            "no other row reaches far enough in its direction.",
            "Make the long row longer, or turn it closer to a short one.",
            [[4.0, 0.0], [1.0, 5.0]],
            variants=([[2.0, 0.0], [1.0, 2.0]],),
            recognise=lambda table: True,
        ),
    ),
)
