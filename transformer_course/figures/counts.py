"""Counts as horizontal bars, with room for long names."""

import textwrap
from collections.abc import Mapping

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from .description import describe, listed
from .style import CYCLE, RC, axes_or_new

WIDTH = 44  # characters per line of a name


def counts(values: Mapping[str, int], title: str = "", xlabel: str = "", ax: Axes | None = None) -> Axes:
    """Draw a horizontal bar per name, first on top, with the count at its end. Long names are wrapped."""
    names = [textwrap.fill(name, WIDTH) for name in values]
    ax = axes_or_new(ax, 8.0, 1.0 + sum(0.28 + 0.18 * (name.count("\n") + 1) for name in names))
    with plt.rc_context(RC):
        bars = ax.barh(range(len(names)), list(values.values()), color=CYCLE[0], height=0.7)
        ax.bar_label(bars, padding=4, fontsize=10)
        ax.set_yticks(range(len(names)), names, fontsize=10)
        ax.xaxis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1))
        ax.tick_params(axis="y", length=0)
        ax.set(xlim=(0, 1.08 * max(values.values(), default=1)), ylim=(len(names) - 0.4, -0.6), xlabel=xlabel)
        ax.set_title(title)
    items = (f"{name} {count}" for name, count in values.items())
    return describe(ax, title, f"bars{f' for {xlabel}' if xlabel else ''}: {listed(items, '; ')}.")
