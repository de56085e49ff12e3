"""The map of the Transformer, drawn for a projector."""

import base64
import functools
import io
import re

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from transformer_course import figures

from .dark_text import with_dark_text
from .slide import Picture

MAP = re.compile(r"a map of the Transformer, .*(?:highlighted: (.+)|nothing is highlighted)\.$")  # its alt text


@functools.cache
def map_of(lit: str | None) -> Picture:
    """Return the map with these parts highlighted, a list with commas."""
    return Picture(figures.description.description(_map(lit)), _drawn, (lit,))


@functools.cache
def _map(lit: str | None) -> Axes:
    figure = Figure(figsize=(8.2, 4.6), dpi=160, layout="constrained")  # without pyplot, which might open a window
    return figures.architecture(*(lit.split(", ") if lit else ()), large=True, ax=figure.subplots())


@functools.cache
def _drawn(lit: str | None) -> str:
    png = io.BytesIO()
    _map(lit).figure.savefig(png, transparent=True)
    return with_dark_text(base64.b64encode(png.getvalue()).decode())
