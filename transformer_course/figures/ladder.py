"""The ladder of the Build: the learner's own measurements, each next to the course's."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from .style import FAINT, INK, RC, axes_or_new


def ladder(
    own: Mapping[str, float],
    course: Mapping[str, Sequence[float]],
    level: tuple[float, str],
    title: str = "",
    xlabel: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw two bars per name of ``own``: the learner's value, and below it the median of the course's, with their range.

    ``level`` is a value with its name, drawn as a faint vertical line. The axis begins at 0.

    Raises ValueError if a name has no values of the course.
    """
    if missing := [name for name in own if name not in course]:
        raise ValueError(f"each value needs values of the course to compare with, got none for {', '.join(missing)}")
    ax = axes_or_new(ax, 7.4, 1.5 + 0.62 * len(own))
    rows = np.arange(len(own))
    medians = np.array([np.median(course[name]) for name in own])
    ranges = np.abs(np.array([[min(course[name]), max(course[name])] for name in own]).reshape(-1, 2).T - medians)
    with plt.rc_context(RC):
        ax.axvline(level[0], color=FAINT, lw=1.2, zorder=0)
        ax.text(level[0], -0.62, level[1], ha="right", va="bottom", fontsize=9)
        yours = ax.barh(rows - 0.19, list(own.values()), height=0.36, color=INK["navy"], label="yours")
        theirs = ax.barh(rows + 0.19, medians, height=0.36, color=INK["sand"], label="the course's: median and range")
        ax.errorbar(medians, rows + 0.19, xerr=ranges, fmt="none", ecolor=INK["vermilion"], elinewidth=2, capsize=4)
        ax.bar_label(yours, fmt="%.2f", padding=8, fontsize=10)
        ax.bar_label(theirs, labels=[f"{value:.2f}" for value in medians], padding=8, fontsize=10)
        ax.set_yticks(rows, list(own))
        ax.tick_params(axis="y", length=0)
        ax.set(xlim=(0, 1.04 * level[0]), ylim=(len(own) - 0.4, -0.6), xlabel=xlabel)
        ax.legend(
            frameon=False, fontsize=10, loc="upper center", bbox_to_anchor=(0.5, -0.28 - 0.3 / max(len(own), 1)), ncols=2
        )
        ax.set_title(title)
    return ax
