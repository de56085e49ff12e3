"""Figures for a projector: their text, which is grey to be readable on light and dark pages, is dark on a slide."""

import base64
import functools
import io

import numpy as np
from PIL import Image, ImageColor

from transformer_course._util.palette import PALETTE

NEAR = 6  # of 255, in each channel: rounding at the edges of letters


@functools.cache  # the decks of workshops show the figures of the lessons again
def with_dark_text(png: str) -> str:
    """Return a figure, in base64, with its grey text drawn dark."""
    pixels = np.array(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA"))
    grey, dark = (ImageColor.getrgb(PALETTE["picture"][name]) for name in ("text", "projected"))
    distance = abs(pixels[..., :3].astype(np.int16) - np.array(grey, np.int16)).max(axis=-1)
    pixels[..., :3][distance <= NEAR] = dark
    changed = io.BytesIO()
    Image.fromarray(pixels).save(changed, "PNG")
    return base64.b64encode(changed.getvalue()).decode()
