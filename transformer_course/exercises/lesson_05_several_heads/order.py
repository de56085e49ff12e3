"""Sheet 05: the lines of attention with a mask, in all heads at once, shuffled, and some that do not belong."""

import numpy as np

from ..exercise import Mistake
from ..kinds import ParsonsProblem
from ..kinds.parsons_problem import lacks, uses
from ..toolkit import normal, softmax

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


def masked_heads(q, k, v, mask):
    scores = np.einsum("bhnk,bhmk->bhnm", q, k) / np.sqrt(q.shape[-1])
    weights = softmax(scores + np.where(mask, 0.0, -np.inf)[:, None])
    return np.einsum("bhnm,bhmv->bhnv", weights, v)


def _draw(rng):
    def sized(b, h, n, d_k, d_v):
        mask = (rng.random((b, n, n)) < 0.5) | np.eye(n, dtype=bool)  # every token may attend to itself
        mask[0, 0, 1:], mask[1:, 0] = False, True  # no two texts alike
        return {"q": normal(rng, b, h, n, d_k), "k": normal(rng, b, h, n, d_k), "v": normal(rng, b, h, n, d_v), "mask": mask}

    return [sized(b=2, h=3, n=5, d_k=4, d_v=6), sized(b=3, h=3, n=4, d_k=2, d_v=5)]


SOLUTION = tuple("GCHJE")


def _instead(*changes):
    """The right order with some lines replaced by others."""
    swapped = dict(changes)
    return [swapped.get(letter, letter) for letter in SOLUTION]


def _moved(letter, behind):
    """The right order with one line moved behind another."""
    rest = [other for other in SOLUTION if other != letter]
    rest.insert(rest.index(behind) + 1, letter)
    return rest


order = ParsonsProblem(
    id="heads.order",
    answer_name="order",
    prompt="The lines of attention with a mask, in all heads at once, put in order, and five lines left out.",
    lines=LINES,
    needed=len(SOLUTION),
    draw=_draw,
    reference=masked_heads,
    result="heads",
    given=GIVEN,
    why=(
        "The mask has to come after the product of queries and keys and before the softmax, and it needs an axis of length "
        "1 for the heads."
    ),
    hints=(
        "Five lines have a twin that looks like them. Settle those pairs first: A or J, B or G, C or I, D or H, F or H.",
        "Begin at the end: `heads` needs `weights`, and `weights` needs `scores`. What do `scores` need?",
        "The scores of a head have the axes queries and keys, in this order, and the mask has no axis for the heads yet.",
        "The mask and the scale belong to the scores: behind G, and before J.",
    ),
    mistakes=(
        Mistake(
            "line I: √(h · d_k)",
            "Line I divides by the root of all heads' columns together. A head's score adds up d_k products, and √d_k is what the "
            "scale undoes.",
            "There is another line that divides the scores.",
            _instead(("C", "I")),
            recognise=uses("I"),
        ),
        Mistake(
            "line D: no axis for the heads",
            "Line D puts a mask of three axes, (b, n, n), to scores of four, (b, h, n, n). Axes are matched from the last "
            "one on, so the texts of the mask meet the heads of the scores: an error, or, where b = h, the mask of another "
            "text.",
            "The mask needs an axis where the scores have their heads.",
            _instead(("H", "D")),
            recognise=uses("D"),
        ),
        Mistake(
            "line A: the wrong axis",
            "Line A lets the weights of all queries for one key sum to 1. Each query shares out its own attention over the "
            "keys, and these are the last axis.",
            "There is another line that makes weights.",
            _instead(("J", "A")),
            recognise=uses("A"),
        ),
        Mistake(
            "line B: heads and tokens exchanged",
            "Line B lets the heads and the tokens of the keys change places. A score is the dot product of a query and a key of "
            "one head: it is the keys' tokens and columns that change places, their last two axes.",
            "There is another line that makes scores of `q` and `k`.",
            _instead(("G", "B")),
            recognise=uses("B"),
        ),
        Mistake(
            "line F: masked after softmax",
            "Line F sets weights to 0 when softmax is done. The rows no longer sum to 1, and the forbidden scores still stand in "
            "the sum below the fraction bar.",
            "Which line forbids before softmax?",
            ["G", "C", "J", "F", "E"],
            recognise=lambda order: "F" in order and "H" not in order,
        ),
        Mistake(
            "softmax before the mask",
            "Line J makes weights of scores that line H has not masked yet, so every token still attends to everything. What "
            "becomes of the scores after that changes nothing.",
            "Where does line H have to stand, at the latest?",
            _moved("H", behind="J"),
            variants=(_moved("H", behind="E"), [letter for letter in SOLUTION if letter != "H"]),
            recognise=lacks("H", before="J"),
        ),
        Mistake(
            "softmax before the scale",
            "Line J makes weights of scores that line C has not scaled yet. What becomes of the scores after that changes "
            "nothing.",
            "Where does line C have to stand, at the latest?",
            _moved("C", behind="J"),
            variants=(_moved("C", behind="E"), [letter for letter in SOLUTION if letter != "C"]),
            recognise=lacks("C", before="J"),
        ),
    ),
)
