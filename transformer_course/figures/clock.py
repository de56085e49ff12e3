"""Pairs of numbers as the hands of a clock: 12 o'clock is [0, 1], 3 o'clock is [1, 0]."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Wedge

from .description import describe, point
from .style import CYCLE, FAINT, MARKERS, RC, array, axes_or_new

REACH = 1.75  # the same for every clock, so that lengths compare
WIDEST, GAP = 0.62, 0.2  # the radius of the first hand's sector, and how much smaller each further one is


def clock(hands, later=None, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw up to four hands (k, 2) from the centre of a clock face of radius 1.

    With ``later``, also (k, 2), each hand is pale, its later position is dark, and a sector shows the rotation between them.
    The angle, in radians, clockwise, from 0 to 2π, is printed below the face.

    Raises ValueError for other shapes, or for more than four hands.
    """
    hands = array(hands)
    later = None if later is None else array(later)
    for points in (hands, later):
        if points is not None and (points.ndim != 2 or points.shape[1] != 2 or not 1 <= len(points) <= len(CYCLE)):
            raise ValueError(f"clock expects 1 to {len(CYCLE)} hands of two numbers, (k, 2), got shape {points.shape}")
    if later is not None and len(later) != len(hands):
        raise ValueError(f"each of the {len(hands)} hands needs one later position, got {len(later)}")
    ax = axes_or_new(ax, 3.0, 3.2)
    with plt.rc_context(RC):
        ax.add_patch(plt.Circle((0, 0), 1, fill=False, ec=FAINT, lw=1.5))
        for angle in np.arange(12) * np.pi / 6:  # clockwise from 12 o'clock
            tick = np.array([np.sin(angle), np.cos(angle)])
            ax.plot(*zip(0.94 * tick, tick, strict=True), color=FAINT, lw=1.5)
        turns = []
        for k, hand in enumerate(hands):
            colour, marker = CYCLE[k], MARKERS[k]
            _hand(ax, hand, colour, marker, alpha=1.0 if later is None else 0.45)
            if later is not None:
                _hand(ax, later[k], colour, marker, alpha=1.0)
                turns.append((_angle(later[k]) - _angle(hand)) % (2 * np.pi))
                start, end = (90 - np.degrees(angle) for angle in (_angle(hand) + turns[k], _angle(hand)))
                ax.add_patch(Wedge((0, 0), WIDEST - GAP * k, start, end, color=colour, alpha=0.35, lw=0))
        if turns:
            ax.text(
                0, -REACH, "turned by " + ", ".join(f"{turn:.2f}" for turn in turns), ha="center", va="bottom", fontsize=10
            )
        ax.set(xlim=(-REACH, REACH), ylim=(-REACH, REACH), aspect="equal")
        ax.axis("off")
        ax.set_title(title)
    items = [f"hand {k + 1} at {point(hand)}" for k, hand in enumerate(hands)]
    for k, turn in enumerate(turns):
        items[k] += f", turned by {turn:.2f} radians to {point(later[k])}"
    return describe(ax, title, f"a clock face with {'; '.join(items)}.")


def _angle(hand: np.ndarray) -> float:
    return float(np.arctan2(*hand))


def _hand(ax: Axes, hand: np.ndarray, colour: str, marker: str, alpha: float) -> None:
    ax.plot([0, hand[0]], [0, hand[1]], color=colour, lw=2, alpha=alpha, solid_capstyle="round")
    ax.plot(*hand, marker=marker, color=colour, ms=8, alpha=alpha, ls="none")
