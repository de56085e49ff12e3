"""Attention weights as a heat map, and tokens with their outputs in the plane."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from .description import describe, fraction, listed, point
from .style import CYCLE, FAINT, MAP, MARKERS, RC, TEXT, array, axes_or_new, contrast_text, inks


def heatmap(
    weights,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    title: str = "",
    marked: Sequence[tuple[int, int]] = (),
    digits: int = 4,
    lowest: float = 0.0,
    ax: Axes | None = None,
) -> Axes:
    """Draw attention weights (n, m) as a heat map on the fixed scale 0 … 1, with a row per query and a column per key.

    Up to 8 by 8, the cells show their numbers with this many ``digits`` after the point. ``marked`` cells get a frame.
    Sinusoids, which go down to -1, need a scale that begins at ``lowest=-1``.

    Raises ValueError for anything but a matrix.
    """
    weights = array(weights)
    if weights.ndim != 2:
        raise ValueError(
            f"heatmap expects a matrix of weights (n, m), got shape {weights.shape}; choose one sequence and one head"
        )
    n, m = weights.shape
    rows, columns = rows or [f"query {i + 1}" for i in range(n)], columns or [f"key {j + 1}" for j in range(m)]
    ax = axes_or_new(ax)
    with plt.rc_context(RC):
        image = ax.imshow(weights, cmap=MAP, vmin=lowest, vmax=1)
        ax.set_xticks(range(m), columns)
        ax.set_yticks(range(n), rows)
        ax.xaxis.tick_top()
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        cell = min(ax.bbox.width / m, ax.bbox.height / n) * 72 / ax.figure.dpi  # in points, as the size of the type
        longest = max(len(label.get_text()) for label in ax.get_xticklabels())
        ax.tick_params(axis="x", labelsize=min(RC["font.size"], max(1.6 * cell / max(longest, 1), 7)))  # labels do not touch
        if n <= 8 and m <= 8:
            numbers = [[f"{weight:.{digits}f}" for weight in row] for row in weights]
            size = min(RC["font.size"], 1.3 * cell / max(len(number) for row in numbers for number in row))
            for i, j in np.ndindex(n, m):
                colour = contrast_text(image.cmap(image.norm(weights[i, j])))
                ax.text(j, i, numbers[i][j], ha="center", va="center", color=colour, fontsize=size)
        for i, j in marked:
            ax.add_patch(plt.Rectangle((j - 0.47, i - 0.47), 0.94, 0.94, fill=False, lw=2.5, ec=CYCLE[1]))
        ax.set_title(title, pad=12)
    return describe(ax, title, _of_weights(weights, rows, columns, marked))


def _of_weights(weights: np.ndarray, rows: Sequence[str], columns: Sequence[str], marked) -> str:
    """Say how large the weights are, and where the largest of each row is; small tables are given in full."""
    n, m = weights.shape
    names = [str(row) or f"row {i + 1}" for i, row in enumerate(rows)]
    places = [str(column) or f"column {j + 1}" for j, column in enumerate(columns)]
    frames = listed(f"{names[i]} at {places[j]}" for i, j in marked)
    framed = f"; framed: {frames}" if frames else ""
    if n * m <= 36:
        items = (f"{name}: {', '.join(map(fraction, row))}" for name, row in zip(names, weights, strict=True))
        what = f"the rows, over {', '.join(places)}, are {'; '.join(items)}"
    else:
        best = weights.argmax(1)
        items = (
            f"{name} at {places[j]} ({fraction(weights[i, j])})" for i, (name, j) in enumerate(zip(names, best, strict=True))
        )
        what = f"values from {fraction(weights.min())} to {fraction(weights.max())}, the largest of each row: {listed(items)}"
    return f"a heat map, {n} × {m}; {what}{framed}."


def plane(
    tokens,
    outputs=None,
    names: Sequence[str] | None = None,
    title: str = "",
    hull: bool = False,
    mirror: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Draw two-dimensional tokens (n, 2) as vectors from the origin, with an arrow to each of the ``outputs`` (n, 2), if any.

    ``hull`` shades the polygon with the tokens as corners, in order; ``mirror`` draws the line of equal coordinates.

    Raises ValueError if the points are not two-dimensional.
    """
    tokens = array(tokens)
    outputs = None if outputs is None else array(outputs)
    for points in (tokens, outputs):
        if points is not None and (points.ndim != 2 or points.shape[1] != 2):
            raise ValueError(f"plane expects points with two coordinates, (n, 2), got shape {points.shape}")
    names = names or [f"token {i + 1}" for i in range(len(tokens))]
    ax = axes_or_new(ax, 4.0)
    with plt.rc_context(RC):
        reach = 1.25 * max(1.0, np.abs(tokens).max())
        if mirror:
            ax.plot([0, reach / 1.25], [0, reach / 1.25], ls="--", color=FAINT, zorder=0)
            ax.text(0.24 * reach, 0.18 * reach, "mirror", color=TEXT, rotation=45, ha="center", va="center", fontsize=9)
        if hull:
            ax.fill(*tokens.T, color=FAINT, alpha=0.25, lw=0, zorder=0)
        for i, (token, name, ink) in enumerate(zip(tokens, names, inks(names), strict=True)):
            colour, marker = CYCLE[ink], MARKERS[i % len(MARKERS)]
            ax.plot([0, token[0]], [0, token[1]], color=colour, lw=1)
            ax.plot(*token, marker=marker, color=colour, ms=8, mfc="none", mew=2)
            ax.annotate(name, token, (7, 7), textcoords="offset points")
            if outputs is not None:
                ax.annotate("", outputs[i], token, arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 1.6, "shrinkA": 5})
                ax.plot(*outputs[i], marker=marker, color=colour, ms=9, ls="none")
        ends = (-0.1 if tokens.min() >= 0 else -reach, reach)
        ax.set(xlim=ends, ylim=ends, aspect="equal", xlabel="first coordinate", ylabel="second coordinate")
        ax.set_title(title)
    ends = [""] * len(tokens) if outputs is None else [f", with an arrow to {point(output)}" for output in outputs]
    items = (f"{name} at {point(token)}{end}" for name, token, end in zip(names, tokens, ends, strict=True))
    return describe(ax, title, f"in the plane, {listed(items, '; ')}.")
