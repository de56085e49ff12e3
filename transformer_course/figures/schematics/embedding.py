"""Lesson 06: from a text to a model's first tensor."""

from matplotlib.axes import Axes

from ..description import describe
from ..drawing import arrow, arrows, filled, matrix, operation, page, words
from ..style import CYCLE, FAINT
from .example import D

TOKENS, IDS = ("three", "hundred", "and", "five"), (31, 15, 4, 11)  # in the vocabulary of the course's translator
POSITION = CYCLE[3]


def embedding() -> Axes:
    ax = page(252)
    middle, low, cell = 86, 196, (13, 20)
    n = len(TOKENS)
    words(ax, 46, middle, "three hundred\nand five", style="italic")
    words(ax, 46, middle - n * cell[1] / 2 - 5, "text", 11, va="bottom", weight="bold")
    tokens = matrix(ax, 116, middle, filled(n, 1, FAINT), "tokens", "$n$", [[token] for token in TOKENS], (62, cell[1]))
    ids = matrix(ax, 204, middle, filled(n, 1, FAINT), "ids", "$n$", [[number] for number in IDS], (30, cell[1]))
    look_up = operation(ax, 262, middle, "look up\nin $E$", 62, 42, below="$v × d$")
    rows = matrix(ax, 352, middle, filled(n, D, FAINT), "rows of E", "$n × d$", cell=cell)
    scale = operation(ax, 456, middle, r"$× \sqrt{d}$", 50)
    add = operation(ax, 534, middle, "+", 28)
    first = matrix(ax, 594, middle, filled(n, D, FAINT), "X", "$n × d$", cell=cell)
    positions = matrix(ax, add.bottom[0] - D * cell[0] / 2, low, filled(n, D, POSITION), shape="$n × d$", cell=cell)
    for number in range(n):
        words(ax, positions.x - 9, positions.y + (number + 0.5) * cell[1], str(number))
    words(ax, positions.x - 24, low, "positions", 11, ha="right", weight="bold")
    arrow(ax, (92, middle), tokens.left)
    arrows(ax, tokens, ids, look_up, rows, scale, add, first)
    arrow(ax, positions.top, add.bottom)
    numbered = ", ".join(f"{token} is {number}" for token, number in zip(TOKENS, IDS, strict=True))
    return describe(
        ax,
        "From a text to the first tensor",
        f"the text is cut into n = {n} tokens, and each becomes its id: {numbered}; each id picks its row of the table "
        "E (v × d); these rows (n × d) are multiplied by √d, the rows of positions 0 to "
        f"{n - 1} (n × d) are added, and the sum is X (n × d).",
    )
