"""Lesson 14: from the decoder's vectors to the loss."""

from matplotlib.axes import Axes

from ..description import describe
from ..drawing import arrows, filled, matrix, operation, page
from ..style import FAINT
from .example import D, N, shades, softmax

LOGITS = (
    (3.0, 0.0, 0.0, 1.0, 0.0),
    (0.0, 0.0, 2.0, 0.0, 1.0),
    (1.0, 2.0, 0.0, 0.0, 3.0),
    (0.0, 3.0, 0.0, 0.0, 0.0),
)  # n rows, v columns


def output() -> Axes:
    ax = page(150)
    middle, v = 80, len(LOGITS[0])
    vectors = matrix(ax, 6, middle, filled(N, D, FAINT), "vectors", "$n × d$")
    linear = operation(ax, 94, middle, "$W_{\\mathrm{out}}$", 56, below="$d × v$")
    logits = matrix(ax, 184, middle, filled(N, v, FAINT), "logits", "$n × v$")
    normalize = operation(ax, 284, middle, "softmax", 64)
    probabilities = matrix(ax, 384, middle, shades(softmax(LOGITS)), "probabilities", "$n × v$")
    pick = operation(ax, 484, middle, "−log p\nof the label", 88, 42, below="labels: $n$")
    losses = matrix(ax, 602, middle, filled(N, 1, FAINT), "losses", "$n$")
    mean = operation(ax, 638, middle, "mean", 44)
    loss = matrix(ax, 700, middle, filled(1, 1, FAINT), "loss")
    arrows(ax, vectors, linear, logits, normalize, probabilities, pick, losses, mean, loss)
    return describe(
        ax,
        "Data flow from vectors to the loss",
        "The vectors (n × d) times W_out (d × v) give the logits (n × v); softmax turns each row into probabilities "
        "(n × v); −log of each label's probability gives n losses, and their mean is the loss, one number.",
    )
