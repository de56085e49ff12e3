"""A map of the whole Transformer. Each lesson highlights the parts that it covers."""

import itertools
from dataclasses import dataclass
from difflib import get_close_matches

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from .description import describe
from .style import FAINT, LIT, RC, TEXT, axes_or_new, contrast_text

LEFT, RIGHT, WIDE, HIGH = 0.0, 5.2, 3.6, 0.56
HEAD = "-|>,head_length=0.25,head_width=0.13"  # small enough to fit between two boxes


@dataclass(frozen=True)
class Part:
    label: str
    x: float
    y: float


# Every part, by the name that highlights it. The encoder is on the left, the decoder on the right; both are read upwards.
PARTS = {
    "source embedding": Part("Token embedding", LEFT, 0.0),
    "source positions": Part("+ positions", LEFT, 0.85),
    "encoder self-attention": Part("Self-attention", LEFT, 2.3),
    "encoder add & norm 1": Part("Add & norm", LEFT, 3.05),
    "encoder feed-forward": Part("Feed-forward", LEFT, 4.0),
    "encoder add & norm 2": Part("Add & norm", LEFT, 4.75),
    "target embedding": Part("Token embedding", RIGHT, 0.0),
    "target positions": Part("+ positions", RIGHT, 0.85),
    "decoder self-attention": Part("Masked self-attention", RIGHT, 2.3),
    "decoder add & norm 1": Part("Add & norm", RIGHT, 3.05),
    "cross-attention": Part("Cross-attention", RIGHT, 4.0),
    "decoder add & norm 2": Part("Add & norm", RIGHT, 4.75),
    "decoder feed-forward": Part("Feed-forward", RIGHT, 5.7),
    "decoder add & norm 3": Part("Add & norm", RIGHT, 6.45),
    "output layer": Part("Linear", RIGHT, 7.8),
    "output softmax": Part("Softmax", RIGHT, 8.65),
}


def architecture(*lit: str, title: str = "", small: bool = False, large: bool = False, ax: Axes | None = None) -> Axes:
    """Draw the encoder–decoder Transformer and highlight the parts named in ``lit``; ``PARTS`` lists all names.

    A ``small`` map, for the opening of a lesson, has labels on the highlighted parts only. A ``large`` one, for a projector,
    has larger type, and leaves out what is beside the two stacks.

    Raises ValueError for an unknown part, and suggests the most similar name.
    Source: Vaswani et al. 2017, "Attention Is All You Need", figure 1.
    """
    for name in lit:
        if name not in PARTS:
            near = get_close_matches(name, PARTS, n=1, cutoff=0.0)[0]
            raise ValueError(f"unknown part {name!r}; did you mean {near!r}?")
    ax = axes_or_new(ax, *((6.6, 2.5) if small else (8.2, 4.6)))
    size = 8 if small else 15 if large else 10
    with plt.rc_context(RC):
        for left, low, high in ((LEFT, 1.95, 5.65), (RIGHT, 1.95, 7.35)):
            frame = FancyBboxPatch((left - 0.45, low), WIDE + 0.9, high - low, boxstyle="round,pad=0,rounding_size=0.25")
            ax.add_patch(frame)
            frame.set(fc="none", ec=FAINT, lw=1.2)
        for name, part in PARTS.items():
            is_lit = name in lit
            box = FancyBboxPatch((part.x, part.y), WIDE, HIGH, boxstyle="round,pad=0,rounding_size=0.1", label=name)
            box.set(fc=LIT if is_lit else "none", ec=TEXT if is_lit else FAINT, lw=2 if is_lit else 1)
            ax.add_patch(box)
            if is_lit or not small:
                text = ax.text(part.x + WIDE / 2, part.y + HIGH / 2, part.label, ha="center", va="center", fontsize=size)
                text.set(color=contrast_text(LIT) if is_lit else TEXT, weight="bold" if is_lit and not large else "normal")
        _wires(ax, size)
        if large:
            ax.text(LEFT - 0.45, 9.2, "encoder (left) and\ndecoder (right):\neach N layers", va="top", fontsize=size)
        else:
            _beside(ax, size)
        ax.set(xlim=(-0.6, 9.4) if large else (-2.2, 13.2), ylim=(-1.1, 10.1), aspect="auto" if small or large else 0.7)
        ax.axis("off")
        ax.set_title(title)
    shown = f"highlighted: {', '.join(lit)}" if lit else "nothing is highlighted"
    return describe(
        ax, title, f"a map of the Transformer, with the encoder on the left and the decoder on the right; {shown}."
    )


def _wires(ax: Axes, size: float) -> None:
    for column in (LEFT, RIGHT):
        stack = sorted(part.y for part in PARTS.values() if part.x == column)
        for below, above in itertools.pairwise(stack):
            _arrow(ax, (column + WIDE / 2, below + HIGH), (column + WIDE / 2, above))
    for name, part in PARTS.items():
        if "add & norm" in name:  # the residual connection: past the sublayer below, into this addition
            start = max(p.y for p in PARTS.values() if p.x == part.x and p.y < part.y) - 0.19
            side, edge = (part.x - 0.22, part.x) if part.x == LEFT else (part.x + WIDE + 0.22, part.x + WIDE)
            ax.plot([part.x + WIDE / 2, side, side], [start, start, part.y + HIGH / 2], color=TEXT, lw=1)
            _arrow(ax, (side, part.y + HIGH / 2), (edge, part.y + HIGH / 2))
    middle = LEFT + WIDE / 2
    memory = PARTS["cross-attention"].y + HIGH / 2
    # Only the last encoder layer's output feeds the cross-attention of every decoder layer.
    ax.plot([middle, middle, 4.3, 4.3], [4.75 + HIGH, 6.1, 6.1, memory], color=TEXT, lw=1.2)
    _arrow(ax, (4.3, memory), (RIGHT, memory))
    ax.text(middle, 6.2, "one vector for each source token", ha="center", va="bottom", fontsize=size)
    for column, words in ((LEFT, "source tokens"), (RIGHT, "target tokens so far")):
        _arrow(ax, (column + WIDE / 2, -0.5), (column + WIDE / 2, 0.0))
        ax.text(column + WIDE / 2, -0.6, words, ha="center", va="top", fontsize=size + (size > 8), style="italic")
    middle = RIGHT + WIDE / 2
    _arrow(ax, (middle, 8.65 + HIGH), (middle, 9.6))
    ax.text(
        middle, 9.65, "probabilities of the next token", ha="center", va="bottom", fontsize=size + (size > 8), style="italic"
    )


def _beside(ax: Axes, size: float) -> None:
    """Draw what is beside the two stacks: how often each is repeated, and the way of a chosen token."""
    middle = RIGHT + WIDE / 2
    far = RIGHT + WIDE + 2.9
    ax.plot([middle + 2.35, far, far, middle + 1.75], [9.8, 9.8, -0.75, -0.75], color=TEXT, lw=1.1, ls="--")
    _arrow(ax, (middle + 1.8, -0.75), (middle + 1.7, -0.75))
    ax.text(far + 0.1, 4.6, "one token\nis chosen\nand added", ha="left", va="center", fontsize=size)
    ax.text(LEFT - 0.65, 3.8, "encoder:\nN layers", ha="right", va="center", fontsize=size + (size > 8))
    ax.text(RIGHT + WIDE + 0.65, 4.65, "decoder:\nN layers", ha="left", va="center", fontsize=size + (size > 8))


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    ax.annotate("", end, start, arrowprops={"arrowstyle": HEAD, "color": TEXT, "lw": 1.1, "shrinkA": 0, "shrinkB": 0})
