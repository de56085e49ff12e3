"""Lesson 21: how to find a run that can decide whether a claim is true."""

from matplotlib.axes import Axes

from ..description import describe
from ..drawing import HOLLOW, arrow, arrows, filled, matrix, operation, page, words

CELL = (30, 26)


def claim_test() -> Axes:
    ax = page(226)
    middle, up, down, back = 92, 48, 136, 186
    case = operation(ax, 10, middle, "a small case", 104, 34)
    claim = operation(ax, 150, up, "what the claim predicts", 192, 34)
    opposite = operation(ax, 150, down, "what its opposite predicts", 192, 34)
    one = matrix(ax, 372, up, filled(1, 1, HOLLOW), numbers=[["A"]], cell=CELL)
    other = matrix(ax, 372, down, filled(1, 1, HOLLOW), numbers=[["B"]], cell=CELL)
    compare = operation(ax, 446, middle, "is A = B?", 86, 34)
    run = operation(ax, 590, middle, "run it,\nwith a control", 112, 46)
    for box, value in ((claim, one), (opposite, other)):
        arrows(ax, case, box, value, compare)
    arrow(ax, compare.right, run.left)
    words(ax, (compare.right[0] + run.left[0]) / 2, middle - 12, "no")
    arrow(ax, compare.bottom, (compare.bottom[0], back), (case.bottom[0], back), case.bottom)
    words(ax, (case.bottom[0] + compare.bottom[0]) / 2, back + 16, "yes: this run could not fail, so take a different case")
    return describe(
        ax,
        "A run that can fail",
        "for a small case, write down what the claim predicts (A) and what its opposite predicts (B); if A = B, the run could "
        "not fail, so take a different case; if not, run it, with a control.",
    )
