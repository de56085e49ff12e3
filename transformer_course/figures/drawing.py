"""The pieces of a schematic: matrices whose proportions show their shapes, boxes for operations, and arrows.

Lengths are pixels of a notebook's column 720 pixels wide. x points right and y points down, from the top left corner.
"""

from dataclasses import dataclass
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from .style import FAINT, RC, TEXT, contrast_text, panels

COLUMN = 720
INCHES = 7.6  # the width of the figure, which sets the size of the type
CELL = 13  # the side of one number's square
HEAD = "-|>,head_length=0.3,head_width=0.16"
HOLLOW = "none"  # the colour of a cell that holds nothing


@dataclass(frozen=True)
class Box:
    """The place of what was drawn; arrows start and end at the middle of its sides."""

    x: float
    y: float
    width: float
    height: float

    @property
    def left(self) -> tuple[float, float]:
        return self.x, self.y + self.height / 2

    @property
    def right(self) -> tuple[float, float]:
        return self.x + self.width, self.y + self.height / 2

    @property
    def top(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y

    @property
    def bottom(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height


def page(height: float) -> Axes:
    """Return empty axes, 720 wide and ``height`` high."""
    ax = panels(1, INCHES, INCHES * height / COLUMN)[0]
    ax.set(xlim=(0, COLUMN), ylim=(height, 0), aspect="equal")
    ax.axis("off")
    return ax


def words(ax: Axes, x: float, y: float, text: str, size: float = 10, **style) -> None:
    """Write a text around (x, y)."""
    with plt.rc_context(RC):
        ax.text(x, y, text, fontsize=size, **{"ha": "center", "va": "center", "color": TEXT, **style})


def matrix(
    ax: Axes, x: float, middle: float, colours, name: str = "", shape: str = "", numbers=None, cell=(CELL, CELL)
) -> Box:
    """Draw a matrix as cells: its left edge at ``x``, its centre at height ``middle``, its name above and its shape below.

    ``colours`` (rows, columns) are those of the cells, `HOLLOW` for an outline only, and ``numbers`` what they contain.
    """
    colours = np.asarray(colours)
    rows, columns = colours.shape
    wide, high = cell
    box = Box(x, middle - rows * high / 2, columns * wide, rows * high)
    for (i, j), colour in np.ndenumerate(colours):
        corner = (box.x + j * wide + 0.75, box.y + i * high + 0.75)
        square = Rectangle(corner, wide - 1.5, high - 1.5, fc=str(colour), ec=FAINT if colour == HOLLOW else "none", lw=0.8)
        ax.add_patch(square)
        if numbers is not None:
            ink = TEXT if colour == HOLLOW else contrast_text(str(colour))
            size = 9 if wide > 20 else 7
            words(ax, box.x + (j + 0.5) * wide, box.y + (i + 0.5) * high, str(numbers[i][j]), size, color=ink)
    words(ax, box.top[0], box.y - 5, name, 11, va="bottom", weight="bold")
    words(ax, box.bottom[0], box.y + box.height + 5, shape, va="top")
    return box


def filled(rows: int, columns: int, colour: str) -> np.ndarray:
    """Return one colour for every cell of a matrix."""
    return np.full((rows, columns), colour)


def operation(
    ax: Axes,
    x: float,
    middle: float,
    text: str,
    width: float,
    height: float = 28,
    colour: str = FAINT,
    below: str = "",
    size: float = 10,
    turned: bool = False,
) -> Box:
    """Draw an operation as a rounded box around ``text``, with the shape of its parameters ``below`` it, if it has any.

    In a narrow box, the text can be ``turned`` to be read upwards.
    """
    box = Box(x, middle - height / 2, width, height)
    patch = FancyBboxPatch((box.x, box.y), width, height, boxstyle="round,pad=0,rounding_size=6")
    patch.set(fc="none", ec=colour, lw=1.4)
    ax.add_patch(patch)
    words(ax, x + width / 2, middle, text, size, rotation=90 if turned else 0)
    words(ax, x + width / 2, box.y + height + 4, below, 9, va="top")
    return box


def arrow(ax: Axes, *points: tuple[float, float], colour: str = TEXT) -> None:
    """Draw an arrow through the points, with its head at the last one."""
    style = {"arrowstyle": HEAD, "color": colour, "lw": 1.2, "shrinkA": 0, "shrinkB": 0}
    line(ax, *points[:-1], colour=colour)
    ax.annotate("", points[-1], points[-2], arrowprops=style)


def arrows(ax: Axes, *boxes: Box) -> None:
    """Draw an arrow from each box to the next, which is to its right."""
    for before, after in pairwise(boxes):
        arrow(ax, before.right, after.left)


def line(ax: Axes, *points: tuple[float, float], colour: str = TEXT) -> None:
    """Draw a line through the points."""
    ax.plot(*zip(*points, strict=True), color=colour, lw=1.2, solid_joinstyle="miter")
