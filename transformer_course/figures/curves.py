"""Measurements as curves, with their range over several seeds, and as bars."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from .description import LISTED, describe, fraction, number
from .style import CYCLE, FAINT, MARKERS, RC, array, axes_or_new

DASHES = ("-", "--", "-.", ":")


def curves(
    x,
    lines: Mapping[str, object],
    title: str = "",
    xlabel: str = "",
    ylabel: str = "",
    log: str = "",
    level: tuple[float, str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw up to four curves over the k values of ``x``.

    ``lines`` maps each name to values (k,), or to values (seeds, k), drawn as their median with a band for the range. ``log``
    names the logarithmic axes: "x", "y" or "xy". ``level`` is a value with its name, drawn as a faint horizontal line (for
    example, chance). Up to 20 points get markers. If all values are between 0 and 1 on a linear axis, the axis shows just
    that range, so that accuracies are comparable across figures.

    Raises ValueError for more than four curves, or if their values do not match ``x``.
    """
    x, lines = array(x), {name: array(values) for name, values in lines.items()}
    if len(lines) > len(CYCLE):
        raise ValueError(f"curves can draw at most {len(CYCLE)} distinguishable lines, got {len(lines)}; use two panels")
    ax = axes_or_new(ax, 5.6)
    with plt.rc_context(RC):
        if level is not None:
            ax.axhline(level[0], color=FAINT, lw=1.2, zorder=0)
            first, last = (min(abs(values[..., end] - level[0]).min() for values in lines.values()) for end in (0, -1))
            side, at = ("left", x.min()) if first > last else ("right", x.max())  # where no curve is near
            label = ax.annotate(level[1], (at, level[0]), (0, 1), textcoords="offset points", ha=side, va="bottom", fontsize=9)
        for (line, values), colour, marker, dashes in zip(lines.items(), CYCLE, MARKERS, DASHES, strict=False):
            runs = values.reshape(-1, values.shape[-1])
            if runs.shape[1:] != x.shape:
                raise ValueError(f"{line!r} needs {len(x)} values, one per x, got shape {values.shape}")
            ax.plot(
                x, np.median(runs, axis=0), color=colour, ls=dashes, lw=2, marker=marker if len(x) <= 20 else None, label=line
            )
            if len(runs) > 1:
                ax.fill_between(x, runs.min(0), runs.max(0), color=colour, alpha=0.25, lw=0)
        ax.set(xscale="log" if "x" in log else "linear", yscale="log" if "y" in log else "linear")
        if len(x) <= 8:
            ax.set_xticks(x, [f"{tick:g}" for tick in x])
            ax.xaxis.set_minor_locator(NullLocator())
        everything = np.concatenate([values.ravel() for values in lines.values()])
        if "y" in log and (span := np.nanmax(everything) / np.nanmin(everything)) < 100:
            for choose in (ax.yaxis.set_major_formatter, ax.yaxis.set_minor_formatter):
                choose(FuncFormatter(lambda value, _: f"{value:g}"))  # 2.5 in place of 2.5 × 10⁰
            if span >= 10:
                ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
                ax.yaxis.set_minor_locator(NullLocator())
        if "y" not in log and everything.min() >= 0 and everything.max() <= 1:
            ax.set_ylim(0, 1.05)
        ax.set(xlabel=xlabel, ylabel=ylabel)
        legend = ax.legend(frameon=False, fontsize=10)
        ax.set_title(title)
        if level is not None:
            box = label.get_window_extent()
            if legend.get_window_extent().padded(box.height).overlaps(box):
                label.set(va="top", position=(0, -2))
    axes = f"{ylabel or 'curves'} for {xlabel or 'x'} from {number(x[0])} to {number(x[-1])}"
    items = (f"{name or 'the curve'} {_course(values.reshape(-1, len(x)))}" for name, values in lines.items())
    return describe(
        ax,
        title,
        f"{axes}: {'; '.join(items)}{f'; a line for {level[1]} at {number(level[0])}' if level and level[1] else ''}.",
    )


def _course(runs: np.ndarray) -> str:
    """Say where a curve (seeds, k) begins, ends and is highest or lowest."""
    middle = np.median(runs, axis=0)
    middle = middle[~np.isnan(middle)]  # gaps are not drawn
    start, end, low, high = (number(value) for value in (middle[0], middle[-1], middle.min(), middle.max()))
    turn = "".join(f", at {name} {value}" for name, value in (("least", low), ("most", high)) if value not in (start, end))
    seeds = f" (median of {len(runs)} runs)" if len(runs) > 1 else ""
    return f"goes from {start} to {end}{turn}{seeds}"


def bars(
    values: Sequence[float],
    names: Sequence[str] | None = None,
    title: str = "",
    ylabel: str = "",
    labels: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw weights or fractions (k,) as bars on the fixed scale 0 … 1, numbered from 1 unless they have ``names``.

    ``labels`` is the format of the numbers above the bars, such as "%.2f"; without it, there are none.

    Raises ValueError for anything but one row of numbers.
    """
    values = array(values)
    if values.ndim != 1:
        raise ValueError(f"bars expects one row of numbers, got shape {values.shape}")
    ax = axes_or_new(ax)
    with plt.rc_context(RC):
        drawn = ax.bar(range(len(values)), values, color=CYCLE[0], width=0.8)
        if labels:
            ax.bar_label(drawn, fmt=labels)
        ax.set_xticks(range(len(values)), names or [f"{k + 1}" for k in range(len(values))])
        ax.tick_params(axis="x", length=0)
        ax.set(ylim=(0, 1), ylabel=ylabel)
        ax.set_title(title)
    spoken = [name.replace("\n", " ") for name in names or [f"bar {k + 1}" for k in range(len(values))]]
    labelled = list(zip(spoken, map(fraction, values), strict=True))
    if len(labelled) > LISTED:
        top = int(np.argmax(values))
        what = (
            f"{len(values)} of them, from {fraction(values.min())} to {fraction(values.max())}, highest at {labelled[top][0]}"
        )
    else:
        what = ", ".join(f"{name} {value}" for name, value in labelled)
    return describe(ax, title, f"bars{f' for {ylabel}' if ylabel else ''}: {what}.")
