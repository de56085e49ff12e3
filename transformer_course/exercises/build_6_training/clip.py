"""Stage B6: clipping gradients by their common norm."""

from operator import itemgetter

import numpy as np

from ..toolkit import normal
from .in_place import InPlace


def _lengths(gradients):
    return [np.sqrt((gradient**2).sum()) for gradient in gradients]


def _norm(gradients):
    return np.sqrt(sum((gradient**2).sum() for gradient in gradients))


def _scaled(factor=lambda norm, limit: min(1, limit / norm), norm=_norm):
    """Multiply each gradient by ``factor(norm(gradients), limit)``, worked out before any of them changes."""

    def change(gradients, limit):
        by = factor(norm(gradients), limit)
        for gradient in gradients:
            gradient *= by

    return change


def _one_by_one(factor):
    """Multiply each gradient by a factor of its own: factor(gradient, gradients, limit)."""

    def change(gradients, limit):
        for gradient in gradients:
            gradient *= factor(gradient, gradients, limit)

    return change


def _cut(gradients, limit):
    for gradient in gradients:
        np.clip(gradient, -limit, limit, out=gradient)


def _shortened(gradients, limit):
    """Subtract what the norm is above the limit from each number."""
    above = max(0, _norm(gradients) - limit)
    for gradient in gradients:
        gradient -= above


def _draw(rng):
    def drawn(size, *shapes):
        gradients = [normal(rng, *shape) for shape in shapes]
        gradients[-1] /= 4  # not the longest
        if len(shapes) > 2:
            gradients[0] /= 8  # nor is this one
        return [np.round(gradient * size / _norm(gradients) * 64) / 64 for gradient in gradients]

    return [
        [[np.array([0.0, 4.0]), np.array([[3.0, 0.0]])], 1.0],
        [drawn(8, (2, 3), (4,), (3, 2)), 2.0],
        [drawn(0.75, (3, 4), (2,)), 1.5],  # short enough
        [drawn(30, (5, 2), (3,)), 4.0],
    ]


clip = InPlace(
    id="build.clip",
    answer_name="clip_gradients",
    prompt="Scale all gradients by one factor, so that their global norm is at most the limit.",
    reference=_scaled(),
    draw=_draw,
    themselves=("gradients",),
    why="One factor for all of them makes the step shorter, but keeps its direction.",
    hints=(
        "Start with the global norm: add up the squares of all numbers in all gradients, then take the square root, "
        "`** 0.5`. `(gradient**2).sum()` adds up the squares of one of them.",
        "If the norm is above the limit, what must you multiply by to bring it down to the limit exactly?",
        "In a loop, multiply each gradient by `limit / norm`, with `*=`, which changes the tensor itself.",
    ),
    mistakes={
        "each tensor by itself": (
            "You clip each gradient by its own norm. Large ones shrink more than small ones, so the step points in a "
            "different direction.",
            "Work out a single norm from all gradients, and use the same factor for each.",
            _one_by_one(lambda gradient, gradients, limit: min(1, limit / _norm([gradient]))),
            _one_by_one(lambda gradient, gradients, limit: limit / _norm([gradient])),
        ),
        "each number by itself": (
            "You clipped each number by itself. This changes the direction of the step: large numbers shrink, small "
            "ones don't.",
            "Multiply all of them by the same factor.",
            _cut,
        ),
        "short gradients lengthened": (
            "You lengthen gradients that are short enough. They are short where the loss is nearly flat, and should stay "
            "short.",
            "Only gradients above the limit should change. Should your factor be at most 1, or at least 1?",
            _scaled(lambda norm, limit: limit / norm),
            _scaled(lambda norm, limit: max(1, limit / norm)),
        ),
        "the factor upside down": (
            "Your factor is the norm divided by the limit, so long gradients become even longer.",
            "Check with norm 5 and limit 1: which factor takes 5 to 1?",
            _scaled(lambda norm, limit: max(1, norm / limit)),
            _scaled(lambda norm, limit: norm / limit),
        ),
        "no square root": (
            "You added up the squares, but took no square root. That is the norm squared.",
            "For [3, 0] and [0, 4] together, the norm is 5.",
            _scaled(lambda norm, limit: min(1, limit / norm**2)),
            _scaled(lambda norm, limit: limit / norm**2 if norm > limit else 1),
        ),
        "the norms added up": (
            "You added up the norms of the gradients. For [3, 0] and [0, 4] that gives 7, but together they have norm 5.",
            "Add up the squares of all numbers first, and take one square root at the end.",
            _scaled(norm=lambda gradients: sum(_lengths(gradients))),
        ),
        "one gradient's norm": (
            "Your norm is that of a single gradient: the longest, the first or the last. The norm of all of them together is "
            "larger.",
            "Add up the squares of all numbers in all gradients, in a sum that starts at 0 before the loop.",
            *(
                _scaled(norm=lambda gradients, one=one: one(_lengths(gradients)))
                for one in (max, itemgetter(0), itemgetter(-1))
            ),
        ),
        "the largest number": (
            "You used the largest number of all gradients. The norm is larger: it adds up the squares of all numbers.",
            "For [3, 0] and [0, 4] together, the norm is 5.",
            _scaled(norm=lambda gradients: max(abs(gradient).max() for gradient in gradients)),
        ),
        "the largest singular value": (
            "`linalg.norm(matrix, 2)` is no sum of squares: of a matrix, it gives the largest singular value.",
            "`(gradient**2).sum()` adds up the squares, whatever the shape.",
            _scaled(norm=lambda gradients: np.sqrt(sum(np.linalg.norm(gradient, 2) ** 2 for gradient in gradients))),
        ),
        "the limit subtracted": (
            "You subtract from the gradients. That changes their direction, and even the sign of small numbers.",
            "Multiply all of them by the same factor.",
            _shortened,
        ),
        "a mean of squares": (
            "You took a mean of the squares. A million small numbers then have a small norm too, and nothing is ever clipped.",
            "A norm is the square root of a sum of squares.",
            _scaled(norm=lambda gradients: _norm(gradients) / np.sqrt(sum(gradient.size for gradient in gradients))),
            _scaled(norm=lambda gradients: np.sqrt(sum((gradient**2).mean() for gradient in gradients))),
        ),
        "the limit left out": (
            "You bring long gradients down to norm 1, whatever the limit is.",
            "The factor is the limit divided by the norm.",
            _scaled(lambda norm, limit: 1 / norm if norm > limit else 1),
            _scaled(lambda norm, limit: min(1, 1 / norm)),
        ),
        "the norm measured again": (
            "You measure the norm again for each gradient, after some of them have already been shortened. So each gets a "
            "different factor, and the direction changes.",
            "Work out the factor once, before the loop that changes the gradients.",
            _one_by_one(lambda gradient, gradients, limit: min(1, limit / _norm(gradients))),
        ),
    },
)
