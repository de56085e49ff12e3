"""Sheet 05: the lines of multi-head attention with a mask, shuffled, and some that do not belong."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Repair
from ..kinds.repair import lacks, uses
from ..lesson_02.softmax import softmax
from .split import normal

LINES = {
    "A": "weights = softmax(scores, axis=-2)",
    "B": "output = merged @ w_o",
    "C": "scores = scores / np.sqrt(d_k)",
    "D": "q, k = (t.reshape(b, num_heads, n, d_k) for t in (q, k))",
    "E": "heads = weights @ v",
    "F": "scores = np.where(mask, scores, -np.inf)",
    "G": "q, k, v = x @ w_q, x @ w_k, x @ w_v",
    "H": "merged = heads.swapaxes(1, 2).reshape(b, n, -1)",
    "I": "scores = q @ k.swapaxes(-2, -1)",
    "J": "v = v.reshape(b, n, num_heads, -1).swapaxes(1, 2)",
    "K": "scores = scores / np.sqrt(d_model)",
    "L": "weights = softmax(scores, axis=-1)",
    "M": "merged = heads.reshape(b, n, -1)",
    "N": "scores = np.where(mask[:, None], scores, -np.inf)",
    "O": "q, k = (t.reshape(b, n, num_heads, d_k).swapaxes(1, 2) for t in (q, k))",
}

GIVEN = """\
def softmax(scores, axis):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)

b, n, d_model = x.shape
d_k = w_q.shape[1] // num_heads
"""


def masked_multi_head(x, w_q, w_k, w_v, w_o, mask, num_heads):
    by_head = [w.reshape(len(w), num_heads, -1) for w in (w_q, w_k, w_v)]
    query, key, value = (np.einsum("bnd,dhk->bhnk", x, w) for w in by_head)
    scores = np.einsum("bhnk,bhmk->bhnm", query, key) / np.sqrt(query.shape[-1])
    weights = softmax(scores + np.where(mask, 0.0, -np.inf)[:, None])
    return np.einsum("bhnm,bhmv,hvo->bno", weights, value, w_o.reshape(num_heads, -1, w_o.shape[1]))


def _draw(rng):
    def sized(b, n, d, h, d_k, d_v, d_out):
        mask = (rng.random((b, n, n)) < 0.5) | np.eye(n, dtype=bool)  # every token may attend to itself
        mask[0, 0, 1:], mask[1:, 0] = False, True  # no two samples alike
        weights = {"w_q": normal(rng, d, h * d_k), "w_k": normal(rng, d, h * d_k), "w_v": normal(rng, d, h * d_v)}
        return {"x": normal(rng, b, n, d), **weights, "w_o": normal(rng, h * d_v, d_out), "mask": mask, "num_heads": h}

    return [sized(b=2, n=5, d=7, h=3, d_k=4, d_v=6, d_out=8), sized(b=3, n=4, d=6, h=3, d_k=2, d_v=5, d_out=7)]


SOLUTION = tuple("GOJICNLEHB")


def _instead(*changes):
    """The right order with some lines replaced by others."""
    swapped = dict(changes)
    return [swapped.get(letter, letter) for letter in SOLUTION]


def _moved(letter, behind):
    """The right order with one line moved behind another."""
    rest = [other for other in SOLUTION if other != letter]
    rest.insert(rest.index(behind) + 1, letter)
    return rest


order = Repair(
    id="heads.order",
    answer="order",
    asks="The lines of multi-head attention with a mask, put in order, and five lines left out.",
    minutes=12,
    lines=LINES,
    needed=len(SOLUTION),
    draw=_draw,
    reference=masked_multi_head,
    result="output",
    given=GIVEN,
    hints=(
        "Five lines have a twin that looks like them. Settle those pairs first: A or L, C or K, D or O, F or N, H or M.",
        "Begin at the end: `output` needs `merged`, and `merged` needs `heads`. What do `heads` need?",
        "The values must be split before they are mixed, and the queries and keys before they are compared. Both the mask "
        "and the scale belong to the scores: after I, and before softmax.",
        "L, C, O, N and H are the right ones of the pairs. The program begins with G and O, and ends with L, E, H, B.",
    ),
    mistakes=(
        Mistake(
            "line D: a reshape alone",
            "Line D gives queries and keys the right shape by a reshape alone. A reshape reads on row by row, so the first "
            "head gets the first tokens with all their columns, not some columns of every token.",
            "Which line cuts the columns first, and then lets tokens and heads change places?",
            _instead(("O", "D")),
            recognise=uses("D"),
        ),
        Mistake(
            "line K: √d_model",
            "Line K divides by √d_model. A head's score adds up d_k products, and √d_k is what the scale undoes.",
            "There is another line that divides the scores.",
            _instead(("C", "K")),
            recognise=uses("K"),
        ),
        Mistake(
            "line F: no axis for the heads",
            "Line F puts a mask of three axes, (b, n, n), to scores of four, (b, h, n, n). Axes are matched from the last "
            "one on, so the samples of the mask meet the heads of the scores: an error, or, where b = h, the mask of another "
            "sample.",
            "The mask needs an axis where the scores have their heads.",
            _instead(("N", "F")),
            recognise=uses("F"),
        ),
        Mistake(
            "line A: the wrong axis",
            "Line A lets the weights of all queries for one key sum to 1. Each query shares out its own attention over the "
            "keys, and these are the last axis.",
            "There is another line that makes weights.",
            _instead(("L", "A")),
            recognise=uses("A"),
        ),
        Mistake(
            "line M: a reshape alone",
            "Line M merges by a reshape alone. Its rows hold several tokens of one head, where each should hold one token of "
            "every head.",
            "Which line puts each token's heads next to each other before it reshapes?",
            _instead(("H", "M")),
            recognise=uses("M"),
        ),
        Mistake(
            "scores before the split",
            "Line I makes scores while queries and keys are not split by line O yet. These are scores of one head as wide as "
            "all.",
            "What must have happened to `q` and `k` before they are compared?",
            _moved("O", behind="I"),
            also=(_moved("O", behind="L"), _moved("O", behind="B"), [letter for letter in SOLUTION if letter != "O"]),
            recognise=lacks("O", before="I"),
        ),
        Mistake(
            "values mixed before the split",
            "Line E mixes values that line J has not split yet. Each head has weights of its own, and needs values of its "
            "own.",
            "Where does line J have to stand, at the latest?",
            _moved("J", behind="E"),
            also=(_moved("J", behind="B"), [letter for letter in SOLUTION if letter != "J"]),
            recognise=lacks("J", before="E"),
        ),
        Mistake(
            "softmax before the mask",
            "Line L makes weights of scores that line N has not masked yet, so every token still attends to everything. What "
            "becomes of the scores after that changes nothing.",
            "Where does line N have to stand, at the latest?",
            _moved("N", behind="L"),
            also=(_moved("N", behind="B"), [letter for letter in SOLUTION if letter != "N"]),
            recognise=lacks("N", before="L"),
        ),
        Mistake(
            "softmax before the scale",
            "Line L makes weights of scores that line C has not scaled yet. What becomes of the scores after that changes "
            "nothing.",
            "Where does line C have to stand, at the latest?",
            _moved("C", behind="L"),
            also=(_moved("C", behind="B"), [letter for letter in SOLUTION if letter != "C"]),
            recognise=lacks("C", before="L"),
        ),
    ),
)
