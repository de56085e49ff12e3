"""The two halves of a schematic, drawn again for a projector: each shows only what it has room for, as a whole.

What stands in the middle is in both. Arrows go on beyond the edge.
"""

import functools
import io

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.artist import Artist
from matplotlib.text import Annotation, Text
from PIL import Image

from transformer_course.figures import schematic

DPI = 160
SHARP = 2  # times as many pixels in the picture: a half is shown larger than it was drawn
NEAR = 9  # pixels between a matrix and its name, at most
LONG = 0.5  # of the width: of longer things, a row falls into its cells, a box goes on, and words are on the whole figure only
CLEAR = 8  # pixels that stay free beside what stands at an edge
MIDDLE = (0.4, 0.6)  # of the width: where halves may meet

Span = tuple[float, float]


@functools.cache
def halves(name: str) -> tuple[Image.Image, Image.Image]:
    """Return the left and the right half of a schematic."""
    mpl.use("agg")  # opens no window
    ax = schematic(name)
    figure = ax.figure
    figure.set_dpi(DPI)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # what is left out leaves its place empty
    width = figure.bbox.width
    things = _things(ax, width)
    edges = min((_edges(middle, things) for middle in np.linspace(*MIDDLE, 21) * width), key=lambda edges: edges[0] - edges[1])
    shown = [_drawn(figure, things, span) for span in ((0.0, edges[0]), (edges[1], width))]
    plt.close(figure)
    return shown[0], shown[1]


def _edges(middle: float, things: dict[tuple[Artist, ...], Span]) -> tuple[float, float]:
    """Return where the left half ends and where the right one begins, if both show what stands in the middle."""
    there = [span for span in things.values() if span[0] - CLEAR < middle < span[1] + CLEAR]
    return max([middle, *(right + CLEAR for _, right in there)]), min([middle, *(left - CLEAR for left, _ in there)])


def _things(ax, width: float) -> dict[tuple[Artist, ...], Span]:
    """Return what must not be cut, with its place: matrices with their words, boxes with theirs, and words by themselves."""
    artists = [each for each in (*ax.patches, *ax.texts) if not isinstance(each, Annotation) and each is not ax.patch]
    boxes = {each: each.get_window_extent() for each in artists}
    boxes = {each: box for each, box in boxes.items() if box.width}
    groups: list[list[Artist]] = []
    for each, box in boxes.items():
        grown = box.padded(NEAR)
        touching = [group for group in groups if any(grown.overlaps(boxes[other]) for other in group)]
        groups = [group for group in groups if group not in touching] + [[each, *(one for group in touching for one in group)]]
    found = {}
    for group in groups:
        whole = _span(group, boxes)
        for part in [group] if whole[1] - whole[0] < LONG * width else [[each] for each in group]:
            left, right = _span(part, boxes)
            if right - left < LONG * width:
                found[tuple(part)] = left, right
            elif isinstance(part[0], Text):
                part[0].set_visible(False)
    return found


def _span(group, boxes) -> Span:
    return min(boxes[each].x0 for each in group), max(boxes[each].x1 for each in group)


def _drawn(figure, things: dict[tuple[Artist, ...], Span], span: Span) -> Image.Image:
    """Return the figure between two edges, without what these would cut."""
    for group, (left, right) in things.items():
        for each in group:
            each.set_visible(span[0] <= left and right <= span[1])
    png = io.BytesIO()
    figure.savefig(png, dpi=SHARP * DPI, transparent=True)
    image = Image.open(png).convert("RGBA")
    return image.crop((round(SHARP * span[0]), 0, round(SHARP * span[1]), image.height))
