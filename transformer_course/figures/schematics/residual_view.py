"""Lesson 19: the output layer applied to every stream, and the two heads that copy together."""

import itertools

from matplotlib.axes import Axes

from ..description import describe
from ..drawing import arrow, filled, line, matrix, operation, page, words
from ..style import FAINT, KEY, QUERY, TEXT, VALUE

BLOCKS = 3
PIECE = ("the", "red", "car", "on", "the", "red")


def lens() -> Axes:
    ax = page(250)
    low, cell = 180, (10, 16)
    boxes = [operation(ax, 2, low, "embed", 54)]
    streams = []
    for k in range(BLOCKS + 1):
        x = 80 + 134 * k
        streams.append(matrix(ax, x, low, filled(3, 4, FAINT), shape=f"$x_{k}$:  $n × d$", cell=cell))
        if k < BLOCKS:
            boxes.append(operation(ax, x + 62, low, f"block {k + 1}", 48, size=9))
    for box, stream in zip(boxes, streams, strict=True):
        arrow(ax, box.right, stream.left)
    for stream, box in zip(streams, boxes[1:], strict=False):
        arrow(ax, stream.right, box.left)
    read = operation(ax, 550, low, "LayerNorm,\noutput layer", 84, 40, size=9)
    arrow(ax, streams[-1].right, read.left)
    words(ax, 688, low - 9, "logits")
    words(ax, 688, low + 9, "$n × v$")
    arrow(ax, read.right, (662, low))
    for stream in streams[:-1]:
        x = stream.top[0]
        box = operation(ax, x - 42, 96, "LayerNorm,\noutput layer", 84, 40, size=9)
        for start, end in ((stream.top, box.bottom), (box.top, (x, 48))):
            ax.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": TEXT, "lw": 1.2, "ls": "--"})
        words(ax, x, 34, "logits  $n × v$")
    words(ax, 592, 96, "dashed: the lens")
    return describe(
        ax,
        "The logit lens",
        f"the embeddings give the stream x_0 (n × d), and {BLOCKS} blocks turn it into x_1 to x_{BLOCKS}; the final "
        f"LayerNorm and the output layer turn x_{BLOCKS} into logits (n × v); the lens applies these two to each of the "
        f"other {BLOCKS} streams.",
    )


def induction() -> Axes:
    ax = page(270)
    columns = [120 + 108 * k for k in range(len(PIECE))]
    earlier, after, now = 1, 2, 5  # the first red, the word after it, and the second red
    for x, word in zip(columns, PIECE, strict=True):
        words(ax, x, 246, word, size=12, weight="bold")
    for y, layer in ((168, "layer 1"), (78, "layer 2")):
        words(ax, 34, y, layer, size=11)
    notes = {}
    for k, (x, before) in enumerate(zip(columns, (None, *PIECE), strict=False)):
        notes[k] = operation(ax, x - 46, 168, f"after “{before}”" if before else "first word", 92, 30, KEY, size=10)
        line(ax, (x, 234), (x, 200))
        arrow(ax, (x, 200), notes[k].bottom)
    for left, right in itertools.pairwise(columns):
        arrow(ax, (left + 4, 232), (right - 8, 186), colour=VALUE)
    query = operation(ax, columns[now] - 46, 78, f"after “{PIECE[now]}”?", 92, 30, QUERY, size=10)
    arrow(ax, notes[now].top, query.bottom)
    found = operation(ax, columns[after] - 46, 78, f"value: {PIECE[after]}", 92, 30, VALUE, size=10)
    arrow(ax, query.left, found.right, colour=QUERY)
    arrow(ax, notes[after].top, found.bottom, colour=KEY)
    line(ax, found.top, (columns[after], 32), (columns[now] - 40, 32), colour=VALUE)
    arrow(ax, (columns[now] - 40, 32), (columns[now] - 26, 32), colour=VALUE)
    words(ax, columns[now] + 4, 32, PIECE[after], size=12, weight="bold")
    return describe(
        ax,
        "Two heads that copy",
        f"in “{' '.join(PIECE)}”, layer 1 writes into each word which word came before it; in layer 2, the query of the "
        f"second {PIECE[earlier]} looks for the note “after {PIECE[earlier]}” and finds it in {PIECE[after]}, whose value "
        "says what comes next.",
    )
