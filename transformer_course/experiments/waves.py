"""Tables of positions, put to the test: is one matrix the step from every position to the one so many further on?

Shapes: ``n`` positions, ``d`` width.
"""

import numpy as np
from jaxtyping import Float

from transformer_course import models


def encoding_as_in_note_3(length: int, width: int) -> Float[np.ndarray, "n d"]:
    """Return the table that note 3's program makes: an angle for each *dimension*, sines in the even ones, cosines in the odd.

    An odd width gives a last hand that has a sine and no cosine.
    """
    dimensions = np.arange(width)
    angles = np.arange(length)[:, None] / 10000 ** (2 * (dimensions // 2) / width)
    return np.where(dimensions % 2, np.cos(angles), np.sin(angles))


def shift_errors(table: Float[np.ndarray, "n d"], steps: int, every: int = 2) -> tuple[float, float]:
    """Fit one matrix that leads from each row to the one ``steps`` further on. Return what it misses at its own starts, and at
    new ones.

    It is fitted by least squares on ``every`` second (third, …) start. An error is the sum of squares that it misses, as a
    share of what zeros would miss: 0 is perfect, 1 no better than zeros. As many starts as dimensions can be fitted exactly
    in any table, so the error at its own starts proves little.
    """
    starts, ends = table[:-steps], table[steps:]
    own = np.arange(len(starts)) % every == 0
    matrix = np.linalg.lstsq(starts[own], ends[own], rcond=None)[0]
    missed, size = ((starts @ matrix - ends) ** 2).sum(axis=1), (ends**2).sum(axis=1)
    return tuple(float(missed[some].sum() / size[some].sum()) for some in (own, ~own))


def learned_positions(model: str, width: int) -> Float[np.ndarray, "n width"]:
    """Return the table of positions, (96, 128), that a shipped GPT has learned, in the directions in which it is largest."""
    table = models.load(model)[0].input.positions.table.detach().double().numpy()
    return table @ np.linalg.svd(table, full_matrices=False)[2][:width].T
