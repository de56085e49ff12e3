"""Lesson 16: one step of the loop that generates a sequence."""

import itertools

import numpy as np
from matplotlib.axes import Axes

from ..description import describe
from ..drawing import HOLLOW, arrow, arrows, filled, matrix, operation, page, words
from ..style import FAINT
from .example import shades, softmax

TOKENS, CHOSEN = ("If", "the", "file"), "is"
LAST_ROW = np.array([[0.1, 1.0, -0.6, 2.4, 0.5, -0.2, 0.8]])  # logits of the last position, for v = 7 tokens
ROW = 28  # the height of one token's row


def generation() -> Axes:
    ax = page(206)
    middle = 84
    last = middle + ROW * (len(TOKENS) - 1) / 2  # the height of the last row
    column, cell = filled(len(TOKENS), 1, FAINT), (56, ROW)
    tokens = matrix(ax, 6, middle, column, "tokens so far", numbers=[[token] for token in TOKENS], cell=cell)
    words(ax, tokens.right[0] + 6, tokens.y + 8, "$n$", ha="left")
    model = operation(ax, 116, middle, "model", 62, 104)
    rows = np.full((len(TOKENS), LAST_ROW.shape[1]), HOLLOW, dtype=object)
    rows[-1] = FAINT
    logits = matrix(ax, 214, middle, rows, "logits", "$n × v$", cell=(16, ROW))
    normalize = operation(ax, 364, last, "softmax", 64)
    probabilities = matrix(ax, 466, last, shades(softmax(LAST_ROW)), "probabilities", "$v$", cell=(16, ROW))
    choose = operation(ax, 620, last, "choose", 64)
    arrows(ax, tokens, model, logits)
    chain = ((logits.right[0], last), normalize, probabilities, choose)
    ends = [(point, point) if isinstance(point, tuple) else (point.left, point.right) for point in chain]
    for (_, start), (end, _) in itertools.pairwise(ends):
        arrow(ax, start, end)
    new = matrix(ax, 6, 182, [[HOLLOW]], numbers=[[CHOSEN]], cell=cell)
    arrow(ax, choose.bottom, (choose.bottom[0], new.right[1]), new.right)
    words(ax, choose.bottom[0] - 8, new.right[1] - 10, "token n + 1, appended for the next step", ha="right")
    return describe(
        ax,
        "One step of generating",
        f"the model reads the n tokens so far ({', '.join(TOKENS)}) and outputs logits (n × v); softmax turns the last row "
        f"into v probabilities; a rule chooses a token from them ({CHOSEN}), which is appended as token n + 1.",
    )
