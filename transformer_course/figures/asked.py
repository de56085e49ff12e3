"""One text of a batch: what goes into the model above, what is asked of it below, and what one position can see."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from .style import FAINT, INK, RC, TEXT, one

LIT, PALE = INK["sand"], "#F4F5F7"
WIDE, HIGH, GAP = 0.92, 0.62, 0.75  # of a token's box, whose column is 1 wide; and between the rows


def asked(inputs: Sequence[str], labels: Sequence[str], position: int, title: str = "", ax: Axes | None = None) -> Axes:
    """Two rows of tokens: ``inputs`` above, ``labels`` below. The inputs that ``position`` sees behind a causal mask are lit,
    an arrow leads from its own to its label. The label has a heavy frame, and its input too where it is the same token.

    Columns are numbered from 0. Raises ValueError unless there are as many labels as inputs, the position among them.
    """
    if len(inputs) != len(labels) or not 0 <= position < len(inputs):
        raise ValueError(
            f"asked draws one label for each input, and one of their positions, got {len(inputs)} inputs, "
            f"{len(labels)} labels and position {position}"
        )
    ax = one(ax, 1.0 + 0.8 * len(inputs), 2.6)
    low, high = 0.0, HIGH + GAP
    with plt.rc_context(RC):
        for k, (given, label) in enumerate(zip(inputs, labels, strict=True)):
            seen, here = k <= position, k == position
            _box(ax, k, high, given, LIT if seen else PALE, heavy=here and given == label)
            _box(ax, k, low, label, PALE, heavy=here)
            ax.text(k, high + HIGH + 0.12, str(k), ha="center", va="bottom", fontsize=9, color=TEXT)
        ax.annotate("", (position, HIGH), (position, high), arrowprops={"arrowstyle": "-|>", "color": TEXT, "lw": 1.6})
        for y, name in ((high, "goes in"), (low, "is asked")):
            ax.text(-0.65, y + HIGH / 2, name, ha="right", va="center", fontsize=10)
        ax.set(xlim=(-2.0, len(inputs) - 0.4), ylim=(-0.2, high + HIGH + 0.5), aspect="equal")
        ax.axis("off")
        ax.set_title(title)
    return ax


def _box(ax: Axes, k: int, y: float, word: str, colour: str, heavy: bool) -> None:
    box = plt.Rectangle(
        (k - WIDE / 2, y), WIDE, HIGH, fc=colour, ec=INK["vermilion"] if heavy else FAINT, lw=3 if heavy else 1
    )
    box.set(label=word, zorder=2 if heavy else 1)
    ax.add_patch(box)
    ax.text(k, y + HIGH / 2, word, ha="center", va="center", fontsize=10, weight="bold" if heavy else "normal", zorder=3)
