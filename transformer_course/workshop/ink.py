"""Figures for a projector: their text, which is grey to be readable on light and dark pages, is dark on a slide."""

import base64
import functools
import io

import numpy as np
from matplotlib.colors import to_rgb
from PIL import Image

from transformer_course.figures import style

DARK = "#33383D"  # its contrast is 12 on the white ground that a figure has on every slide
NEAR = 6  # of 255, in each channel: rounding at the edges of letters


@functools.cache  # the decks of workshops show the figures of the lessons again
def darkened(png: str) -> str:
    """Return a figure, in base64, with its grey text drawn dark."""
    pixels = np.array(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA"))
    distance = abs(pixels[..., :3].astype(int) - _channels(style.TEXT)).max(axis=-1)
    pixels[..., :3][distance <= NEAR] = _channels(DARK)
    changed = io.BytesIO()
    Image.fromarray(pixels).save(changed, "PNG")
    return base64.b64encode(changed.getvalue()).decode()


def _channels(colour: str) -> np.ndarray:
    return np.rint(255 * np.array(to_rgb(colour))).astype(int)
