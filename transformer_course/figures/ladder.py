"""The ladder of the Build: the learner's own measurements, each next to the course's."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from .description import describe, listed, number
from .style import CYCLE, FAINT, RC, axes_or_new


def ladder(
    own: Mapping[str, float], course: Mapping[str, Sequence[float]], level: tuple[float, str], ax: Axes | None = None
) -> Axes:
    """Draw two bars per name of ``own``: the learner's bits per character, and below it the median of the course's.

    A mark at the end of the course's bar shows the range of its values. ``level`` is a value with its name, drawn as a faint
    line. The axis begins at 0.

    Raises ValueError if a name has no values of the course.
    """
    if missing := [name for name in own if name not in course]:
        raise ValueError(f"each value needs values of the course to compare with, got none for {', '.join(missing)}")
    ax = axes_or_new(ax, 8.2, 1.3 + 0.42 * len(own))  # eight names still fit into a laptop's window
    rows = np.arange(len(own))
    medians = np.array([np.median(course[name]) for name in own])
    ends = np.array([[min(course[name]), max(course[name])] for name in own]).T
    with plt.rc_context(RC):
        ax.axvline(level[0], color=FAINT, lw=1.2, zorder=0)
        ax.text(level[0] - 0.05, -0.55, level[1], ha="right", va="top", fontsize=9)
        yours = ax.barh(rows - 0.2, list(own.values()), height=0.38, color=CYCLE[0], label="your model")
        theirs = ax.barh(rows + 0.2, medians, height=0.38, color=CYCLE[3], label="the course's (three seeds)")
        ax.errorbar(medians, rows + 0.2, xerr=abs(ends - medians), fmt="none", ecolor=CYCLE[1], elinewidth=2, capsize=3)
        for drawn, values in ((yours, own.values()), (theirs, medians)):
            ax.bar_label(drawn, [f"{value:.2f}" for value in values], padding=8, fontsize=9)
        ax.set_yticks(rows, list(own))
        ax.tick_params(axis="y", length=0)
        ax.set(xlim=(0, 1.03 * level[0]), ylim=(len(own) - 0.4, -0.6), xlabel="bits per character on held-out text")
        ax.legend(frameon=False, fontsize=9, ncols=2, loc="lower right", bbox_to_anchor=(1, 1))
        ax.set_title("Less is better")
    items = (f"{name} {own[name]:.2f}, the course's {median:.2f}" for name, median in zip(own, medians, strict=True))
    return describe(
        ax, "", f"bits per character on held-out text: {listed(items, '; ')}; {level[1]} is at {number(level[0])}."
    )
