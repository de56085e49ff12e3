"""Lesson 17: scores in blocks, the cache step by step, and what current models keep for each token."""

import numpy as np
from matplotlib.axes import Axes

from ..description import describe
from ..drawing import arrow, filled, line, matrix, page, words
from ..style import FAINT, KEY, QUERY, VALUE
from .example import SCORES, shades, softmax

KEPT = "66"  # the opacity of keys and values that an earlier step has computed
PALE = FAINT + "33"  # a score that does not exist
TOKENS = ("If", "the", "file")
WINDOW = 3  # tokens that a query of the sliding window may look at, itself included


def blocks() -> Axes:
    ax = page(250)
    n, block, cell = 9, 3, (18, 18)
    middle, now = 136, slice(3, 6)
    at_once = matrix(ax, 60, middle, filled(n, n, FAINT), "plain: all scores at once", "$n × n$", cell=cell)
    moment = np.full((n, n), PALE, dtype=object)
    moment[now, now] = FAINT
    places = matrix(ax, 330, middle, moment, "in blocks: one block at a time", cell=cell)
    words(ax, at_once.left[0] - 8, middle, "queries", rotation=90, ha="right")
    words(ax, places.left[0] - 8, middle, "queries", rotation=90, ha="right")
    words(ax, places.bottom[0], places.bottom[1] + 5, "keys: the block moves from left to right", va="top")
    largest = matrix(ax, 530, middle, filled(block, 1, FAINT), "$m$", cell=cell)
    matrix(ax, 570, middle, filled(block, 1, FAINT), r"$\ell$", cell=cell)
    weighted = matrix(ax, 610, middle, filled(block, 4, VALUE), "$u$", "$d_v$", cell=cell)
    arrow(ax, places.right, largest.left)
    words(ax, (largest.left[0] + weighted.right[0]) / 2, middle - 66, "kept for each query", 11, weight="bold")
    return describe(
        ax,
        "Scores in blocks",
        f"plain attention holds all n × n scores at once; in blocks, only {block} × {block} of the {n} × {n} scores exist at "
        "a time, and for each query of the block three things are kept: the largest score m, the sum ℓ, and u, the weighted "
        "sum of the values (d_v numbers).",
    )


def cache() -> Axes:
    ax = page(240)
    middle, low, width = 92, 200, 3
    for t, token in enumerate(TOKENS, start=1):
        x = 240 * (t - 1) + 16
        words(ax, x + 100, 16, f"step {t}: {token}", 11, weight="bold")
        query = matrix(ax, x, middle, filled(1, width, QUERY), "q", "$1 × d_k$", cell=(16, 16))
        keys, values = (np.full((t, width), colour + KEPT, dtype=object) for colour in (KEY, VALUE))
        keys[-1], values[-1] = KEY, VALUE
        matrix(ax, x + 76, middle, keys, "K", f"${t} × d_k$", cell=(16, 16))
        matrix(ax, x + 152, middle, values, "V", f"${t} × d_v$", cell=(16, 16))
        weights = matrix(ax, x + 76, low, shades(softmax(SCORES[[t], :t])), "weights", f"$1 × {t}$", cell=(16, 16))
        output = matrix(ax, x + 152, low, filled(1, width, VALUE), "output", "$1 × d_v$", cell=(16, 16))
        corner = (query.bottom[0], low)
        line(ax, (query.bottom[0], query.bottom[1] + 22), corner)
        arrow(ax, corner, weights.left)
        arrow(ax, weights.right, output.left)
    return describe(
        ax,
        "The cache, step by step",
        "; ".join(
            f"step {t} ({token}) computes one query, one key and one value; keys and values kept from earlier: {t - 1}"
            for t, token in enumerate(TOKENS, start=1)
        )
        + ".",
    )


def shared_keys() -> Axes:
    ax = page(210)
    heads, cell = 4, (18, 18)
    kinds = {"one per head": 4, "grouped-query": 2, "multi-query": 1}
    for k, (name, groups) in enumerate(kinds.items()):
        x = 150 * k + 4
        words(ax, x + 66, 16, name, 11, weight="bold")
        for head in range(heads):
            query = matrix(ax, x + 34 * head + 6, 62, [[QUERY]], cell=cell)
            group = x + 34 * heads / groups * (head * groups // heads + 0.5)
            line(ax, query.bottom, (group - 2, 118))
        for group in range(groups):
            centre = x + 34 * heads / groups * (group + 0.5) - 2
            matrix(ax, centre - 9, 127, [[KEY]], cell=cell)
            matrix(ax, centre - 9, 147, [[VALUE]], cell=cell)
    for y, text in ((62, "queries"), (127, "keys"), (147, "values")):
        words(ax, 446, y, text, ha="left")
    n = 8
    i, j = np.indices((n, n))
    pattern = np.where((j <= i) & (j > i - WINDOW), FAINT, PALE)
    window = matrix(ax, 560, 110, pattern, f"sliding window of {WINDOW}", cell=(16, 16))
    words(ax, window.left[0] - 8, 110, "queries", rotation=90, ha="right")
    words(ax, window.bottom[0], window.bottom[1] + 5, "keys", va="top")
    return describe(
        ax,
        "What current models keep",
        "; ".join(f"{name}: {heads} heads, keys and values for {groups}" for name, groups in kinds.items())
        + f"; sliding window: each query attends to the last {WINDOW} tokens, itself included.",
    )
