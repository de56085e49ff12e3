"""Lesson 23: a block of 2017 beside one of today, and a mixture of experts."""

from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes

from ..description import describe
from ..drawing import Box, arrow, filled, line, matrix, operation, page, words
from ..style import FAINT, LIT
from .example import shades

CHOSEN = ((0.7, 1), (0.3, 3))  # a token's weights, and the experts that get them, counted from 0
EXPERTS = 4


def _chain(ax: Axes, middle: float, name: str, parts: tuple[tuple[str, int, bool], ...], skips: tuple[tuple[int, int], ...]):
    """One block as a row of boxes: their texts, widths, and whether they are new; skips lead round them to a plus."""
    words(ax, 34, middle - 12, name, 13, weight="bold")
    words(ax, 34, middle + 12, "$n × d$", 10)
    x, boxes = 84, []
    for text, width, new in parts:
        height = 26 if text == "+" else 62
        boxes.append(operation(ax, x, middle, text, width, height, colour=LIT if new else FAINT, size=10))
        x += width + 20
    arrow(ax, (62, middle), boxes[0].left)
    for before, after in pairwise(boxes):
        arrow(ax, before.right, after.left)
    arrow(ax, boxes[-1].right, (boxes[-1].right[0] + 24, middle))
    for first, plus in skips:
        start = boxes[first].left[0] - 10
        line(ax, (start, middle), (start, middle - 46), (boxes[plus].top[0], middle - 46))
        arrow(ax, (boxes[plus].top[0], middle - 46), boxes[plus].top)


def two_blocks() -> Axes:
    ax = page(290)
    old = (("attention:\neach head its\nkeys, values", 104, False), ("+", 26, False), ("LayerNorm", 84, False))
    old += (("ReLU network:\ntwo matrices", 104, False), ("+", 26, False), ("LayerNorm", 84, False))
    new = (("RMSNorm", 72, True), ("attention: rotated\nqueries and keys,\nshared by groups", 128, True), ("+", 26, False))
    new += (("RMSNorm", 72, True), ("SwiGLU:\nthree matrices,\nor experts", 112, True), ("+", 26, False))
    _chain(ax, 76, "2017", old, ((0, 1), (3, 4)))
    _chain(ax, 216, "today", new, ((0, 2), (3, 5)))
    words(ax, 300, 134, "before the first block: sine waves are added", 10)
    words(ax, 300, 274, "before the first block: nothing is added", 10)
    return describe(
        ax,
        "A block of 2017 and one of today",
        "2017: attention in which each head has its own keys and values, a sum with the input, LayerNorm, a network with "
        "ReLU, a sum, LayerNorm; today: RMSNorm, attention with rotated queries and keys that groups of heads share, a sum "
        "with the input, RMSNorm, SwiGLU or experts, a sum; vectors are n × d everywhere.",
    )


def experts() -> Axes:
    ax = page(250)
    middle, heights = 125, np.linspace(34, 216, EXPERTS)
    weights = np.zeros(EXPERTS)
    for weight, number in CHOSEN:
        weights[number] = weight
    token = matrix(ax, 8, middle, filled(1, 3, FAINT), "a token", "$1 × d$", cell=(16, 26))
    router = operation(ax, 92, middle, "router", 62, below="$d × e$")
    scores = matrix(
        ax, 196, middle, shades(weights[:, None]), "weights", "$e$", numbers=[[f"{w:g}"] for w in weights], cell=(36, 26)
    )
    arrow(ax, token.right, router.left)
    arrow(ax, router.right, scores.left)
    total = operation(ax, 560, middle, "weighted\nsum", 78, 60)
    for number, y in enumerate(heights):
        used = bool(weights[number])
        text = f"expert {number + 1}: {'SwiGLU' if used else 'not computed'}"
        box = operation(ax, 320, y, text, 170, 34, colour=LIT if used else FAINT)
        if used:
            _to_expert(ax, scores, number, box, total, f"× {weights[number]:g}")
    result = matrix(ax, 668, middle, filled(1, 3, FAINT), "output", "$1 × d$", cell=(16, 26))
    arrow(ax, total.right, result.left)
    used = ", ".join(f"expert {number + 1} with weight {weight:g}" for weight, number in CHOSEN)
    return describe(
        ax,
        "A mixture of experts",
        f"a token (1 × d) goes to the router, a matrix d × e, which gives a weight to each of e = {EXPERTS} experts; only the "
        f"two with the highest scores are computed: {used}; their outputs are added with these weights, and "
        "give a vector 1 × d.",
    )


def _to_expert(ax: Axes, scores: Box, number: int, box: Box, total: Box, factor: str) -> None:
    height = scores.y + (number + 0.5) * scores.height / EXPERTS
    arrow(ax, (scores.right[0] + 2, height), box.left)
    arrow(ax, box.right, (total.left[0], total.y + total.height * (0.25 if box.y < total.y else 0.75)))
    words(ax, box.right[0] + 34, box.right[1] + (-12 if box.y < total.y else 14), factor, 10)
