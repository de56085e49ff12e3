"""Lesson 25: weights as small integers, and drafted tokens that one pass checks."""

import numpy as np
from matplotlib.axes import Axes

from ..description import describe
from ..drawing import HOLLOW, arrow, arrows, filled, matrix, operation, page, words
from ..style import FAINT
from .example import shades

ROW = np.array([[0.70, -0.32, 0.14, 0.04, 2.80, -1.30, 0.70, 0.10]])
GROUP, LARGEST = 4, 7
DRAFTED, KEPT = ("file", "is", "closed"), 2  # how many of the drafted tokens are kept
TOKENS, REPLACEMENT = ("If", "the"), "not"


def quantization() -> Axes:
    ax = page(210)
    top, low, cell = 70, 160, (40, 26)
    scales = np.abs(ROW.reshape(-1, GROUP)).max(1) / LARGEST
    codes = np.round(ROW / scales.repeat(GROUP)).astype(int)
    size = ROW.shape[1]
    weights = matrix(ax, 8, top, filled(1, size, FAINT), "a row of weights", numbers=[[f"{x:.2f}" for x in ROW[0]]], cell=cell)
    rounded = matrix(ax, 8, low, filled(1, size, HOLLOW), "codes: 4 bits each", numbers=codes.tolist(), cell=cell)
    kept = matrix(
        ax, 560, low, filled(1, len(scales), FAINT), "scales: 16 bits each", numbers=[[f"{s:.1f}" for s in scales]], cell=cell
    )
    largest = operation(ax, 430, top, "largest magnitude of each group, ÷ 7", 270)
    divide = operation(ax, 360, low, "÷ scale, round", 120)
    arrow(ax, weights.right, largest.left)
    arrow(ax, (kept.left[0] + 40, largest.bottom[1]), (kept.left[0] + 40, kept.y - 24))
    arrow(ax, kept.left, divide.right)
    arrow(ax, divide.left, rounded.right)
    arrow(ax, (divide.left[0] + 30, top), (divide.left[0] + 30, low - 14))
    for group in range(size // GROUP):
        left, right = (8 + cell[0] * GROUP * (group + end) + (3, -3)[end] for end in (0, 1))
        ax.plot([left, left, right, right], [top + 18, top + 23, top + 23, top + 18], color=FAINT, lw=1.4)
        words(ax, (left + right) / 2, top + 33, f"group {group + 1}")
    return describe(
        ax,
        "Quantization in groups",
        f"a row of {size} weights in groups of {GROUP}; each group's largest magnitude, divided by {LARGEST}, is its scale: "
        f"{', '.join(f'{s:.1f}' for s in scales)}; the weights divided by it and rounded are the codes "
        f"{', '.join(map(str, codes[0]))}; codes and scales are stored.",
    )


def speculative() -> Axes:
    ax = page(250)
    count, wide, high, v = len(DRAFTED), 56, 30, 6
    q, p = np.random.default_rng(3).dirichlet(np.ones(v), count), np.random.default_rng(4).dirichlet(np.ones(v), count + 1)
    middle = 132
    first = middle + 6 - high * count / 2  # the height of the first drafted token, a row below the model's first
    numbers = [[token] for token in DRAFTED]
    draft = operation(ax, 8, middle + 6, "draft", 60, 66)
    proposed = matrix(
        ax, 100, first + high * count / 2, filled(count, 1, HOLLOW), "drafted", "$k$", numbers=numbers, cell=(wide, high)
    )
    proposals = matrix(ax, 166, first + high * count / 2, shades(q), "q", "$k × v$", cell=(13, high))
    model = operation(ax, 284, middle + 20, "model:\none pass", 78, 104)
    own = matrix(ax, 400, first + high * (count + 1) / 2, shades(p), "p", "$(k + 1) × v$", cell=(13, high))
    arrows(ax, draft, proposed)
    arrow(ax, (proposals.right[0], middle + 6), (model.left[0], middle + 6))
    arrow(ax, (model.right[0], middle + 20), (own.left[0], middle + 20))
    words(ax, draft.left[0] + 30, 40, " ".join(TOKENS) + " …", 11)
    arrow(ax, (draft.left[0] + 30, 54), (draft.left[0] + 30, draft.y))
    for i in range(count + 1):
        y = first + high * (i + 0.5)
        arrow(ax, (own.right[0] + 4, y), (own.right[0] + 36, y))
        token = DRAFTED[i] if i < KEPT else REPLACEMENT if i == KEPT else ""
        if token:
            matrix(ax, own.right[0] + 42, y, [[FAINT if i < KEPT else HOLLOW]], numbers=[[token]], cell=(wide, high - 4))
        said = "kept: min(1, p/q)" if i < KEPT else "rejected, replaced" if i == KEPT else "not used this time"
        words(ax, own.right[0] + (106 if token else 42), y, said, ha="left")
    return describe(
        ax,
        "A draft and its check",
        f"the draft proposes {count} tokens ({', '.join(DRAFTED)}), each from a distribution q; one pass of the model gives "
        f"its own distributions p, one more than drafted tokens; here the first {KEPT} are kept, the next is rejected and "
        f"replaced ({REPLACEMENT}), and the rest is not used.",
    )
