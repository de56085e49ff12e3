"""One training sequence: the inputs above, the labels below, and what one position can see."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from .description import describe
from .style import CYCLE, FAINT, LIT, RC, TEXT, axes_or_new, contrast_text

WIDE, HIGH = 0.92, 0.62  # size of a token's box; its column has width 1
GAP = 0.75  # between the rows


def token_labels(inputs: Sequence[str], labels: Sequence[str], position: int, title: str = "", ax: Axes | None = None) -> Axes:
    """Draw two rows of tokens, ``inputs`` above and ``labels`` below, and what ``position`` sees through a causal mask.

    The visible inputs are highlighted, and an arrow points from the input at ``position`` to its label. The label has a heavy
    frame, and so has the input if it is the same token. Columns are numbered from 0.

    Raises ValueError unless there are as many labels as inputs and ``position`` is one of theirs.
    """
    if len(inputs) != len(labels) or not 0 <= position < len(inputs):
        raise ValueError(
            f"token_labels expects one label for each input, and one of their positions, got {len(inputs)} inputs, "
            f"{len(labels)} labels and position {position}"
        )
    ax = axes_or_new(ax, 1.0 + 0.8 * len(inputs), 2.6)
    low, high = 0.0, HIGH + GAP
    with plt.rc_context(RC):
        for k, (token, label) in enumerate(zip(inputs, labels, strict=True)):
            visible, here = k <= position, k == position
            _box(ax, k, high, token, lit=visible, heavy=here and token == label)
            _box(ax, k, low, label, lit=False, heavy=here)
            ax.text(k, high + HIGH + 0.12, str(k), ha="center", va="bottom", fontsize=10, color=TEXT)
        ax.annotate("", (position, HIGH), (position, high), arrowprops={"arrowstyle": "-|>", "color": TEXT, "lw": 1.6})
        for y, name in ((high, "input"), (low, "label")):
            ax.text(-0.65, y + HIGH / 2, name, ha="right", va="center", fontsize=11)
        ax.set(xlim=(-2.0, len(inputs) - 0.4), ylim=(-0.2, high + HIGH + 0.5), aspect="equal")
        ax.axis("off")
        ax.set_title(title)
    seen = ", ".join(inputs[: position + 1])
    return describe(
        ax, title, f"position {position} sees {seen} and has the label {labels[position]}; the labels are {', '.join(labels)}."
    )


def _box(ax: Axes, k: int, y: float, word: str, lit: bool, heavy: bool) -> None:
    box = plt.Rectangle((k - WIDE / 2, y), WIDE, HIGH, fc=LIT if lit else "none", ec=CYCLE[1] if heavy else FAINT)
    box.set(label=word, zorder=2 if heavy else 1, lw=3 if heavy else 1)
    ax.add_patch(box)
    text = ax.text(k, y + HIGH / 2, word, ha="center", va="center", fontsize=11, zorder=3)
    text.set(color=contrast_text(LIT) if lit else TEXT, weight="bold" if heavy else "normal")
