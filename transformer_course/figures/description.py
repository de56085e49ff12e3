"""Alt text: one sentence made from a figure's data, for readers who cannot see it.

A figure carries its sentence to the notebook in the metadata of its picture, where nbconvert looks for it.
"""

import sys
from collections.abc import Iterable
from weakref import WeakKeyDictionary

import matplotlib.figure
from matplotlib.axes import Axes

LISTED = 8  # a longer list is shortened

_SENTENCES: WeakKeyDictionary[Axes, str] = WeakKeyDictionary()


class Figure(matplotlib.figure.Figure):
    """A figure whose picture in a notebook has alt text: the sentences of its axes."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if "IPython" in sys.modules and (shell := sys.modules["IPython"].get_ipython()):
            shell.display_formatter.formatters["image/png"].for_type(Figure, _png_with_alt)

    @property
    def alt(self) -> str:
        return " ".join(description(ax) for ax in self.axes if ax in _SENTENCES)


def _png_with_alt(figure: Figure) -> tuple[str, dict[str, str]]:
    """Return the picture as IPython's own formatter does, and its metadata."""
    from IPython.core.pylabtools import print_figure

    return print_figure(figure, "png", base64=True), {"alt": figure.alt}


def describe(ax: Axes, title: str, sentence: str) -> Axes:
    """Attach a sentence about what these axes show, after their title, if they have one; return the axes."""
    _SENTENCES[ax] = f"{title}: {sentence}" if title else sentence[:1].upper() + sentence[1:]
    return ax


def description(ax: Axes) -> str:
    """Return the sentence about what these axes show."""
    return _SENTENCES[ax]


def number(value: float) -> str:
    """Write a number with three significant digits."""
    return f"{float(value):.3g}".replace("-", "−")


def fraction(value: float) -> str:
    """Write a weight or fraction with at most three digits after the point."""
    return f"{round(float(value), 3) + 0.0:g}".replace("-", "−")


def point(values: Iterable[float]) -> str:
    """Write a vector with two digits after the point."""
    numbers = (f"{round(float(value), 2) + 0.0:.2f}" for value in values)  # adding 0 turns -0 into 0
    return f"[{', '.join(numbers)}]".replace("-", "−")


def listed(parts: Iterable[str], separator: str = ", ") -> str:
    """Join the parts. If there are many, name the first ones and say how many follow."""
    parts = list(parts)
    more = [f"and {len(parts) - LISTED} more"] if len(parts) > LISTED else []
    return separator.join([*parts[:LISTED], *more])
