"""The data flow of each operation, with the shapes on the way."""

import itertools
from collections.abc import Callable
from difflib import get_close_matches

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex

from .description import describe
from .drawing import HOLLOW, arrow, filled, line, matrix, operation, page, words
from .style import FAINT, KEY, MAP, QUERY, VALUE

X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])  # the three words of lesson 02
NAMES = ("red", "car", "orange")
N, D, D_K, D_V = 4, 6, 3, 4  # sizes as drawn: n tokens of width d, and the widths of keys and values
HEADS, D_HEAD = 3, 2


def schematic(name: str) -> Axes:
    """Draw the data flow of an operation with its shapes; ``SCHEMATICS`` lists the names.

    Queries, keys and values have the same colours in all drawings; so have the weights, those of a heat map.

    Raises ValueError for an unknown name, and suggests the most similar one.
    """
    if name not in SCHEMATICS:
        near = get_close_matches(name, SCHEMATICS, n=1, cutoff=0.0)[0]
        raise ValueError(f"unknown schematic {name!r}; did you mean {near!r}?")
    return SCHEMATICS[name]()


def _softmax(scores: np.ndarray) -> np.ndarray:
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum(-1, keepdims=True)


def _shades(weights: np.ndarray) -> np.ndarray:
    """Return the colours that a heat map gives to weights."""
    return np.array([[to_hex(mpl.colormaps[MAP](weight)) for weight in row] for row in weights])


def _mixture() -> Axes:
    ax = page(250)
    rows, middle = (66, 136, 206), 136
    scores = X @ X[0]
    weights = _softmax(scores)
    parts = weights[:, None] * X
    number = "{:.4f}".format
    for title, x in (("tokens", 31), ("scores", 171), ("weights", 297), ("weight × token", 477), ("new vector", 655)):
        words(ax, x, 14, title, 11, weight="bold")
    softmax = operation(ax, 195, middle, "softmax", 64, 190)
    total = operation(ax, 543, middle, "sum", 44, 190)
    for k, y in enumerate(rows):
        token = matrix(ax, 5, y, filled(1, 2, FAINT), numbers=[[f"{value:.0f}" for value in X[k]]], cell=(25, 30))
        words(ax, token.top[0], token.y - 3, NAMES[k], va="bottom")
        dot = operation(ax, 66, y, "dot product\nwith red", 86, 42, colour=QUERY, size=9)
        score = matrix(ax, 160, y, [[FAINT]], numbers=[[f"{scores[k]:.0f}"]], cell=(22, 30))
        weight = matrix(ax, 271, y, _shades(weights[[k], None]), numbers=[[number(weights[k])]], cell=(52, 30))
        times = operation(ax, 337, y, f"× {NAMES[k]}", 74, colour=VALUE)
        part = matrix(ax, 425, y, filled(1, 2, VALUE), numbers=[[number(value) for value in parts[k]]], cell=(52, 30))
        chain = (token, dot, score, softmax, weight, times, part, total)
        for before, after in itertools.pairwise(chain):
            arrow(ax, (before.right[0], y), (after.left[0], y))
    result = matrix(ax, 603, middle, filled(1, 2, VALUE), numbers=[[number(value) for value in parts.sum(0)]], cell=(52, 30))
    arrow(ax, total.right, result.left)
    items = (f"{NAMES[k]} has score {scores[k]:.0f} and weight {weights[k]:.4f}" for k in range(len(X)))
    new = ", ".join(number(value) for value in parts.sum(0))
    flow = "dot products with red, softmax, weighted sum"
    describe(ax, "Data flow of a mixture", f"{flow}; {', '.join(items)}; the new red is [{new}].")
    return ax


# Scores of four tokens, so that the weights of a drawing have the shades of real ones.
SCORES = np.array([[1.5, 0.2, -0.5, 0.4], [0.3, 0.8, 1.6, -1.0], [-0.6, 2.0, 0.4, 0.9], [0.9, -0.4, 1.2, 1.4]])


def _attention() -> Axes:
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
    softmax = operation(ax, 440, path, "softmax", 62)
    weights = matrix(ax, 518, path, _shades(_softmax(SCORES)), "weights", "$n × n$\neach row\nsums to 1")
    mixing = operation(ax, 588, path, "$· V$", 46)
    output = matrix(ax, 650, path, filled(N, D_V, VALUE), "output", "$n × d_v$")
    chain = (product, scores, scale, softmax, weights, mixing, output)
    for before, after in itertools.pairwise(chain):
        arrow(ax, before.right, after.left)
    arrow(ax, made["V"].right, (mixing.bottom[0], 300), mixing.bottom)
    describe(
        ax,
        "Data flow of attention",
        "X (n × d) times W_Q, W_K and W_V gives Q and K (n × d_k) and V (n × d_v); QKᵀ gives scores (n × n), which are "
        "divided by √d_k; softmax makes them weights, each row with sum 1; weights times V are the output (n × d_v).",
    )
    return ax


