"""Lesson 09: a feed-forward network, which works on each token separately."""

import numpy as np
from matplotlib.axes import Axes

from ..description import describe
from ..drawing import HOLLOW, arrows, filled, matrix, operation, page, words
from ..style import FAINT, LIT

TOKENS = ("the", "red", "car")
WIDTH, D_FF = 4, 16
FOLLOWED = 2  # the row in a colour of its own


def feed_forward() -> Axes:
    ax = page(160)
    middle, cell = 74, (9.5, 20)
    source = matrix(ax, 44, middle, _rows(WIDTH), "X", "$n × d$", cell=cell)
    for k, token in enumerate(TOKENS):
        words(ax, 38, source.y + (k + 0.5) * cell[1], token, ha="right")
    first = operation(ax, 104, middle, "$W_1$, $b_1$", 54, below="$d × 4d$")
    hidden = matrix(ax, 180, middle, _rows(D_FF), "hidden units", "$n × 4d$", cell=cell)
    relu = operation(ax, 354, middle, "ReLU", 46)
    units = _rows(D_FF)
    units[np.random.default_rng(1).random(units.shape) < 0.5] = HOLLOW
    active = matrix(ax, 422, middle, units, "after ReLU", "$n × 4d$", cell=cell)
    second = operation(ax, 596, middle, "$W_2$, $b_2$", 54, below="$4d × d$")
    output = matrix(ax, 672, middle, _rows(WIDTH), "output", "$n × d$", cell=cell)
    arrows(ax, source, first, hidden, relu, active, second, output)
    return describe(
        ax,
        "Data flow of a feed-forward network",
        f"X (n × d), a row for each of the tokens {', '.join(TOKENS)}, times W_1 (d × 4d) plus b_1 gives the hidden units "
        "(n × 4d); ReLU sets the negative ones to 0; times W_2 (4d × d) plus b_2 they give the output (n × d); the row of "
        f"{TOKENS[FOLLOWED]} is highlighted, and it depends on no other row.",
    )


def _rows(columns: int) -> np.ndarray:
    colours = filled(len(TOKENS), columns, FAINT)
    colours[FOLLOWED] = LIT
    return colours
