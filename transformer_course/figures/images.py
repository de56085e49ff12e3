"""Small grey images side by side, each with a caption."""

import math
from collections.abc import Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from .description import describe, listed
from .style import RC, array, panels

COLUMNS = 6
GAP = (0.35, 0.42)  # between images, in their own width and height; the caption is in the lower gap


def images(pictures, captions: Sequence[str], title: str = "") -> Axes:
    """Draw images (b, H, W) with values from 0 (white) to 1 (black) in rows of six, with a caption below each.

    Raises ValueError unless there is one caption per image.
    """
    pictures = array(pictures)
    if pictures.ndim != 3 or len(pictures) != len(captions):
        raise ValueError(f"images expects (b, H, W) and b captions, got {pictures.shape} and {len(captions)} captions")
    rows = math.ceil(len(pictures) / COLUMNS)
    ax = panels(1, 7.6, 0.4 + 1.0 * rows)[0]
    with plt.rc_context(RC):
        for k, (picture, caption) in enumerate(zip(pictures, captions, strict=True)):
            x, y = (k % COLUMNS) * (1 + GAP[0]), (k // COLUMNS) * (1 + GAP[1])
            ax.imshow(picture, cmap="Greys", vmin=0, vmax=1, extent=(x, x + 1, y + 1, y))
            ax.text(x + 0.5, y + 1.06, caption, ha="center", va="top", fontsize=9)
        ax.set(xlim=(-GAP[0] / 2, COLUMNS * (1 + GAP[0]) - GAP[0] / 2), ylim=(max(rows, 1) * (1 + GAP[1]), -0.05))
        ax.axis("off")
        ax.set_title(title)
    return describe(ax, title, f"images: {listed(captions, '; ')}.")
