"""A learner's progress as a picture."""

import math
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from .description import describe, listed
from .style import CYCLE, FAINT, RC, axes_or_new

ROW = 0.24  # inches
ROWS = 16  # more are split into two columns, so that the picture fits into a laptop's window
LETTER = 0.31  # the width of an average letter of a label, in rows
COUNT = 2.8  # the width of "3 of 7", in rows
SQUARE = 0.7  # from one square to the next, in rows


def progress(sheets: Mapping[str, Sequence[bool]], title: str = "", ax: Axes | None = None) -> Axes:
    """Draw a row per lesson with a square per exercise, filled if it is passed. Many lessons make two columns."""
    rows = len(sheets) if len(sheets) <= ROWS else math.ceil(len(sheets) / 2)
    labels = LETTER * max(map(len, sheets), default=1)
    width = labels + SQUARE * max(map(len, sheets.values()), default=0) + COUNT  # of a column
    columns = 1 if rows == len(sheets) else 2
    ax = axes_or_new(ax, ROW * width * columns, 0.3 + ROW * max(rows, 1))
    with plt.rc_context(RC):
        for place, (name, passed) in enumerate(sheets.items()):
            column, row = divmod(place, max(rows, 1))
            left = column * width + labels
            ax.text(left - 0.4, row + 0.5, name, ha="right", va="center", fontsize=10)
            for exercise, done in enumerate(passed):
                square = plt.Rectangle(
                    (left + SQUARE * exercise, row + 0.22), 0.56, 0.56, fc=CYCLE[0] if done else "none", ec=FAINT, lw=1.2
                )
                ax.add_patch(square)
            label = f"{sum(passed)} of {len(passed)}" if passed else "reading"
            ax.text(left + SQUARE * len(passed) + 0.2 * bool(passed), row + 0.5, label, va="center", fontsize=10)
        ax.set(xlim=(0, columns * width), ylim=(max(rows, 1), 0), xticks=[], yticks=[], aspect="equal", anchor="W")
        ax.spines[:].set_visible(False)
        ax.set_title(title)
    done = sum(map(sum, sheets.values()))
    begun = [f"{name}: {sum(passed)} of {len(passed)}" for name, passed in sheets.items() if any(passed)]
    details = f" ({listed(begun, '; ')})" if begun else ""
    return describe(ax, title, f"{done} of {sum(map(len, sheets.values()))} exercises{details}.")
