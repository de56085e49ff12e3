"""Lesson 02: dot products, softmax and a mixture, with the numbers of red, car and orange."""

import itertools

import numpy as np
from matplotlib.axes import Axes

from ..description import describe
from ..drawing import arrow, filled, matrix, operation, page, words
from ..style import FAINT, QUERY, VALUE
from .example import shades, softmax

X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])  # the three words of lesson 02
NAMES = ("red", "car", "orange")


def mixture() -> Axes:
    ax = page(250)
    rows, middle = (66, 136, 206), 136
    scores = X @ X[0]
    weights = softmax(scores)
    parts = weights[:, None] * X
    number = "{:.4f}".format
    for title, x in (("tokens", 31), ("scores", 171), ("weights", 297), ("weight × token", 477), ("new vector", 655)):
        words(ax, x, 14, title, 11, weight="bold")
    normalize = operation(ax, 195, middle, "softmax", 64, 190)
    total = operation(ax, 543, middle, "sum", 44, 190)
    for k, y in enumerate(rows):
        token = matrix(ax, 5, y, filled(1, 2, FAINT), numbers=[[f"{value:.0f}" for value in X[k]]], cell=(25, 30))
        words(ax, token.top[0], token.y - 3, NAMES[k], va="bottom")
        dot = operation(ax, 66, y, "dot product\nwith red", 86, 42, colour=QUERY, size=9)
        score = matrix(ax, 160, y, [[FAINT]], numbers=[[f"{scores[k]:.0f}"]], cell=(22, 30))
        weight = matrix(ax, 271, y, shades(weights[[k], None]), numbers=[[number(weights[k])]], cell=(52, 30))
        times = operation(ax, 337, y, f"× {NAMES[k]}", 74, colour=VALUE)
        part = matrix(ax, 425, y, filled(1, 2, VALUE), numbers=[[number(value) for value in parts[k]]], cell=(52, 30))
        chain = (token, dot, score, normalize, weight, times, part, total)
        for before, after in itertools.pairwise(chain):
            arrow(ax, (before.right[0], y), (after.left[0], y))
    result = matrix(ax, 603, middle, filled(1, 2, VALUE), numbers=[[number(value) for value in parts.sum(0)]], cell=(52, 30))
    arrow(ax, total.right, result.left)
    items = (f"{NAMES[k]} has score {scores[k]:.0f} and weight {weights[k]:.4f}" for k in range(len(X)))
    new = ", ".join(number(value) for value in parts.sum(0))
    flow = "dot products with red, softmax, weighted sum"
    return describe(ax, "Data flow of a mixture", f"{flow}; {', '.join(items)}; the new red is [{new}].")
