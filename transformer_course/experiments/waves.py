"""Tests of position tables: does one matrix map every position to the one a fixed number of steps later?

Shapes: ``n`` positions, ``d`` width.
"""

import numpy as np
from jaxtyping import Float

from transformer_course import models


def encoding_per_dimension(length: int, width: int) -> Float[np.ndarray, "n d"]:
    """Compute the table with an angle per *dimension*: sines in even dimensions, cosines in odd ones.

    If the width is odd, the last sine has no cosine.
    """
    dimensions = np.arange(width)
    angles = np.arange(length)[:, None] / 10000 ** (2 * (dimensions // 2) / width)
    return np.where(dimensions % 2, np.cos(angles), np.sin(angles))


def shift_errors(table: Float[np.ndarray, "n d"], steps: int, every: int = 2) -> tuple[float, float]:
    """Fit one matrix from each row to the row ``steps`` later. Return its error on the rows it was fitted to, and on new ones.

    It is fitted by least squares to one row in ``every``. An error is a sum of squares, relative to that of predicting zeros:
    0 is perfect, and 1 is no better than zeros. In any table, as many rows as there are dimensions can be fitted exactly, so
    the error on the fitted rows proves little.
    """
    starts, ends = table[:-steps], table[steps:]
    fitted = np.arange(len(starts)) % every == 0
    matrix = np.linalg.lstsq(starts[fitted], ends[fitted], rcond=None)[0]
    errors, sizes = ((starts @ matrix - ends) ** 2).sum(axis=1), (ends**2).sum(axis=1)
    return tuple(float(errors[rows].sum() / sizes[rows].sum()) for rows in (fitted, ~fitted))


def learned_positions(model: str, width: int) -> Float[np.ndarray, "n width"]:
    """Return the position table (96, 128) that a shipped GPT learned, projected onto its ``width`` largest directions."""
    table = models.load(model)[0].input.positions.table.detach().double().numpy()
    return table @ np.linalg.svd(table, full_matrices=False)[2][:width].T
