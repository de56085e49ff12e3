"""The hands of a position: the reader moves it, and sees the same turn from any start."""

from transformer_course import figures
from transformer_course.positions import sinusoidal_encoding

from .explorable import Explorable, explorable

WIDTH, FARTHEST = 8, (200, 100)  # the width at first, and the largest p and k, as in clock.js


def clock(position: int = 0, shift: int = 1) -> Explorable:
    """Show the hands of a position p, and of p + k, on a clock each, at width 8, 16 or 64.

    The reader moves p and k, which begin as ``position`` and ``shift``. The turn of each hand depends on k alone.

    Raises ValueError unless they are whole numbers from 0 to 200 and from 0 to 100.
    """
    if position not in range(FARTHEST[0] + 1) or shift not in range(FARTHEST[1] + 1):
        raise ValueError(f"clock expects a position from 0 to 200 and a shift from 0 to 100, got {position} and {shift}")
    hands, later = (sinusoidal_encoding(p + 1, WIDTH)[p].reshape(-1, 1, 2) for p in (position, position + shift))
    axes = figures.panels(len(hands), 2.6, 2.8)
    for i, ax in enumerate(axes):
        figures.clock(hands[i], later[i], title=f"Hand {i}: {position} to {position + shift}", ax=ax)
    return explorable("clock", {"position": position, "shift": shift}, axes[0].figure)
