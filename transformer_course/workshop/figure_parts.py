"""The parts of a wide figure, one by one: on a projector, the type of the whole figure is too small.

A figure of several panels is cut between them, and a schematic into two halves that overlap.
"""

import base64
import functools
import io
import itertools
import re
from collections.abc import Iterable, Iterator

import numpy as np
from PIL import Image

from transformer_course.course.source import BLOCKS, PANELS, capital

from .slide import Picture, Slide, html, inline
from .slide_texts import caption, told

DRAWN = re.compile(r"figures\.(?:panels\((\d)|live\()")  # how a lesson draws panels side by side
LIVE = 2  # panels while a model trains: the loss, and the accuracies
NEAR = 0.12  # of the width: how far the gap between two panels may be from where equal panels would meet
OVERLAP = 0.18  # of the width: how far beyond the middle a half of a schematic may reach
THIN, CLEAR = 6, 5  # pixels: the lines of arrows are at most so high, and letters and cells keep so far from a cut


def slides(heading: str, pictures: list[Picture], code: str) -> list[Slide]:
    """Return a slide for each part of the figures that ``code`` has drawn."""
    found = [part for picture in pictures for part in parts_of(picture, code)]
    return [Slide("picture", f"{heading} ({place} of {len(found)})", pictures=[each]) for place, each in enumerate(found, 1)]


def explain(figure: Slide, panels: list[Slide], said: dict[str, str]) -> None:
    """Put the caption of a figure on its slide; if each part has sentences of its own, they go on that part's slide."""
    whole, *of_panels = said.values()
    text = told(" ".join([whole, *(BLOCKS[kind] + said[kind] for kind in said if kind in PANELS)]).strip())
    divided = len(of_panels) == len(panels)
    figure.body, figure.notes = inline(caption(whole if whole and divided else text)), html(capital(text))
    if panels:
        figure.notes += html(f"The next {len(panels)} slides show its parts, enlarged.")
    for panel, says in zip(panels, of_panels if divided else [], strict=False):
        panel.body = inline(caption(told(says)))


@functools.cache  # the decks of workshops show the figures of the lessons again
def parts_of(picture: Picture, code: str) -> tuple[Picture, ...]:
    """Return the parts of a figure that ``code`` has drawn, from left to right; none if it is a single panel, unless
    that is a schematic."""
    found = DRAWN.search(code)
    count = int(found[1] or LIVE) if found else 1
    image = Image.open(io.BytesIO(base64.b64decode(picture.png))).convert("RGBA")
    if count > 1:
        cuts = [0, *(_gap(image, place / count) for place in range(1, count)), image.width]
        return tuple(_cropped(picture, image, itertools.pairwise(cuts))) if None not in cuts else ()
    return tuple(_cropped(picture, image, _halves(image))) if "figures.schematic(" in code else ()


def _gap(image: Image.Image, place: float) -> int | None:
    """Return the column in which nothing is drawn that is nearest to a place, given as a fraction of the width."""
    empty = np.flatnonzero(~_drawn(image).any(axis=0))
    near = empty[abs(empty - place * image.width) < NEAR * image.width]
    return int(near[abs(near - place * image.width).argmin()]) if len(near) else None


def _halves(image: Image.Image) -> list[tuple[int, int]]:
    """Return the edges of two halves, which overlap and are cut where only arrows pass, if there is such a place."""
    drawn, middle, reach = _drawn(image), image.width // 2, int(OVERLAP * image.width)

    def cut(column: int) -> int:
        near = drawn[:, column - CLEAR : column + CLEAR].any(axis=1)
        heights = [sum(1 for _ in rows) for seen, rows in itertools.groupby(near) if seen]
        return sum(height if height > THIN else 1 for height in heights)

    ends = min(range(middle, middle + reach), key=cut)
    begins = min(range(middle, middle - reach, -1), key=cut)
    return [(0, ends), (begins, image.width)]


def _drawn(image: Image.Image) -> np.ndarray:
    return np.asarray(image)[..., 3] > 0


def _cropped(picture: Picture, image: Image.Image, spans: Iterable[tuple[int, int]]) -> Iterator[Picture]:
    spans = list(spans)
    for number, (left, right) in enumerate(spans, 1):
        png = io.BytesIO()
        image.crop((left, 0, right, image.height)).save(png, "PNG")
        alt = f"Part {number} of {len(spans)}, enlarged. The whole figure: {picture.alt}"
        yield Picture(base64.b64encode(png.getvalue()).decode(), alt)
