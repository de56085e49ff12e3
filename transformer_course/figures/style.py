"""The style of the course's figures: a transparent ground, and colours that read on a white page and on a dark one."""

import itertools
import tomllib
from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from .description import Figure

PALETTE = tomllib.loads((Path(__file__).parent / "palette.toml").read_text(encoding="utf-8"))["picture"]
CYCLE = tuple(PALETTE[name] for name in ("query", "key", "value", "fourth"))
QUERY, KEY, VALUE = CYCLE[:3]  # wherever a figure shows queries, keys and values, also as its first three lines or hands
FAINT, TEXT, LIT, WEIGHT = (PALETTE[name] for name in ("faint", "text", "lit", "weight"))
WORDS = {"red": 1, "orange": 3}  # tokens that are words for colours, and the inks that look like them
MARKERS = ("o", "s", "^", "D")  # these tell lines apart without colour
MAP = "Purples"  # for weights from 0 (light) to 1 (dark)
WIDEST = 10.0  # inches: in a column of 720 pixels, the type of a wider figure would be too small to read

RC = {
    "font.size": 11,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": FAINT,
    "axes.facecolor": "none",
    "axes.labelcolor": TEXT,
    "text.color": TEXT,
    "xtick.color": TEXT,
    "ytick.color": TEXT,
}


def luminance(colour) -> float:
    """Return the relative luminance as WCAG 2.1 defines it, from 0 (black) to 1 (white): how light a colour prints in grey."""
    channels = np.asarray(to_rgb(colour))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast_text(background) -> str:
    """Return the text colour, black or white, that is easier to read on a background: one always has a contrast above 4.5."""
    return "white" if luminance(background) < 0.179 else "black"


def panels(count: int = 1, width: float = 4.4, height: float = 3.6) -> np.ndarray:
    """Return a row of ``count`` empty axes in the course's style, each of this width and height in inches.

    A row that would be wider than ``WIDEST`` is made smaller, in both directions, while its type keeps its size.
    """
    scale = min(1.0, WIDEST / (width * count))
    # Not inside rc_context: the first figure loads the notebook's backend, whose settings must outlive this call.
    size = (scale * width * count, scale * height)
    figure = plt.figure(figsize=size, dpi=110, layout="constrained", FigureClass=Figure)
    # Invisible rather than transparent: behind a transparent figure, JupyterLab's dark theme puts a white ground.
    figure.patch.set_visible(False)
    with plt.rc_context(RC):
        axes = figure.subplots(1, count, squeeze=False)[0]
    for ax in axes:
        ax.tick_params(colors=TEXT)  # also of ticks that are added later, outside rc_context
    return axes


def inks(names: Sequence[str]) -> list[int]:
    """Return the place in ``CYCLE`` of each token's ink: *red* and *orange* have their own, and the others what is left."""
    left = itertools.cycle([ink for ink in range(len(CYCLE)) if ink not in {WORDS.get(name) for name in names}])
    return [WORDS[name] if name in WORDS else next(left) for name in names]


def array(values) -> np.ndarray:
    """Convert a tensor, array or list to a NumPy array."""
    return np.asarray(values.detach().cpu() if hasattr(values, "detach") else values)


def axes_or_new(ax: Axes | None, width: float = 4.4, height: float = 3.6) -> Axes:
    """Return ``ax``, or new axes if it is None."""
    return panels(1, width, height)[0] if ax is None else ax
