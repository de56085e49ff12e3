"""A measurement beside what chance alone gives."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from .style import FAINT, INK, RC, array, one


def beside_chance(
    values: Mapping[str, float], chance: Mapping[str, object], title: str = "", xlabel: str = "", ax: Axes | None = None
) -> Axes:
    """One row for each name, the first on top: a dot for what was measured, on a bar from the least to the largest of what
    chance gave, ``chance[name]``. The axis begins at 0.

    Raises ValueError where a name has no chance.
    """
    if missing := [name for name in values if name not in chance]:
        raise ValueError(f"each measurement needs what chance gives beside it; nothing is there for {', '.join(missing)}")
    ax = one(ax, 7.4, 1.3 + 0.36 * len(values))
    with plt.rc_context(RC):
        for row, (name, value) in enumerate(values.items()):
            drawn = array(chance[name])
            label = {"label": "by chance"} if row == 0 else {}
            ax.barh(row, drawn.max() - drawn.min(), left=drawn.min(), height=0.5, color=FAINT, **label)
            label = {"label": "measured"} if row == 0 else {}
            ax.plot(value, row, "o", ms=8, color=INK["vermilion"], **label)
        ax.set_yticks(range(len(values)), list(values))
        ax.tick_params(axis="y", length=0)
        ax.set(ylim=(len(values) - 0.4, -0.6), xlabel=xlabel)
        ax.set_xlim(left=0)
        ax.legend(frameon=False, fontsize=10, loc="upper left")
        ax.set_title(title)
    return ax
