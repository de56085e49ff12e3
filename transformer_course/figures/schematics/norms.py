"""Lesson 11: which numbers a norm takes its mean and variance of, and where in a layer it stands."""

from matplotlib.axes import Axes

from ..description import describe
from ..drawing import HOLLOW, arrow, filled, line, matrix, operation, page, words
from ..style import FAINT, LIT

TEXTS = (("three", "hundred", "and", "five"), ("seven", "pad", "pad", "pad"))
WIDTH, CELL = 5, (22, 23)
TOKEN, DIMENSION = 1, 2  # the token and the dimension that are lit


def norms() -> Axes:
    ax = page(270)
    for x, name, below in ((90, "LayerNorm", "one token: $d$ numbers"), (470, "BatchNorm", "one dimension: $b · n$ numbers")):
        words(ax, x + 54, 14, name, 11, weight="bold")
        for number, tokens in enumerate(TEXTS):
            colours = filled(len(tokens), WIDTH, FAINT)
            colours[[token == "pad" for token in tokens]] = HOLLOW
            if name == "BatchNorm":
                colours[:, DIMENSION] = LIT
            elif number == 0:
                colours[TOKEN] = LIT
            box = matrix(ax, x, 78 + 106 * number, colours, cell=CELL)
            for k, token in enumerate(tokens):
                words(ax, x - 6, box.y + (k + 0.5) * CELL[1], token, ha="right")
        words(ax, x + 54, 250, below)
    return describe(
        ax,
        "Which numbers go into one mean and one variance",
        f"A batch of two texts, {' '.join(TEXTS[0])} and {TEXTS[1][0]} with three tokens of padding, each token a row of "
        f"numbers; in LayerNorm the numbers of one token are highlighted, those of {TEXTS[0][TOKEN]}; in BatchNorm one column "
        "is highlighted, through all tokens of both texts, padding included.",
    )


def norm_orders() -> Axes:
    ax = page(230)
    for middle, name in ((60, "post-norm"), (170, "pre-norm")):
        words(ax, 58, middle, name, 11, weight="bold")
        words(ax, 140, middle, "x", 11, weight="bold")
        words(ax, 140, middle + 17, "$n × d$", 9)
        branch, below = 176, middle + 34
        if name == "post-norm":
            sublayer = operation(ax, 250, below, "sublayer f", 92)
            arrow(ax, (150, middle), (417, middle))
            plus = operation(ax, 417, middle, "+", 26, 26)
            norm = operation(ax, 500, middle, "LayerNorm", 92, colour=LIT)
            arrow(ax, plus.right, norm.left)
            arrow(ax, norm.right, (648, middle))
            first = sublayer
        else:
            first = operation(ax, 210, below, "LayerNorm", 92, colour=LIT)
            sublayer = operation(ax, 335, below, "sublayer f", 92)
            arrow(ax, first.right, sublayer.left)
            arrow(ax, (150, middle), (487, middle))
            plus = operation(ax, 487, middle, "+", 26, 26)
            arrow(ax, plus.right, (648, middle))
        line(ax, (branch, middle), (branch, below))
        arrow(ax, (branch, below), first.left)
        line(ax, sublayer.right, (plus.bottom[0], below))
        arrow(ax, (plus.bottom[0], below), plus.bottom)
        words(ax, 676, middle, "$n × d$", 10)
    return describe(
        ax,
        "Where the norm stands",
        "Post-norm: a sublayer f reads x (n × d), its output is added to x, and a LayerNorm rescales the sum (n × d); "
        "pre-norm: a LayerNorm rescales x, a sublayer f reads the result, and its output is added to x itself (n × d).",
    )
