"""What several tests of figures draw or measure."""

import functools
from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes

from transformer_course import figures
from transformer_course.figures.schematics import SCHEMATICS

X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


def samples() -> dict[str, Callable[[], Axes]]:
    """Return a function per kind of figure that draws an example of it, in axes of its own."""
    words, k = list("abcd"), np.arange(30)
    return {
        "architecture": lambda: figures.architecture("cross-attention", title="Title"),
        "small architecture": lambda: figures.architecture("output layer", small=True),
        "large architecture": lambda: figures.architecture("output layer", large=True),
        "bars": lambda: figures.bars([0.2, 0.8], title="Title", ylabel="weight", labels="%.2f"),
        "beside_chance": lambda: figures.beside_chance({"a": 0.4}, {"a": [0.1, 0.3]}, "Title", "x"),
        "clock": lambda: figures.clock(X[:2], X[1:], "Title"),
        "counts": lambda: figures.counts({"a": 3, "b": 5}, "Title", "x"),
        "curves": lambda: figures.curves(k, {"a": k, "b": [k, k + 3]}, "Title", "x", "y", level=(5, "chance")),
        "differences": lambda: figures.differences({"a": [0.1, 0.3], "b": [-0.2, -0.1]}, "Title", "x"),
        "heatmap": lambda: figures.heatmap(np.eye(3) * 0.6, title="Title", marked=[(1, 1)]),
        "images": lambda: figures.images([np.eye(3) * 0.6] * 7, ["a"] * 7, "Title"),
        "live": lambda: _learning().draw()[0],
        "logit_lens": lambda: figures.logit_lens([words] * 2, np.eye(2, 4), words, words, title="Title"),
        "plane": lambda: figures.plane(X, X / 2, title="Title", hull=True, mirror=True),
        "scatter_hull": lambda: figures.scatter_hull(X / 2, X, [True, False, False], "Title"),
        **{f"schematic of {name}": functools.partial(figures.schematic, name) for name in SCHEMATICS},
        "token_labels": lambda: figures.token_labels(words, words, 2, "Title"),
    }


def _learning() -> figures.live:
    watch = figures.live(30, "Title")
    for step in range(1, 31):
        watch(step, 1 / step, {"accuracy": step / 30})
    return watch
