"""How far each of several variants is from a common reference, with its repeated runs."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from .description import describe, listed, number
from .style import CYCLE, RC, TEXT, array, axes_or_new


def differences(values: Mapping[str, Sequence[float]], title: str = "", xlabel: str = "", ax: Axes | None = None) -> Axes:
    """Draw a row per name, first on top: a bar from 0 to the mean of its differences, and a dot for each of them.

    Bars of names that are better or worse go to different sides; which side is which is for ``xlabel`` to say.
    """
    ax = axes_or_new(ax, 7.4, 1.1 + 0.36 * len(values))
    with plt.rc_context(RC):
        for row, runs in enumerate(map(array, values.values())):
            ax.barh(row, runs.mean(), height=0.6, color=CYCLE[0], alpha=0.6)
            ax.plot(runs, [row] * len(runs), "o", ms=5, color=CYCLE[1])
        ax.axvline(0, color=TEXT, lw=1)
        ax.set_yticks(range(len(values)), list(values))
        ax.tick_params(axis="y", length=0)
        ax.set(ylim=(len(values) - 0.4, -0.6), xlabel=xlabel)
        ax.margins(x=0.05)
        ax.set_title(title)
    items = (
        f"{name} {number(array(runs).mean())} ({number(array(runs).min())} to {number(array(runs).max())})"
        for name, runs in values.items()
    )
    return describe(ax, title, f"mean {xlabel or 'difference'}, with the range of its runs: {listed(items, '; ')}.")
