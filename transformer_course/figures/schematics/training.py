"""Lesson 15: one step of training."""

import itertools

from matplotlib.axes import Axes

from ..description import describe
from ..drawing import arrow, arrows, filled, matrix, operation, page, words
from ..style import FAINT

B, M, V = 3, 4, 6  # sequences of the batch, tokens of each, entries of the vocabulary


def training() -> Axes:
    ax = page(200)
    middle, back = 62, 160
    batch = matrix(ax, 6, middle, filled(B, M, FAINT), "batch", "$b × m$, $b × n$")
    model = operation(ax, 106, middle, "Transformer", 92, 44)
    logits = matrix(ax, 260, middle, filled(B, V, FAINT), "logits", "$b × n × v$")
    cost = operation(ax, 386, middle, "cross-entropy", 100, 44, below="labels: $b × n$")
    loss = matrix(ax, 548, middle, filled(1, 1, FAINT), "loss", "one number")
    gradient = operation(ax, 514, back, "backward()", 81, 30)
    clip = operation(ax, 360, back, "clip to length 1", 112, 30)
    optimizer = operation(ax, 238, back, "AdamW", 80, 30)
    parameters = operation(ax, 106, back, "parameters", 92, 30, colour=FAINT)
    arrows(ax, batch, model, logits, cost, loss)
    arrow(ax, (loss.bottom[0], loss.bottom[1] + 20), gradient.top)
    for before, after in itertools.pairwise((gradient, clip, optimizer, parameters)):
        arrow(ax, before.left, after.right)
    arrow(ax, parameters.top, model.bottom)
    words(ax, gradient.bottom[0], gradient.bottom[1] + 12, "a gradient for each parameter", 9)
    words(ax, optimizer.bottom[0], optimizer.bottom[1] + 12, "learning rate", 9)
    return describe(
        ax,
        "One step of training",
        "a batch of sources (b × m) and target inputs (b × n) goes through the Transformer; its logits (b × n × v) and the "
        "labels (b × n) give the loss, one number; backward computes a gradient for each parameter, which is clipped to "
        "length 1, and AdamW changes the parameters of the Transformer.",
    )
