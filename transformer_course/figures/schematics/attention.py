"""Lessons 03 and 04: attention from X to the output, and where a mask acts."""

import numpy as np
from matplotlib.axes import Axes

from ..description import describe
from ..drawing import HOLLOW, arrow, arrows, filled, line, matrix, operation, page, words
from ..style import FAINT, KEY, QUERY, VALUE
from .example import D_K, D_V, SCORES, D, N, shades, softmax


def attention() -> Axes:
    ax = page(352)
    lines = {"Q": (75, QUERY, D_K, "d_k"), "K": (185, KEY, D_K, "d_k"), "V": (300, VALUE, D_V, "d_v")}
    source = matrix(ax, 4, 185, filled(N, D, FAINT), "X", "$n × d$")
    made = {}
    for name, (y, colour, columns, width) in lines.items():
        projection = operation(ax, 112, y, f"$W_{name}$", 42, colour=colour, below=f"$d × {width}$")
        made[name] = matrix(ax, 174, y, filled(N, columns, colour), name, f"$n × {width}$")
        start = (96, 185)
        line(ax, source.right, start)
        arrow(ax, start, (96, y), projection.left)
        arrow(ax, projection.right, made[name].left)
    path = 130
    product = operation(ax, 244, path, "$QK^T$", 46)
    arrow(ax, made["Q"].right, (product.top[0], 75), product.top)
    arrow(ax, made["K"].right, (product.bottom[0], 185), product.bottom)
    scores = matrix(ax, 306, path, filled(N, N, FAINT), "scores", "$n × n$")
    scale = operation(ax, 374, path, r"$÷\sqrt{d_k}$", 50)
    normalize = operation(ax, 440, path, "softmax", 62)
    weights = matrix(ax, 518, path, shades(softmax(SCORES)), "weights", "$n × n$\neach row\nsums to 1")
    mixing = operation(ax, 588, path, "$· V$", 46)
    output = matrix(ax, 650, path, filled(N, D_V, VALUE), "output", "$n × d_v$")
    arrows(ax, product, scores, scale, normalize, weights, mixing, output)
    arrow(ax, made["V"].right, (mixing.bottom[0], 300), mixing.bottom)
    return describe(
        ax,
        "Data flow of attention",
        "X (n × d) times W_Q, W_K and W_V gives Q and K (n × d_k) and V (n × d_v); QKᵀ gives scores (n × n), which are "
        "divided by √d_k; softmax makes them weights, each row with sum 1; weights times V are the output (n × d_v).",
    )


def mask() -> Axes:
    ax = page(392)
    seen, cell = np.tri(N, dtype=bool), (17, 17)
    path, low = 164, 341
    query = matrix(ax, 4, 104, filled(N, D_K, QUERY), "Q", "$n × d_k$", cell=cell)
    key = matrix(ax, 4, 224, filled(N, D_K, KEY), "K", "$n × d_k$", cell=cell)
    value = matrix(ax, 4, low, filled(N, D_V, VALUE), "V", "$n × d_v$", cell=cell)
    product = operation(ax, 76, path, "$QK^T$", 46)
    arrow(ax, query.right, (product.top[0], query.right[1]), product.top)
    arrow(ax, key.right, (product.bottom[0], key.right[1]), product.bottom)
    scores = matrix(ax, 136, path, filled(N, N, FAINT), "scores", "$n × n$", cell=cell)
    scale = operation(ax, 218, path, r"$÷\sqrt{d_k}$", 48)
    allowed = matrix(ax, 269, 60, np.where(seen, FAINT, HOLLOW), "mask", cell=cell)
    words(ax, 345, 60, "filled: token i may look at token j\nempty: it may not", ha="left")
    hide = operation(ax, 280, path, "hide", 46)
    arrow(ax, allowed.bottom, hide.top)
    hidden = matrix(ax, 340, path, np.where(seen, FAINT, HOLLOW), "masked", "$n × n$\nempty: −∞", cell=cell)
    normalize = operation(ax, 422, path, "softmax", 64)
    colours = shades(softmax(np.where(seen, SCORES, -np.inf)))
    weights = matrix(ax, 500, path, colours, "weights", "$n × n$\neach row\nsums to 1", np.where(seen, "", "0"), cell)
    mixing = operation(ax, 582, path, "$· V$", 46)
    output = matrix(ax, 642, path, filled(N, D_V, VALUE), "output", "$n × d_v$", cell=cell)
    arrows(ax, product, scores, scale, hide, hidden, normalize, weights, mixing, output)
    arrow(ax, value.right, (mixing.bottom[0], low), mixing.bottom)
    return describe(
        ax,
        "Data flow of masked attention",
        "scores QKᵀ (n × n) are divided by √d_k; then the mask, a triangle, puts −∞ where a token may not look at a later "
        "one, so that softmax gives it weight 0; each row still sums to 1; weights times V are the output (n × d_v).",
    )
