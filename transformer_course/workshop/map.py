"""The map of the Transformer, drawn for a projector."""

import base64
import functools
import io
import re

from matplotlib.figure import Figure

from transformer_course import figures

from .dark_text import with_dark_text
from .slide import Picture

MAP = re.compile(r"a map of the Transformer, .*(?:highlighted: (.+)|nothing is highlighted)\.$")  # its alt text


@functools.cache
def map_of(lit: str | None) -> Picture:
    """Return the map with these parts highlighted, a list with commas."""
    figure = Figure(figsize=(8.2, 4.6), dpi=160, layout="constrained")  # without pyplot, which might open a window
    ax = figures.architecture(*(lit.split(", ") if lit else ()), large=True, ax=figure.subplots())
    png = io.BytesIO()
    figure.savefig(png, transparent=True)
    return Picture(with_dark_text(base64.b64encode(png.getvalue()).decode()), figures.description.description(ax))
