"""A learner's progress as a picture."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from .description import describe, listed
from .style import FAINT, INK, RC, axes_or_new


def progress(sheets: Mapping[str, Sequence[bool]], title: str = "", ax: Axes | None = None) -> Axes:
    """Draw a row per lesson with a square per exercise, filled if it is passed."""
    longest = max(map(len, sheets.values()), default=1)
    ax = axes_or_new(ax, 7.0, 0.2 + min(0.19, 3.4 / max(len(sheets), 1)) * len(sheets))  # all rows fit into a laptop's window
    with plt.rc_context(RC):
        for row, passed in enumerate(sheets.values()):
            for column, done in enumerate(passed):
                square = plt.Rectangle((column, row + 0.1), 0.8, 0.8, fc=INK["blue"] if done else "none", ec=FAINT, lw=1.2)
                ax.add_patch(square)
            label = f"{sum(passed)} of {len(passed)}" if passed else "no exercises"
            ax.text(len(passed) + 0.2 * bool(passed), row + 0.5, label, va="center", fontsize=10)
        ax.set_yticks([row + 0.5 for row in range(len(sheets))], list(sheets), fontsize=10)
        ax.set(xlim=(0, max(longest, 8) + 1.6), ylim=(max(len(sheets), 1), 0), xticks=[], aspect="equal", anchor="E")
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        ax.set_title(title)
    done = sum(map(sum, sheets.values()))
    begun = [f"{name}: {sum(passed)} of {len(passed)}" for name, passed in sheets.items() if any(passed)]
    details = f" ({listed(begun, '; ')})" if begun else ""
    describe(ax, title, f"{done} of {sum(map(len, sheets.values()))} exercises{details}.")
    return ax
