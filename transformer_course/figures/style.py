"""The style of the course's figures: colours that work in grey print and for colour-blind readers, and large plain type."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patheffects import withStroke

# Four inks, each clearly lighter than the one before: distinct in grey and for every kind of colour vision.
INK = {"navy": "#0B2F5B", "vermilion": "#C8501E", "sky": "#4FA8DD", "sand": "#F2CF6B"}
CYCLE = tuple(INK.values())
MARKERS = ("o", "s", "^", "D")  # these tell lines apart without colour
FAINT = "#B8BDC4"
TEXT = "#22262B"
HALO = [withStroke(linewidth=3, foreground="white")]  # around text that a line may cross
MAP = "Blues"  # for weights from 0 (light) to 1 (dark)

RC = {
    "font.size": 11,
    "axes.titlesize": 12,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": FAINT,
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


def panels(count: int = 1, width: float = 4.4, height: float = 3.8) -> np.ndarray:
    """Return a row of ``count`` empty axes in the course's style, each of this width and height in inches."""
    # Not inside rc_context: the first figure loads the notebook's backend, whose settings must outlive this call.
    figure = plt.figure(figsize=(width * count, height), dpi=110, layout="constrained")
    with plt.rc_context(RC):
        return figure.subplots(1, count, squeeze=False)[0]


def array(values) -> np.ndarray:
    """Convert a tensor, array or list to a NumPy array."""
    return np.asarray(values.detach().cpu() if hasattr(values, "detach") else values)


def axes_or_new(ax: Axes | None, width: float = 4.4, height: float = 3.8) -> Axes:
    """Return ``ax``, or new axes if it is None."""
    return panels(1, width, height)[0] if ax is None else ax
