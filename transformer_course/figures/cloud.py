"""Many points of the plane, and the polygon of the corners that they may be mixtures of."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from .style import CYCLE, FAINT, INK, RC, array, one


def cloud(
    points, corners, outside=None, title: str = "", reach: tuple[float, float] | None = None, ax: Axes | None = None
) -> Axes:
    """Points (k, 2) as dots over the shaded polygon of the ``corners`` (n, 2), which are drawn as hollow circles.

    Where ``outside`` (k,) is true, a point is a square of another colour. ``reach`` is the least and the largest coordinate
    that is shown, the same for both axes, so that several clouds compare.
    Raises ValueError when the points or corners are not two-dimensional.
    """
    points, corners = array(points), array(corners)
    for given in (points, corners):
        if given.ndim != 2 or given.shape[1] != 2:
            raise ValueError(f"cloud draws points of two coordinates, (k, 2), got shape {given.shape}")
    outside = np.zeros(len(points), bool) if outside is None else array(outside)
    ax = one(ax, 4.4, 4.2)
    with plt.rc_context(RC):
        ax.fill(*corners.T, color=FAINT, alpha=0.35, lw=0, zorder=0)
        ax.plot(*points[~outside].T, ls="none", marker="o", ms=3, color=INK["navy"])
        ax.plot(*points[outside].T, ls="none", marker="s", ms=3.5, color=CYCLE[1])
        ax.plot(*corners.T, ls="none", marker="o", ms=10, mfc="white", mew=2, color=INK["navy"])
        if reach:
            ax.set(xlim=reach, ylim=reach)
        ax.set(aspect="equal", xlabel="first coordinate", ylabel="second coordinate")
        ax.set_title(title)
    return ax
