"""What a logit lens reads at each layer and position: the most likely token, and its probability."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from .description import describe, listed, number
from .style import CYCLE, MAP, RC, array, axes_or_new, contrast_text


def logit_lens(
    letters: Sequence[Sequence[str]],
    probabilities,
    inputs: Sequence[str],
    labels: Sequence[str],
    rows: Sequence[str] | None = None,
    title: str = "",
    width: float = 0.42,
    ax: Axes | None = None,
) -> Axes:
    """Draw a table with a row per layer, first at the bottom, and a column per position.

    A cell holds the letter that was read there; the darker it is, the higher the letter's probability, on the fixed scale
    0 … 1 of ``probabilities`` (k, n). Letters that match the label get a heavy frame. The ``inputs`` are below the table,
    the ``labels`` above it. ``width`` is that of a column, in inches: words need more than letters.

    Raises ValueError unless there are as many letters, inputs and labels as probabilities.
    """
    p = array(probabilities)
    if p.ndim != 2 or np.shape(letters) != p.shape or len(inputs) != p.shape[1] or len(labels) != len(inputs):
        raise ValueError(
            "logit_lens expects a letter per probability, and an input and a label per column, "
            f"got probabilities {p.shape}, letters {np.shape(letters)}, {len(inputs)} inputs and {len(labels)} labels"
        )
    layers, positions = p.shape
    ax = axes_or_new(ax, 1.2 + width * positions, 1.0 + 0.42 * layers)
    with plt.rc_context(RC):
        image = ax.imshow(p, cmap=MAP, vmin=0, vmax=1, origin="lower", aspect=0.42 / width)
        for (k, n), value in np.ndenumerate(p):
            colour = contrast_text(image.cmap(image.norm(value)))
            correct = letters[k][n] == labels[n]
            ax.text(n, k, letters[k][n], ha="center", va="center", color=colour, weight="bold" if correct else "normal")
            if correct:
                ax.add_patch(plt.Rectangle((n - 0.46, k - 0.46), 0.92, 0.92, fill=False, lw=2.2, ec=CYCLE[1]))
        ax.set_xticks(range(positions), inputs)
        ax.set_yticks(range(layers), rows or [str(k) for k in range(layers)])
        above = ax.secondary_xaxis("top")
        above.set_xticks(range(positions), labels)
        for axis in (ax, above):
            axis.tick_params(length=0)
            axis.spines[:].set_visible(False)
        ax.set_xlabel("input")
        above.set_xlabel("label")
        ax.set_title(title, pad=10)
    items = (
        f"{rows[k] if rows else f'layer {k}'} reads “{''.join(read)}”, with {sum(map(str.__eq__, read, labels))} right"
        f" and a mean probability of {number(p[k].mean())}"
        for k, read in enumerate(letters)
    )
    return describe(ax, title, f"for the labels “{''.join(labels)}”, {listed(items, '; ')}.")
