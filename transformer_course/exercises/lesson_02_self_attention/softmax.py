"""Sheet 02: softmax for every shape and size, and a test of someone else's."""

import numpy as np

from ..families import adapted
from ..families.softmax import SOFTMAX, over
from ..kinds import Implement, Property, WriteTest
from ..toolkit import normal, softmax


def _softmax_in_loops(scores):
    """With a small number in the sum, as some guard a division: a test has to allow for it, as for rounding."""
    rows = [[np.exp(s - max(row)) for s in row] for row in scores.reshape(-1, scores.shape[-1])]
    return np.array([[e / (sum(row) + 1e-8) for e in row] for row in rows]).reshape(scores.shape)


attention_softmax = Implement(
    id="attention.softmax",
    answer_name="softmax",
    prompt="Softmax over the last axis, for scores with any number of axes, and of any size.",
    reference=softmax,
    draw=lambda rng: [
        [np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 2.0]])],
        [normal(rng, 4, 3)],
        [normal(rng, 2, 3, 5)],
        [normal(rng, 7)],
        # exp overflows from 710 on; beyond 1024, float32 would be too coarse for some right answers
        [np.array([[1000.0, 1001.0, 998.0], [-1000.0, -1001.0, -1003.0]])],
        [np.array([[1000.0, -1000.0]])],
        [normal(rng, 2, 3, 2, 4)],
        [normal(rng, 3, 1)],
    ],
    alternatives=(lambda scores: np.exp(scores - np.logaddexp.reduce(scores, -1, keepdims=True)), _softmax_in_loops),
    properties=(
        Property("Along the last axis, the weights must sum to 1.", lambda w, scores: np.allclose(w.sum(-1), 1, atol=1e-3)),
        Property("Every weight must be between 0 and 1.", lambda w, scores: ((w >= 0) & (w <= 1 + 1e-6)).all()),
        Property(
            "A larger score must get a larger weight.",
            lambda w, scores: (np.argmax(w, -1) == np.argmax(scores, -1)).all(),
        ),
    ),
    why="Subtracting the maximum of each row changes nothing on paper, and it keeps exp from overflowing.",
    hints=(
        "There are two steps: take exp of every score, then divide by the sum of its own row. The row is the last axis, -1, "
        "however many axes come before it.",
        "Pass keepdims=True. The summed axis then keeps length 1, so that each row is divided by its own sum.",
        "exp(1000) is too large for any float. Adding the same number to all scores of a row changes no weight, so subtract "
        "each row's own largest score first.",
    ),
    mistakes={
        **adapted(SOFTMAX, lambda weigh: weigh, axis="-1", keepdims="keepdims=True (torch calls it keepdim)"),
        "the logarithms of the weights": (
            "These are the logarithms of the weights, as torch's `log_softmax` gives them. A weight is between 0 and 1.",
            "Take exp of each, or leave the logarithm out.",
            lambda scores: scores - np.logaddexp.reduce(scores, -1, keepdims=True),
            lambda scores: np.log(softmax(scores)),
        ),
        "no axis given": (
            "You call torch's softmax without an axis. It then takes axis 0 of one or three axes, and axis 1 of two or four.",
            "Pass `dim=-1`.",
            lambda scores: over(0 if scores.ndim in (1, 3) else 1)[0](scores),
        ),
        "axis 1, but for a single row": (
            "You normalised over axis 1, with a case of its own for a single row. In a batch (b, n, m), axis 1 holds the queries.",
            "Count from the back: -1 is the last axis, however many there are.",
            lambda scores: over(min(1, scores.ndim - 1))[0](scores),
            lambda scores: over(1)[0](np.atleast_2d(scores)),
        ),
    },
)

test_softmax = WriteTest(
    id="attention.test_softmax",
    answer_name="is_softmax",
    prompt="A test that accepts every correct softmax and rejects the broken ones.",
    target=attention_softmax,
    false_positive_hint="Right functions differ in late digits, and numbers that you typed are rounded: np.allclose(…, "
    "atol=1e-4) allows for both. If you compare with a softmax that you wrote, make sure that yours is right, for large scores "
    "too. And on a computer a weight may be exactly 0, although on paper it never is.",
    caught={
        "softmax over the first axis": "a matrix in which rows and columns differ, with the sum of each row.",
        "axis counted from the front": "scores with a batch in front, of shape (2, 3, 5), or a single row.",
        "axis 1, but for a single row": "scores with a batch in front, of shape (2, 3, 5).",
        "right for a single matrix only": "scores with a batch in front, of shape (2, 3, 5), or a single row.",
        "softmax over the queries": "a matrix in which rows and columns differ, with the sum of each row.",
        "without keepdims": "rows whose exponentials have different sums.",
        "exp overflows": "scores near 1000, and a row with 1000 and −1000.",
        "one max for all rows": "a row near 1000 and a row near 0 in the same matrix.",
        "scores clipped": "the scores 1000 and 1001, which must get the same weights as the scores 0 and 1.",
        "scores divided by their sum": "weights that you know: scores 0 and 1 give 0.2689 and 0.7311.",
        "not divided by the sum": "the sum of each row.",
        "divided by the sum of everything": "a matrix of two rows, with the sum of each.",
    },
    why=(
        "Your test tries inputs that distinguish correct from broken functions: rows that differ, scores that are very large "
        "or far apart, and different numbers of axes."
    ),
    hints=(
        "Give `f` some scores whose weights you know, and compare with np.allclose. For which scores could a broken function "
        "be right by luck? Square and symmetric matrices are the worst.",
        "One input is unlikely to catch them all. Try a matrix that is not square, a batch of matrices, and a single row.",
        "Large scores reveal what small ones hide. Try a row near 1000 and, in the same matrix, a row near 0.",
    ),
)
