"""Lesson 05: the split into heads and the way back."""

from matplotlib.axes import Axes

from ..description import describe
from ..drawing import arrow, arrows, filled, matrix, operation, page, words
from ..style import FAINT, KEY, QUERY, VALUE
from .example import D, N

HEADS, D_HEAD = 3, 2


def heads() -> Axes:
    ax = page(334)
    rows, middle = (66, 168, 270), 168
    source = matrix(ax, 2, middle, filled(N, D, FAINT), "X", "$n × d$")
    project = operation(ax, 96, middle, "$W_Q$\n\n$W_K$\n\n$W_V$", 44, 110, below="$d × h·d_k$\n$W_V$: $d × h·d_v$")
    split = operation(ax, 158, middle, "split", 24, 306, turned=True)
    concatenate = operation(ax, 446, middle, "concatenate", 24, 306, turned=True)
    together = matrix(ax, 486, middle, filled(N, HEADS * D_HEAD, VALUE), "all heads", "$n × h·d_v$")
    mixing = operation(ax, 580, middle, "$W_O$", 44, below="$h·d_v × d$")
    output = matrix(ax, 640, middle, filled(N, D, FAINT), "output", "$n × d$")
    arrows(ax, source, project, split)
    arrows(ax, concatenate, together, mixing, output)
    for head, y in enumerate(rows, start=1):
        query = matrix(ax, 198, y, filled(N, D_HEAD, QUERY), f"$Q_{head}$")
        key = matrix(ax, 234, y, filled(N, D_HEAD, KEY), f"$K_{head}$")
        value = matrix(ax, 270, y, filled(N, D_HEAD, VALUE), f"$V_{head}$", "$n × d_v$")
        words(ax, (query.left[0] + key.right[0]) / 2, query.bottom[1] + 5, "$n × d_k$", va="top")
        attention = operation(ax, 312, y, "attention", 68)
        words(ax, attention.top[0], attention.y - 5, f"head {head}", 11, va="bottom", weight="bold")
        result = matrix(ax, 398, y, filled(N, D_HEAD, VALUE), f"$Z_{head}$", "$n × d_v$")
        arrow(ax, (split.right[0], y), query.left)
        arrows(ax, value, attention, result)
        arrow(ax, result.right, (concatenate.left[0], y))
    return describe(
        ax,
        "Data flow of several heads",
        f"X (n × d) times W_Q, W_K and W_V (d × h·d_k) is split into h = {HEADS} heads; each head computes attention on "
        "its own Q and K (n × d_k) and V (n × d_v); the results are concatenated (n × h·d_v), and W_O (h·d_v × d) gives "
        "the output (n × d).",
    )
