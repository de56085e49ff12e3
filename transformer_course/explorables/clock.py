"""The hands of a position: the reader moves it, and sees the same turn from any start."""

import numpy as np

from transformer_course import figures
from transformer_course.positions import sinusoidal_encoding

from .explorable import Explorable, explorable

WIDTH, START, SHIFT = 8, 50, 2  # the state at first, as in clock.js


def clock() -> Explorable:
    """Show the hands of a position p and of p + k at width 8, 16 or 64, and the dot products of p with its neighbours.

    The reader moves p and k. The turn of each hand and the dot products depend on k alone.
    """
    rows = sinusoidal_encoding(START + 101, WIDTH).numpy()
    hands, later = (rows[p].reshape(-1, 2) for p in (START, START + SHIFT))
    left, right = figures.panels(2, 4.2, 3.6)
    figures.clock(hands, later, title=f"Width {WIDTH}: position {START} to {START + SHIFT}", ax=left)
    away = np.arange(-START, 101)
    lines = {"dot product": rows @ rows[START]}
    figures.curves(away, lines, "Dot product with each position", "positions away", "dot product", ax=right)
    return explorable("clock", {}, left.figure)
