"""The panels of a figure, one by one: on a projector, the type of three panels side by side is too small."""

import base64
import io
import itertools
import re
from collections.abc import Iterator

import numpy as np
from PIL import Image

from .slide import Picture, Slide, html, inline
from .slide_texts import by_panel, capital, caption, told

DRAWN = re.compile(r"figures\.(?:panels\((\d)|live\()")  # how a lesson draws panels side by side
LIVE = 2  # panels while a model trains: the loss, and the accuracies
NEAR = 0.12  # of the width: how far the gap between two panels may be from where equal panels would meet


def slides(heading: str, pictures: list[Picture], code: str) -> list[Slide]:
    """Return a slide for each panel of the figures that ``code`` has drawn."""
    found = [panel for picture in pictures for panel in parts_of(picture, code)]
    return [Slide("picture", f"{heading} ({place} of {len(found)})", pictures=[each]) for place, each in enumerate(found, 1)]


def explain(figure: Slide, panels: list[Slide], text: str) -> None:
    """Put the text under a figure on its slide; if each panel has sentences of its own, they go on that panel's slide."""
    whole, of_panels = by_panel(told(text), len(panels))
    figure.body, figure.notes = inline(caption(whole)), html(capital(told(text)))
    if panels:
        figure.notes += html(f"The next {len(panels)} slides show its panels, enlarged.")
    for panel, says in zip(panels, of_panels, strict=True):
        panel.body = inline(caption(says))


def parts_of(picture: Picture, code: str) -> list[Picture]:
    """Return the panels of a figure that ``code`` has drawn, from left to right; none if it has a single panel."""
    found = DRAWN.search(code)
    count = int(found[1] or LIVE) if found else 1
    image = Image.open(io.BytesIO(base64.b64decode(picture.png))).convert("RGBA")
    cuts = [0, *(_gap(image, place / count) for place in range(1, count)), image.width]
    return list(_cropped(picture, image, cuts)) if count > 1 and None not in cuts else []


def _gap(image: Image.Image, place: float) -> int | None:
    """Return the column in which nothing is drawn that is nearest to a place, given as a fraction of the width."""
    empty = np.flatnonzero(~np.asarray(image)[..., 3].any(axis=0))
    near = empty[abs(empty - place * image.width) < NEAR * image.width]
    return int(near[abs(near - place * image.width).argmin()]) if len(near) else None


def _cropped(picture: Picture, image: Image.Image, cuts: list[int]) -> Iterator[Picture]:
    for number, (left, right) in enumerate(itertools.pairwise(cuts), 1):
        png = io.BytesIO()
        image.crop((left, 0, right, image.height)).save(png, "PNG")
        alt = f"Panel {number} of {len(cuts) - 1}, enlarged. The whole figure: {picture.alt}"
        yield Picture(base64.b64encode(png.getvalue()).decode(), alt)