def _mask() -> Axes:
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
    mask = matrix(ax, 269, 60, np.where(seen, FAINT, HOLLOW), "mask", cell=cell)
    words(ax, 345, 60, "filled: token i may look at token j\nempty: it may not", ha="left")
    hide = operation(ax, 280, path, "hide", 46)
    arrow(ax, mask.bottom, hide.top)
    hidden = matrix(ax, 340, path, np.where(seen, FAINT, HOLLOW), "masked", "$n × n$\nempty: −∞", cell=cell)
    softmax = operation(ax, 422, path, "softmax", 64)
    shades = _shades(_softmax(np.where(seen, SCORES, -np.inf)))
    weights = matrix(ax, 500, path, shades, "weights", "$n × n$\neach row\nsums to 1", np.where(seen, "", "0"), cell)
    mixing = operation(ax, 582, path, "$· V$", 46)
    output = matrix(ax, 642, path, filled(N, D_V, VALUE), "output", "$n × d_v$", cell=cell)
    chain = (product, scores, scale, hide, hidden, softmax, weights, mixing, output)
    for before, after in itertools.pairwise(chain):
        arrow(ax, before.right, after.left)
    arrow(ax, value.right, (mixing.bottom[0], low), mixing.bottom)
    describe(
        ax,
        "Data flow of masked attention",
        "scores QKᵀ (n × n) are divided by √d_k; then the mask, a triangle, puts −∞ where a token may not look at a later "
        "one, so that softmax gives it weight 0; each row still has sum 1; weights times V are the output (n × d_v).",
    )
    return ax


def _heads() -> Axes:
    ax = page(334)
    rows, middle = (66, 168, 270), 168
    source = matrix(ax, 2, middle, filled(N, D, FAINT), "X", "$n × d$")
    project = operation(ax, 96, middle, "$W_Q$\n\n$W_K$\n\n$W_V$", 44, 110, below="$d × h·d_k$")
    split = operation(ax, 158, middle, "split", 24, 306, turned=True)
    concatenate = operation(ax, 446, middle, "concatenate", 24, 306, turned=True)
    together = matrix(ax, 486, middle, filled(N, HEADS * D_HEAD, VALUE), "all heads", "$n × h·d_v$")
    mixing = operation(ax, 580, middle, "$W_O$", 44, below="$h·d_v × d$")
    output = matrix(ax, 640, middle, filled(N, D, FAINT), "output", "$n × d$")
    for before, after in ((source, project), (project, split), (concatenate, together), (together, mixing), (mixing, output)):
        arrow(ax, before.right, after.left)
    for head, y in enumerate(rows, start=1):
        query = matrix(ax, 198, y, filled(N, D_HEAD, QUERY), f"$Q_{head}$")
        key = matrix(ax, 234, y, filled(N, D_HEAD, KEY), f"$K_{head}$")
        value = matrix(ax, 270, y, filled(N, D_HEAD, VALUE), f"$V_{head}$", "$n × d_v$")
        words(ax, (query.left[0] + key.right[0]) / 2, query.bottom[1] + 5, "$n × d_k$", va="top")
        attention = operation(ax, 312, y, "attention", 68)
        words(ax, attention.top[0], attention.y - 5, f"head {head}", 11, va="bottom", weight="bold")
        result = matrix(ax, 398, y, filled(N, D_HEAD, VALUE), f"$Z_{head}$", "$n × d_v$")
        arrow(ax, (split.right[0], y), query.left)
        arrow(ax, value.right, attention.left)
        arrow(ax, attention.right, result.left)
        arrow(ax, result.right, (concatenate.left[0], y))
    describe(
        ax,
        "Data flow of several heads",
        f"X (n × d) times W_Q, W_K and W_V (d × h·d_k) is split into h = {HEADS} heads; each head computes attention on "
        "its own Q and K (n × d_k) and V (n × d_v); the results are concatenated (n × h·d_v), and W_O (h·d_v × d) gives "
        "the output (n × d).",
    )
    return ax


SCHEMATICS: dict[str, Callable[[], Axes]] = {"mixture": _mixture, "attention": _attention, "mask": _mask, "heads": _heads}
