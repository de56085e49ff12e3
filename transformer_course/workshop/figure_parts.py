"""The parts of a wide figure, one by one: on a projector, the type of the whole figure is too small.

A figure of several panels is cut between them, and a schematic is drawn again in two halves.
"""

import base64
import functools
import io
import itertools
import re
from collections.abc import Callable, Sequence

import numpy as np
from PIL import Image

from transformer_course.course.source import BLOCKS, PANELS, capital

from .dark_text import with_dark_text
from .schematic_halves import halves
from .slide import Picture, Slide, html, inline
from .slide_texts import caption, told

DRAWN = re.compile(r"figures\.(?:panels\((\d)|live\()")  # how a lesson draws panels side by side
SCHEMATIC = re.compile(r'figures\.schematic\("(\w+)"')
LIVE = 2  # panels while a model trains: the loss, and the accuracies
NEAR = 0.12  # of the width: how far the gap between two panels may be from where equal panels would meet


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
    if schematic := SCHEMATIC.search(code):
        return _enlarged(picture, _half, [(schematic[1], place) for place in (0, 1)])
    found = DRAWN.search(code)
    if (count := int(found[1] or LIVE) if found else 1) == 1:
        return ()
    image = _image(picture)
    cuts = [0, *(_gap(image, place / count) for place in range(1, count)), image.width]
    return () if None in cuts else _enlarged(picture, _panel, [(picture, *sides) for sides in itertools.pairwise(cuts)])


def _image(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(picture.png))).convert("RGBA")


def _gap(image: Image.Image, place: float) -> int | None:
    """Return the column in which nothing is drawn that is nearest to a place, given as a fraction of the width."""
    empty = np.flatnonzero(~(np.asarray(image)[..., 3] > 0).any(axis=0))
    near = empty[abs(empty - place * image.width) < NEAR * image.width]
    return int(near[abs(near - place * image.width).argmin()]) if len(near) else None


def _enlarged(whole: Picture, draw: Callable[..., str], of: Sequence[tuple]) -> tuple[Picture, ...]:
    alt = "Part {} of {}, enlarged. The whole figure: {}"
    return tuple(Picture(alt.format(number, len(of), whole.alt), draw, each) for number, each in enumerate(of, 1))


@functools.cache
def _half(schematic: str, place: int) -> str:
    return with_dark_text(_encoded(halves(schematic)[place]))


@functools.cache
def _panel(whole: Picture, left: int, right: int) -> str:
    image = _image(whole)
    return _encoded(image.crop((left, 0, right, image.height)))


def _encoded(image: Image.Image) -> str:
    png = io.BytesIO()
    image.save(png, "PNG")
    return base64.b64encode(png.getvalue()).decode()
