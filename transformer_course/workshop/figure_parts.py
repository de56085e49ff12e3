"""The parts of a wide figure, one by one: on a projector, the type of the whole figure is too small.

A figure of several panels is cut between them, and a schematic is drawn again in two halves.
"""

import base64
import functools
import io
import itertools
import re
from collections.abc import Sequence

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
        return _enlarged(picture, halves(schematic[1]))
    found = DRAWN.search(code)
    count = int(found[1] or LIVE) if found else 1
    image = Image.open(io.BytesIO(base64.b64decode(picture.png))).convert("RGBA")
    cuts = [0, *(_gap(image, place / count) for place in range(1, count)), image.width]
    if count == 1 or None in cuts:
        return ()
    return _enlarged(picture, [image.crop((left, 0, right, image.height)) for left, right in itertools.pairwise(cuts)])


def _gap(image: Image.Image, place: float) -> int | None:
    """Return the column in which nothing is drawn that is nearest to a place, given as a fraction of the width."""
    empty = np.flatnonzero(~(np.asarray(image)[..., 3] > 0).any(axis=0))
    near = empty[abs(empty - place * image.width) < NEAR * image.width]
    return int(near[abs(near - place * image.width).argmin()]) if len(near) else None


def _enlarged(whole: Picture, images: Sequence[Image.Image]) -> tuple[Picture, ...]:
    found = []
    for number, image in enumerate(images, 1):
        png = io.BytesIO()
        image.save(png, "PNG")
        alt = f"Part {number} of {len(images)}, enlarged. The whole figure: {whole.alt}"
        found.append(Picture(with_dark_text(base64.b64encode(png.getvalue()).decode()), alt))
    return tuple(found)
