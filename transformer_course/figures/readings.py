"""What is read off a model at each height and each place of a text: the likeliest character, and how likely it is."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from .style import INK, MAP, RC, array, on, one


def readings(
    letters: Sequence[Sequence[str]],
    shares,
    inputs: Sequence[str],
    labels: Sequence[str],
    rows: Sequence[str] | None = None,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """A table read from below: a row for each height, a column for each place of a text.

    A cell holds the letter that was read there; the darker, the likelier, on the fixed scale 0 … 1 of ``shares`` (k, n).
    Letters that are the label get a heavy frame. Below the table stand the ``inputs``, above it the ``labels``.
    Raises ValueError unless there are as many letters, inputs and labels as shares.
    """
    shares = array(shares)
    if shares.ndim != 2 or np.shape(letters) != shares.shape or len(inputs) != shares.shape[1] or len(labels) != len(inputs):
        raise ValueError(
            f"readings draws a letter for each share, an input and a label for each column, got shares {shares.shape}, "
            f"letters {np.shape(letters)}, {len(inputs)} inputs and {len(labels)} labels"
        )
    height, places = shares.shape
    ax = one(ax, 1.2 + 0.42 * places, 1.0 + 0.42 * height)
    with plt.rc_context(RC):
        image = ax.imshow(shares, cmap=MAP, vmin=0, vmax=1, origin="lower")
        for (k, n), share in np.ndenumerate(shares):
            colour = on(image.cmap(image.norm(share)))
            right = letters[k][n] == labels[n]
            ax.text(n, k, letters[k][n], ha="center", va="center", color=colour, weight="bold" if right else "normal")
            if right:
                ax.add_patch(plt.Rectangle((n - 0.46, k - 0.46), 0.92, 0.92, fill=False, lw=2.2, ec=INK["vermilion"]))
        ax.set_xticks(range(places), inputs)
        ax.set_yticks(range(height), rows or [str(k) for k in range(height)])
        above = ax.secondary_xaxis("top")
        above.set_xticks(range(places), labels)
        for axis in (ax, above):
            axis.tick_params(length=0)
            axis.spines[:].set_visible(False)
        ax.set_xlabel("goes in")
        above.set_xlabel("is asked")
        ax.set_title(title, pad=10)
    return ax
