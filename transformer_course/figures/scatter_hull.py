"""Points in the plane, and the convex hull of which they may be inside or outside."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from .description import LISTED, describe, point
from .style import CYCLE, FAINT, RC, array, axes_or_new


def scatter_hull(
    points, corners, outside=None, title: str = "", limits: tuple[float, float] | None = None, ax: Axes | None = None
) -> Axes:
    """Draw points (k, 2) as dots over the shaded polygon of the ``corners`` (n, 2), which are hollow circles.

    Where ``outside`` (k,) is true, the point is a square in a different colour. ``limits`` are the smallest and the largest
    coordinate shown on both axes, so that several figures can have the same scale.

    Raises ValueError if the points or corners are not two-dimensional.
    """
    points, corners = array(points), array(corners)
    for given in (points, corners):
        if given.ndim != 2 or given.shape[1] != 2:
            raise ValueError(f"scatter_hull expects points with two coordinates, (k, 2), got shape {given.shape}")
    outside = np.zeros(len(points), bool) if outside is None else array(outside)
    ax = axes_or_new(ax, 4.0)
    with plt.rc_context(RC):
        ax.fill(*corners.T, color=FAINT, alpha=0.35, lw=0, zorder=0)
        ax.plot(*points[~outside].T, ls="none", marker="o", ms=3, color=CYCLE[0])
        ax.plot(*points[outside].T, ls="none", marker="s", ms=3.5, color=CYCLE[1])
        ax.plot(*corners.T, ls="none", marker="o", ms=10, mfc="none", mew=2, color=CYCLE[0])
        if limits:
            ax.set(xlim=limits, ylim=limits)
        ax.set(aspect="equal", xlabel="first coordinate", ylabel="second coordinate")
        ax.set_title(title)
    hull = "; ".join(map(point, corners[:LISTED]))
    return describe(
        ax, title, f"{len(points)} points, {int(outside.sum())} of them outside the hull of {len(corners)} corners ({hull})."
    )
