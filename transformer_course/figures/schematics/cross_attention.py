"""Lesson 13: cross-attention, from the decoder's tokens and the encoder's memory to the output."""

from matplotlib.axes import Axes

from ..description import describe
from ..drawing import arrow, arrows, filled, line, matrix, operation, page, words
from ..style import FAINT, KEY, QUERY, VALUE
from .example import SCORES, shades, softmax

TARGET, SOURCE = 2, 3  # tokens, as many as in the lesson's example
D = 4  # the width of all vectors: one head, as wide as the model


def cross_attention() -> Axes:
    ax = page(340)
    upper, key_row, value_row, path = 70, 186, 286, 120
    target = matrix(ax, 4, upper, filled(TARGET, D, FAINT), "Y", "$n × d$")
    memory = matrix(ax, 4, (key_row + value_row) / 2, filled(SOURCE, D, FAINT), "M", "$m × d$")
    words(ax, 4, 22, "decoder's tokens", ha="left")
    words(ax, 4, 307, "encoder's\nmemory", ha="left")
    made = {}
    rows = {
        "Q": (target, upper, TARGET, QUERY, "n × d"),
        "K": (memory, key_row, SOURCE, KEY, "m × d"),
        "V": (memory, value_row, SOURCE, VALUE, "m × d"),
    }
    for name, (source, y, tokens, colour, shape) in rows.items():
        projection = operation(ax, 120, y, f"$W_{name}$", 42, colour=colour, below="$d × d$")
        made[name] = matrix(ax, 182, y, filled(tokens, D, colour), name, f"${shape}$")
        fork = (100, source.right[1])
        line(ax, source.right, fork)
        arrow(ax, fork, (100, y), projection.left)
        arrow(ax, projection.right, made[name].left)
    product = operation(ax, 254, path, "$QK^T$", 46)
    arrow(ax, made["Q"].right, (product.top[0], upper), product.top)
    arrow(ax, made["K"].right, (product.bottom[0], key_row), product.bottom)
    scores = matrix(ax, 316, path, filled(TARGET, SOURCE, FAINT), "scores", "$n × m$")
    scale = operation(ax, 372, path, r"$÷\sqrt{d}$", 50)
    normalize = operation(ax, 436, path, "softmax", 62)
    colours = shades(softmax(SCORES[:TARGET, :SOURCE]))
    weights = matrix(ax, 516, path, colours, "weights", "$n × m$\neach row\nsums to 1")
    mixing = operation(ax, 572, path, "$· V$", 44)
    output = matrix(ax, 638, path, filled(TARGET, D, VALUE), "output", "$n × d$")
    arrows(ax, product, scores, scale, normalize, weights, mixing, output)
    arrow(ax, made["V"].right, (mixing.bottom[0], value_row), mixing.bottom)
    return describe(
        ax,
        "Data flow of cross-attention",
        "the decoder's tokens Y (n × d) give the queries Q (n × d); the encoder's memory M (m × d) gives the keys K "
        "(m × d) and the values V (m × d); QKᵀ gives scores (n × m), which are divided by √d; softmax makes them "
        "weights, each row with sum 1; weights times V give the output (n × d), one row for each of the decoder's tokens.",
    )
