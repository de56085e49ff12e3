"""A map of the model, on which each part is a link, and filled once it is built. It is HTML, which a phone can draw too."""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .style import PALETTE

# Every part, by the name that sources use: ``# %% exercise="build.block" builds=["block", "residual"]``.
PARTS = {
    "tokens": "Text as numbers",
    "embedding": "Embedding",
    "positions": "Positions",
    "head": "One head",
    "mask": "Mask",
    "heads": "Several heads",
    "encoder": "Encoder",
    "decoder": "Decoder: cross-attention",
    "feed-forward": "Feed-forward",
    "residual": "Residual connection",
    "norm": "LayerNorm",
    "block": "Block",
    "loss": "Output and loss",
    "training": "Training",
    "choice": "Choosing the next token",
}
ONLY_TRANSLATES = ("encoder", "decoder")  # what a GPT leaves out
HALF, BUILT = "half", "built"
MARKS = {"": ("", "not built yet"), HALF: ("½ ", "its sheet is begun"), BUILT: ("✓ ", "built")}


@dataclass(frozen=True)
class Part:
    """What a learner has of a part, and where it is built."""

    state: str = ""  # HALF or BUILT
    place: str = ""  # where it is built, or what is next for it: "B4"
    link: str = ""  # the address of that place


@dataclass(frozen=True)
class ModelMap:
    """The map in a notebook, one sentence elsewhere."""

    content: str
    sentence: str

    def __repr__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        return self.content


def model_map(parts: Mapping[str, Part], title: str = "") -> ModelMap:
    """Draw the model from its input, at the bottom, to the next token. What is not in ``parts`` is not built, and no link.

    Raises ValueError for an unknown part; ``PARTS`` lists all.
    """
    if unknown := {*parts} - {*PARTS}:
        raise ValueError(f"unknown part {min(unknown)!r}; the map has {', '.join(PARTS)}")
    box = {name: _box(name, parts.get(name, Part())) for name in PARTS}
    attention = _frame("<p>Attention</p>", _row("Attention", box["head"], box["mask"], box["heads"]))
    sublayers = _column("Sublayers", attention, box["decoder"], box["feed-forward"])
    around = _row("Around each sublayer", box["residual"], box["norm"])
    block = _frame(box["block"], _row("Inside a block", sublayers, around, main=0))
    encoder = _frame(box["encoder"], "<p>Cross-attention reads its output. A GPT leaves out what is dashed.</p>", "left-out")
    model = _column(
        "The model, from its input to the next token",
        box["tokens"],
        _row("Vectors", box["embedding"], box["positions"]),
        _row("Layers", encoder, block, main=1),
        _row("Output", box["loss"], box["training"]),
        box["choice"],
    )
    sentence = _sentence(parts)
    caption = f'<p class="caption">{html.escape(title)}</p>' if title else ""
    content = f'<div class="course-map" role="group" aria-label="Map of the model">{caption}{model}</div>'
    return ModelMap(f"<style>{_css()}</style>{content}", f"{title}: {sentence}" if title else sentence)


def progress(mine: object, title: str = "") -> None:
    """Show what ``my_progress`` returns. Learners with a changed copy of an older lesson 00 call it; now that shows itself."""
    from IPython.display import display

    display(mine)


def _sentence(parts: Mapping[str, Part]) -> str:
    built = [label for name, label in PARTS.items() if name in parts and parts[name].state == BUILT]
    return f"{len(built)} of {len(PARTS)} parts of the model built{': ' if built else ''}{', '.join(built)}."


def _column(label: str, *items: str) -> str:
    """List items from the bottom up, with arrows between them."""
    listed = "".join(f'<div role="listitem">{item}</div>' for item in items)
    return f'<div role="list" aria-label="{label}" class="up">{listed}</div>'


def _row(label: str, *items: str, main: int = -1) -> str:
    """List items beside each other. Where there is no room for that, the first is the lowest; ``main`` is the widest."""
    listed = "".join(
        f'<div role="listitem"{" class=main" if place == main else ""}>{item}</div>' for place, item in enumerate(items)
    )
    return f'<div role="list" aria-label="{label}" class="beside">{listed}</div>'


def _frame(head: str, inside: str, look: str = "") -> str:
    return f'<div class="frame {look}">{head}{inside}</div>'


def _box(name: str, part: Part) -> str:
    mark, state = MARKS[part.state]
    look = " ".join(filter(None, ["part", part.state, "left-out" if name in ONLY_TRANSLATES else ""]))
    inside = f"{PARTS[name]} <small>{mark}{html.escape(part.place)}</small>"
    if not part.link:
        return f'<span class="{look}">{inside}</span>'
    says = f"{PARTS[name]} {mark}{part.place}: {state}"
    return f'<a class="{look}" href="{html.escape(part.link)}" aria-label="{html.escape(says)}">{inside}</a>'


def _css() -> str:
    """Return the style sheet in one line: in Markdown, a blank line would end the HTML."""
    source = (Path(__file__).parent / "model_map.css").read_text(encoding="utf-8")
    return " ".join(re.sub(r"var\(--([\w-]+)\)", lambda name: PALETTE[name[1]], source).split())
