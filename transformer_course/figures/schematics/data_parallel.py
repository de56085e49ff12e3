"""Lesson 22: two processes share a batch, and each holds the whole model."""

from matplotlib.axes import Axes

from ..description import describe
from ..drawing import arrow, arrows, filled, line, matrix, operation, page, words
from ..style import FAINT

SENTENCES, PARAMETERS = 3, 7  # cells drawn for one process's sentences and for a vector of all parameters


def data_parallel() -> Axes:
    ax = page(230)
    narrow, middle = (14, 12), 115
    total = operation(ax, 452, middle, "all_reduce:\nsum", 88, 44)
    for name, y in (("A", 60), ("B", 170)):
        words(ax, 14, y, name, 12, weight="bold")
        batch = matrix(ax, 34, y, filled(SENTENCES, 4, FAINT), f"pairs of {name}", f"$b_{name} × m$, $b_{name} × n$")
        model = operation(ax, 136, y, "forward,\nbackward", 80, 40, below="$p$ parameters")
        gradient = matrix(ax, 256, y, filled(1, PARAMETERS, FAINT), f"$g_{name}$", "$p$", cell=narrow)
        scaled = operation(ax, 376, y, "× $w_" + name + "$", 50, 28)
        update = operation(ax, 630, y, "update", 70, 30, below="$p$ parameters")
        arrows(ax, batch, model, gradient, scaled)
        edge = total.top if y < middle else total.bottom
        arrow(ax, scaled.right, (edge[0], y), edge)
        line(ax, (600, middle), (600, y))
        arrow(ax, (600, y), update.left)
    line(ax, total.right, (600, middle))
    words(ax, 570, middle - 12, "$g$: $p$", 11)
    return describe(
        ax,
        "Data parallel training",
        "processes A and B each run forward and backward on their own pairs, with a copy of all p parameters; each "
        "multiplies its gradient (p numbers) by a weight w; all_reduce gives both of them the sum g (p), and both make the "
        "same update to their p parameters.",
    )
