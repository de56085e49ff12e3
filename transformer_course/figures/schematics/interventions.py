"""Lesson 20: one head of an attention, and the three places where an experiment can intervene."""

from matplotlib.axes import Axes

from ..description import describe
from ..drawing import CELL, arrow, arrows, filled, matrix, operation, page, words
from ..style import FAINT, VALUE
from .example import SCORES, shades, softmax

QUERIES, TOKENS = 2, 3  # as in the course's example
D = 3  # the width of the head


def interventions() -> Axes:
    ax = page(264)
    path, below = 120, 210
    scores = matrix(ax, 20, path, filled(QUERIES, TOKENS, FAINT), "scores", "$n × m$")
    normalize = operation(ax, 98, path, "softmax", 62)
    colours = shades(softmax(SCORES[:QUERIES, :TOKENS]))
    weights = matrix(ax, 222, path, colours, "weights", "$n × m$")
    mixing = operation(ax, 310, path, "$· V$", 44)
    values = matrix(ax, mixing.bottom[0] - D * CELL / 2, below, filled(TOKENS, D, VALUE), "", "V: $m × d_v$")
    output = matrix(ax, 414, path, filled(QUERIES, D, VALUE), "head's output", "$n × d_v$")
    projection = operation(ax, 510, path, "$W_O$", 42, below="$d_v × d$")
    added = matrix(ax, 620, path, filled(QUERIES, 6, FAINT), "added to\nthe stream", "$n × d$")
    arrows(ax, scores, normalize, weights, mixing, output, projection, added)
    arrow(ax, values.top, mixing.bottom)
    marks = (
        (scores, "hide a token:\nits score becomes −∞"),
        (weights, "exchange\nthe weights"),
        (output, "silence the head:\nzeros"),
    )
    for box, text in marks:
        x = max(box.top[0], 66)
        words(ax, x, 28, text, weight="bold")
        arrow(ax, (box.top[0], 48), (box.top[0], box.y - 22))
    return describe(
        ax,
        "Three interventions in one head",
        "softmax turns the scores (n × m) into weights (n × m); weights times the values V (m × d_v) give the head's output "
        "(n × d_v), which goes through its rows of W_O (d_v × d) and is added to the stream (n × d); hiding a token changes "
        "the scores, before softmax; exchanging weights comes after softmax; silencing the head replaces its output by zeros.",
    )
