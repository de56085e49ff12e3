"""Lesson 12: an encoder layer, whose two sublayers each have a residual connection and a LayerNorm."""

from matplotlib.axes import Axes

from ..description import describe
from ..drawing import Box, arrow, arrows, filled, line, matrix, operation, page, words
from ..style import FAINT
from .example import D, N

D_FF = 8


def encoder_layer() -> Axes:
    ax = page(330)
    first, second = 100, 262
    x = _stream(ax, 4, first, "x")
    attention = operation(ax, 150, first, "self-attention, $h$ heads", 188, 40)
    words(ax, attention.bottom[0], attention.bottom[1] + 5, "the rows of x exchange information", va="top")
    attended = _stream(ax, 404, first, "attended")
    _sum_and_norm(ax, x, attended, 1, "middle")
    arrows(ax, x, attention, attended)

    again = _stream(ax, 4, second, "middle")
    widen = operation(ax, 100, second, "$W_1$, $b_1$, ReLU", 100, 40, below="$d × d_{ff}$")
    hidden = matrix(ax, 214, second, filled(N, D_FF, FAINT), "hidden", "$n × d_{ff}$")
    narrow = operation(ax, 332, second, "$W_2$, $b_2$", 56, 40, below="$d_{ff} × d$")
    fed = _stream(ax, 404, second, "from FFN")
    _sum_and_norm(ax, again, fed, 2, "output")
    arrows(ax, again, widen, hidden, narrow, fed)

    return describe(
        ax,
        "Data flow of an encoder layer",
        "x (n × d) goes through self-attention, in which rows exchange information; x itself is added to the result; norm 1 "
        "gives middle (n × d); middle goes row by row through W_1, b_1 and ReLU to the hidden units (n × d_ff), and through "
        "W_2 and b_2 back to n × d; middle itself is added, and norm 2 gives the output (n × d).",
    )


def _stream(ax: Axes, x: float, y: float, name: str) -> Box:
    return matrix(ax, x, y, filled(N, D, FAINT), name, "$n × d$")


def _sum_and_norm(ax: Axes, source: Box, result: Box, number: int, name: str) -> None:
    """Draw the residual connection around a sublayer, the sum, the norm and what it returns."""
    y, above = source.right[1], source.y - 40
    total = operation(ax, 502, y, "+", 26, 26)
    norm = operation(ax, 550, y, f"norm {number}", 62, below=rf"$γ_{number}$, $β_{number}$: $d$")
    normalized = _stream(ax, 636, y, name)
    leaves = source.right[0] + 8
    line(ax, (leaves, y), (leaves, above))
    arrow(ax, (leaves, above), (total.top[0], above), total.top)
    words(ax, (leaves + total.top[0]) / 2, above - 4, "residual connection", va="bottom")
    arrows(ax, result, total, norm, normalized)
