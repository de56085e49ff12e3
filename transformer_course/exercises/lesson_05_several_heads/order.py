"""Sheet 05: the lines of attention with a mask, in all heads at once, shuffled, and some that do not belong."""

import numpy as np

from ..families.attention import attention
from ..kinds import ParsonsProblem
from ..kinds.parsons_problem import lacks, uses
from ..toolkit import known, normal

LINES = {
    "A": "weights = softmax(scores, axis=-2)",
    "B": "scores = q @ k.swapaxes(1, 2)",
    "C": "scores = scores / np.sqrt(d_k)",
    "D": "scores = np.where(mask, scores, -np.inf)",
    "E": "heads = weights @ v",
    "F": "weights = np.where(mask[:, None], weights, 0)",
    "G": "scores = q @ k.swapaxes(-2, -1)",
    "H": "scores = np.where(mask[:, None], scores, -np.inf)",
    "I": "scores = scores / np.sqrt(h * d_k)",
    "J": "weights = softmax(scores, axis=-1)",
}

GIVEN = """\
def softmax(scores, axis):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)

b, h, n, d_k = q.shape
"""


def _draw(rng):
    def sized(b, h, n, d_k, d_v):
        mask = (rng.random((b, n, n)) < 0.5) | np.eye(n, dtype=bool)  # every token may attend to itself
        mask[0, 0, 1:], mask[1:, 0] = False, True  # no two sequences are the same
        return {"q": normal(rng, b, h, n, d_k), "k": normal(rng, b, h, n, d_k), "v": normal(rng, b, h, n, d_v), "mask": mask}

    return [sized(b=2, h=3, n=5, d_k=4, d_v=6), sized(b=3, h=3, n=4, d_k=2, d_v=5)]


order = ParsonsProblem(
    id="heads.order",
    prompt="Put the lines of attention with a mask, in all heads at once, in order, and leave five lines out.",
    lines=LINES,
    needed=5,
    draw=_draw,
    reference=lambda q, k, v, mask: attention(q, k, v, mask[:, None]),
    result="heads",
    given=GIVEN,
    why=(
        "The mask must come after the product of queries and keys and before the softmax, and it needs an axis of "
        "length 1 for the heads."
    ),
    hints=(
        "Some lines look alike: A and J, B and G, C and I, D and H, F and H. First decide which line of each pair you need.",
        "Work backwards: `heads` needs `weights`, and `weights` needs `scores`. What do `scores` need?",
        "The scores of a head have the axes queries and keys, in this order. The mask does not have an axis for the heads "
        "yet.",
        "Apply the mask and the scale to the scores: after G, and before J.",
    ),
    mistakes={
        "line I: √(h · d_k)": uses(
            "Line I divides by the square root of the width of all heads together. But a score of one head adds up d_k "
            "products, so √d_k is the right scale.",
            "Look for a different line that divides the scores.",
            I=["GIHJE"],
        ),
        "line D: no axis for the heads": uses(
            "Line D combines a mask of three axes, (b, n, n), with scores of four, (b, h, n, n). Axes are aligned from the "
            "last one, so the sequences of the mask meet the heads of the scores. You get an error, or, if b = h, the mask of "
            "a different sequence.",
            "The mask needs an axis in the place where the scores have their heads.",
            D=["GCDJE"],
        ),
        "line A: the wrong axis": uses(
            "With line A, the weights of all queries for one key sum to 1. But each query should distribute its weight over "
            "the keys, along the last axis.",
            "Look for a different line that computes weights.",
            A=["GCHAE"],
        ),
        "line B: heads and tokens swapped": uses(
            "Line B swaps the heads and the tokens of the keys. A score is the dot product of a query and a key of the same "
            "head, so you should swap the keys' last two axes, tokens and columns.",
            "Look for a different line that computes scores from `q` and `k`.",
            B=["BCHJE"],
        ),
        "line F: masked after softmax": known(
            "Line F sets weights to 0 after softmax. Then the rows no longer sum to 1, and the forbidden scores are still in "
            "the sum in the denominator.",
            "Which line applies the mask before softmax?",
            list("GCJFE"),
            recognise=lambda order: "F" in order and "H" not in order,
        ),
        "softmax before the mask": known(
            "Line J computes weights from scores that no line has masked yet, so every token still attends to everything. "
            "Changing the scores after that has no effect.",
            "Which line masks scores, and before which line must it come?",
            *map(list, ("GCJHE", "GCJEH", "GCJE")),
            recognise=lacks("H", before="J"),
        ),
        "softmax before the scale": known(
            "Line J computes weights from scores that line C has not scaled yet. Changing the scores after that has no "
            "effect.",
            "Before which line must line C come?",
            *map(list, ("GHJCE", "GHJEC", "GHJE")),
            recognise=lacks("C", before="J"),
        ),
    },
)
