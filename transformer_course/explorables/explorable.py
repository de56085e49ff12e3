"""An explorable as a cell's output: a picture, which its script replaces by one that the reader can change."""

import base64
import html
import io
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import matplotlib.pyplot as plt

from transformer_course._util.palette import with_colours
from transformer_course.figures.description import Figure

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Explorable:
    """HTML in a notebook, one sentence elsewhere. Every run gives the same output.

    ``name.js`` defines the element ``<course-name>``, with the parts that all explorables share from ``shared.js``, and
    ``arithmetic.js``, with which a model's page computes too. The script gets ``content`` as JSON. The ``picture`` is shown
    wherever scripts do not run, and ``sentence`` is its alt text.
    """

    name: str
    content: dict
    picture: bytes  # WebP, which is smaller than PNG
    sentence: str

    def __repr__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        element = f"course-{self.name.replace('_', '-')}"
        content = html.escape(json.dumps(self.content, separators=(",", ":"), ensure_ascii=False))
        source = f"data:image/webp;base64,{base64.b64encode(self.picture).decode()}"
        fallback = f'<img src="{source}" alt="{html.escape(self.sentence)}">'
        script = "\n".join(_asset(f"{part}.js") for part in ("arithmetic", "shared", self.name))
        return (
            f"<style>\n{_asset('shared.css')}</style>\n"
            f'<{element} class="course-explorable" data-content="{content}">{fallback}</{element}>\n'
            f'<script type="module">\n{script}</script>'
        )


def explorable(name: str, content: dict, picture: Figure, sentence: str = "") -> Explorable:
    """Return an explorable with this figure as its picture, and the figure's own alt text unless it gets a ``sentence``.

    The figure is closed: a cell would show it as well.
    """
    drawn = io.BytesIO()
    picture.savefig(drawn, format="webp", bbox_inches="tight", pil_kwargs={"lossless": True})
    plt.close(picture)
    return Explorable(name, content, drawn.getvalue(), sentence or picture.alt)


@cache
def _asset(name: str) -> str:
    return with_colours((HERE / name).read_text(encoding="utf-8"))
