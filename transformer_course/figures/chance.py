"""Measurements compared with the range of values expected by chance."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from .description import describe, listed, number
from .style import CYCLE, FAINT, RC, array, axes_or_new


def beside_chance(
    values: Mapping[str, float], chance: Mapping[str, object], title: str = "", xlabel: str = "", ax: Axes | None = None
) -> Axes:
    """Draw a row per name, first on top: a dot for the measured value, on a bar for the range of ``chance[name]``.

    The axis begins at 0.

    Raises ValueError if a name has no chance values.
    """
    if missing := [name for name in values if name not in chance]:
        raise ValueError(f"each measurement needs chance values to compare with, got none for {', '.join(missing)}")
    ax = axes_or_new(ax, 7.4, 1.3 + 0.36 * len(values))
    with plt.rc_context(RC):
        for row, (name, value) in enumerate(values.items()):
            drawn = array(chance[name])
            expected, measured = ("by chance", "measured") if row == 0 else ("", "")  # once in the legend
            ax.barh(row, drawn.max() - drawn.min(), left=drawn.min(), height=0.5, color=FAINT, alpha=0.5, label=expected)
            ax.plot(value, row, "o", ms=8, color=CYCLE[1], label=measured)
        ax.set_yticks(range(len(values)), list(values))
        ax.tick_params(axis="y", length=0)
        ax.set(ylim=(len(values) - 0.4, -0.6), xlabel=xlabel)
        ax.set_xlim(left=0)
        ax.legend(frameon=False, fontsize=10, loc="upper left")
        ax.set_title(title)
    ranges = {name: f"{number(min(array(chance[name])))} to {number(max(array(chance[name])))}" for name in values}
    items = (f"{name} is {number(value)}, by chance {ranges[name]}" for name, value in values.items())
    return describe(ax, title, f"{xlabel or 'measured'}: {listed(items, '; ')}.")
