"""Pairs of numbers as the hands of a clock: 12 o'clock is [0, 1], 3 o'clock is [1, 0]."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Wedge

from .style import CYCLE, FAINT, MARKERS, RC, TEXT, array, one

REACH = 1.75  # the same for every clock, so that lengths compare
CROWDED = 0.3  # tips nearer to each other than this get their names stacked
WIDEST, GAP = 0.62, 0.2  # radii of the first hand's turn, and what each further one is smaller by


def clock(hands, later=None, names: Sequence[str] | None = None, title: str = "", ax: Axes | None = None) -> Axes:
    """Hands (k, 2), at most four, drawn from the middle of a clock's face whose circle has radius 1.

    With ``later``, also (k, 2), each hand is drawn pale, its later place dark, and the turn between them as a sector whose
    size stands below the face, in radians, clockwise, from 0 to 2π. ``names`` stand at the tips; where several hands point
    the same way, one name above the other.
    Raises ValueError for other shapes, or more than four hands.
    """
    hands = array(hands)
    later = None if later is None else array(later)
    for points in (hands, later):
        if points is not None and (points.ndim != 2 or points.shape[1] != 2 or not 1 <= len(points) <= len(CYCLE)):
            raise ValueError(f"clock draws 1 to {len(CYCLE)} hands of two numbers, (k, 2), got shape {points.shape}")
    if later is not None and len(later) != len(hands):
        raise ValueError(f"each of the {len(hands)} hands needs one later place, got {len(later)}")
    ax = one(ax, 3.0, 3.2)
    with plt.rc_context(RC):
        ax.add_patch(plt.Circle((0, 0), 1, fill=False, ec=FAINT, lw=1.5))
        for hour in range(12):
            tick = _tip(hour * np.pi / 6)
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
            if names:
                near = sum(np.linalg.norm(other - hand) < CROWDED for other in hands[:k])
                ax.text(*((1.18 + 0.18 * near) * hand), names[k], ha="center", va="center", fontsize=9, color=TEXT)
        if turns:
            ax.text(
                0, -REACH, "turned by " + ", ".join(f"{turn:.2f}" for turn in turns), ha="center", va="bottom", fontsize=10
            )
        ax.set(xlim=(-REACH, REACH), ylim=(-REACH, REACH), aspect="equal")
        ax.axis("off")
        ax.set_title(title)
    return ax


def _tip(angle: float) -> np.ndarray:
    """Where a hand of length 1 ends that was turned clockwise from 12 o'clock by an angle in radians."""
    return np.array([np.sin(angle), np.cos(angle)])


def _angle(hand: np.ndarray) -> float:
    return float(np.arctan2(*hand))


def _hand(ax: Axes, hand: np.ndarray, colour: str, marker: str, alpha: float) -> None:
    ax.plot([0, hand[0]], [0, hand[1]], color=colour, lw=2, alpha=alpha, solid_capstyle="round")
    ax.plot(*hand, marker=marker, color=colour, ms=8, alpha=alpha, ls="none")
