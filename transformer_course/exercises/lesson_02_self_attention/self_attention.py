"""Sheet 02: self-attention with matrices, and an input that shows a hidden bug."""

from functools import partial

import numpy as np

from ..families import adapted
from ..families.attention import ACROSS, BETWEEN, attention, products, turned
from ..families.projections import LAYERS, RIGHT
from ..families.softmax import SOFTMAX, by_rows, from_below, over, overflowing
from ..kinds import Counterexample, Implement
from ..toolkit import integers, known, normal, softmax
from .by_hand import SCALED


def _projected(attend, layers=RIGHT):
    """Self-attention to queries, keys and values that these matrices make; what none makes is x itself."""

    def attends(x, w_q, w_k, w_v):
        made = {"w_q": x @ w_q, "w_k": x @ w_k, "w_v": x @ w_v, None: x}
        return attend(*(made[name] for name in layers))

    return attends


_unscaled = partial(attention, score=products)
self_attention = _projected(_unscaled)
_turned = partial(attention, score=turned)


def _draw_tokens(rng):
    x, eye = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.eye(2)
    large, w_q, w_k = integers(rng, 2, 7, 5), integers(rng, 1, 5, 3), integers(rng, 1, 5, 3)
    large[0] = 0  # a row of scores far below the largest
    scores = large @ w_q @ (large @ w_k).T
    w_q *= (-1.0 if scores.max() < -scores.min() else 1.0) * (1000 // np.abs(scores).max())  # the largest: 1000 or just below
    return [
        [x, eye, eye, eye],
        [normal(rng, 5, 4), normal(rng, 4, 3), normal(rng, 4, 3), normal(rng, 4, 2)],
        [normal(rng, 2, 3, 4), normal(rng, 4, 5), normal(rng, 4, 5), normal(rng, 4, 7)],
        [normal(rng, 1, 4, 3), normal(rng, 3, 2), normal(rng, 3, 2), normal(rng, 3, 2)],  # a batch of one
        [large, w_q, w_k, integers(rng, 2, 5, 2)],
        [np.array([[31.0], [30.0], [-31.0]]), np.ones((1, 1)), np.ones((1, 1)), np.array([[1.0, -2.0]])],
    ]


def _self_attention_by_einsum(x, w_q, w_k, w_v):
    scores = np.einsum("...nd,dk,ek,...me->...nm", x, w_q, w_k, x)
    return np.einsum("...nm,...md,dv->...nv", softmax(scores), x, w_v)


attention_self = Implement(
    id="attention.self_attention",
    answer_name="self_attention",
    prompt="Unscaled self-attention, with matrices, for one sequence or a batch of them.",
    reference=self_attention,
    draw=_draw_tokens,
    alternatives=(_self_attention_by_einsum,),
    why=(
        "If you swap only the last two axes of K, the batch axis stays in place, so the same line works for one sequence and "
        "for many."
    ),
    hints=(
        "Four lines are enough: queries, keys and values; scores; weights; output.",
        "In a batch, swap only the last two axes of the keys: k.swapaxes(-2, -1) in NumPy, k.transpose(-2, -1) in torch.",
        "Multiply the weights by the values x @ w_v, which may have a different width from the queries and keys.",
    ),
    mistakes={
        "scaled by √d_k": (*SCALED[:2], _projected(attention)),
        **adapted(
            LAYERS,  # but those that do not fit, since the matrices have different widths
            lambda layers: _projected(_unscaled, layers),
            lambda layers: _projected(_turned, layers),
            lambda layers: _projected(partial(_unscaled, weigh=overflowing), layers),
            but=("w_k and w_v swapped", "one matrix used twice", "the matrices in another order"),
        ),
        "one sequence only": (
            "Your function fails on a batch (b, n, d), whatever it does for one sequence (n, d). Something in it needs exactly "
            "two axes: `.T` moves the batch axis too, `np.dot` does not multiply matrix by matrix, axis=1 and a loop over x "
            "use a different axis in a batch, and `n, d = x.shape` raises an error.",
            "Multiply with @, swap only the last two axes with k.swapaxes(-2, -1) (torch: k.transpose(-2, -1)), and count axes "
            "from the back.",
            _projected(_turned),
            *(_projected(partial(_unscaled, weigh=weigh)) for weigh in by_rows),
            *(_projected(partial(_turned, weigh=weigh)) for weigh in (*by_rows, *over(1), *over(0), overflowing)),
        ),
        "across the batch": (
            *ACROSS,
            lambda x, *given: self_attention(x.reshape(-1, x.shape[-1]), *given).reshape(*x.shape[:-1], -1),
        ),
        "a token does not see itself": (
            "You left each token out of its own average. A token attends to itself too; the score of its own query and key "
            "decides how much.",
            "Keep the diagonal of the scores, and of the weights, as it is.",
            _projected(partial(_unscaled, weigh=lambda s: softmax(np.where(np.eye(s.shape[-1], dtype=bool), -np.inf, s)))),
            _projected(partial(_unscaled, weigh=lambda scores: softmax(scores) * (1 - np.eye(scores.shape[-1])))),
        ),
        **adapted(
            BETWEEN, lambda change: _projected(change(_unscaled)), but=("queries and keys swapped", "the keys averaged")
        ),
        **adapted(
            SOFTMAX,
            lambda weigh: _projected(partial(_unscaled, weigh=weigh)),
            but=("right for a single matrix only", "the smallest score or the mean subtracted"),
            more={"exp overflows": tuple(_projected(partial(_unscaled, weigh=weigh)) for weigh in from_below)},
            axis="-1",
            keepdims="keepdims=True (torch calls it keepdim)",
        ),
    },
)


def _invalid_tokens(x, w_q, w_k, w_v):
    arrays = {"x": x, "w_q": w_q, "w_k": w_k, "w_v": w_v}
    for name, array in arrays.items():
        if array.ndim != 2 or array.size == 0:
            return f"`{name}` should be a matrix (two axes, not empty), but has shape {array.shape}."
        if max(array.shape) > 50:
            return f"Use at most 50 rows and 50 columns; small matrices are enough. `{name}` has shape {array.shape}."
    for name in ("w_q", "w_k", "w_v"):
        if len(arrays[name]) != x.shape[1]:
            return f"`{name}` should have one row for each of the {x.shape[1]} columns of x, but has {len(arrays[name])}."
    if w_q.shape != w_k.shape:
        return f"`w_q` and `w_k` should have the same shape, but have {w_q.shape} and {w_k.shape}."
    if max(np.abs(array).max() for array in arrays.values()) > 1000:
        return "Use numbers between −1000 and 1000."
    return None


hidden_bug = Counterexample(
    id="attention.hidden_fault",
    prompt="An input that shows the bug of a self-attention that is right on all of the lesson's numbers.",
    faulty=lambda x, w_q, w_k, w_v: self_attention(x, w_q, w_q, w_v),
    reference=self_attention,
    invalid=_invalid_tokens,
    why=(
        "A bug stays hidden as long as both versions give the same output, so a good test uses matrices and tokens that all "
        "differ."
    ),
    hints=(
        "Compare the function with the lesson's, line by line: where does it use each of its four inputs?",
        "It never uses w_k. So choose a w_k that differs from w_q.",
        "Try the lesson's x, the identity for w_q and w_v, and a w_k that swaps the two coordinates.",
    ),
    mistakes={
        "w_q and w_k alike": known(
            "Your w_q and w_k are equal. The bug is in the scores, and with equal matrices the scores come out right, "
            "whatever you choose for w_v.",
            "Which of the matrices does the function never use?",
            ([[1, 2], [3, 5]], [[1, 2], [0, 1]], [[1, 2], [0, 1]], [[2, 0], [1, 1]]),
            recognise=lambda x, w_q, w_k, w_v: np.array_equal(w_q, w_k),
        ),
        "a single token": known(
            "Your x has a single token. Then there is one score, and softmax turns any single score into the weight 1, so a "
            "wrong score changes nothing.",
            "Give x at least two rows.",
            ([[1, 2]], [[1, 0], [0, 1]], [[0, 1], [1, 0]], [[1, 0], [0, 1]]),
            recognise=lambda x, w_q, w_k, w_v: len(x) == 1,
        ),
        "all values equal": known(
            "All your values are equal. The weights may be wrong, but every weighted average of equal vectors is that vector, "
            "so the bug does not show.",
            "Choose x and w_v so that the values x @ w_v differ from token to token.",
            ([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[0, 1], [1, 0]], [[0, 0], [0, 0]]),
            recognise=lambda x, w_q, w_k, w_v: np.ptp(x @ w_v, axis=0).max() == 0,
        ),
    },
)
