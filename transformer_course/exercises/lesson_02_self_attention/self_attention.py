"""Sheet 02: self-attention with matrices, and an input that shows a hidden bug."""

import math
from dataclasses import replace

import numpy as np

from ..exercise import Mistake
from ..kinds import Counterexample, Implement
from ..toolkit import integers, normal, softmax
from .softmax import attention_softmax, by_rows, over_first, over_second, overflowing


def self_attention(x, w_q, w_k, w_v):
    query, key, value = x @ w_q, x @ w_k, x @ w_v
    return softmax(query @ key.swapaxes(-2, -1)) @ value


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
        [large, w_q, w_k, integers(rng, 2, 5, 2)],
        [np.array([[31.0], [30.0], [-31.0]]), np.ones((1, 1)), np.ones((1, 1)), np.array([[1.0, -2.0]])],
    ]


def _attend(weigh=softmax, score=lambda q, k: q @ k.swapaxes(-2, -1), mix=lambda a, v: a @ v):
    """Self-attention with one of its steps replaced."""
    return lambda x, w_q, w_k, w_v: mix(weigh(score(x @ w_q, x @ w_k)), x @ w_v)


def _without_itself(scores):
    return softmax(np.where(np.eye(scores.shape[-1], dtype=bool), -np.inf, scores))


def _self_attention_in_loops(x, w_q, w_k, w_v):
    """The lesson's loops: one sequence only, and math.exp raises where exp overflows."""
    outputs = []
    for q in x @ w_q:
        shares = [math.exp(q @ k) for k in x @ w_k]
        outputs.append(sum(share / sum(shares) * v for share, v in zip(shares, x @ w_v, strict=True)))
    return np.array(outputs)


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
    mistakes=(
        Mistake(
            "scaled by √d_k",
            "You divided the scores by √d_k. The original Transformer paper does so, and lesson 03 shows why. This exercise "
            "asks for the unscaled form.",
            "Leave out the division here.",
            _attend(lambda s: s, lambda q, k: softmax(q @ k.swapaxes(-2, -1) / np.sqrt(q.shape[-1]))),
        ),
        Mistake(
            "the three matrices unused",
            "You used x itself as queries, keys and values. That was right in the lesson's example, where all three matrices "
            "were the identity, but here they differ.",
            "Begin with x @ w_q, x @ w_k and x @ w_v.",
            lambda x, w_q, w_k, w_v: softmax(x @ x.swapaxes(-2, -1)) @ x,
            variants=(lambda x, w_q, w_k, w_v: softmax(x @ x.T) @ x,),
        ),
        Mistake(
            "w_q and w_k unused",
            "You computed the scores from x itself. With identity matrices that makes no difference, but here w_q and w_k "
            "decide what counts as a match.",
            "Compute the dot products of x @ w_q with x @ w_k.",
            lambda x, w_q, w_k, w_v: softmax(x @ x.swapaxes(-2, -1)) @ (x @ w_v),
            variants=(lambda x, w_q, w_k, w_v: softmax(x @ x.T) @ (x @ w_v),),
        ),
        Mistake(
            "x in place of the values",
            "You averaged the tokens themselves. With an identity matrix that makes no difference, but here w_v decides what "
            "is handed out, and it can even change the width.",
            "In the last line, multiply the weights by x @ w_v.",
            lambda x, w_q, w_k, w_v: softmax((x @ w_q) @ (x @ w_k).swapaxes(-2, -1)) @ x,
        ),
        Mistake(
            "the keys made with w_q",
            "You computed queries and keys with the same matrix. With identity matrices that makes no difference; otherwise it "
            "makes all scores symmetric.",
            "Compute the keys as x @ w_k.",
            lambda x, w_q, w_k, w_v: self_attention(x, w_q, w_q, w_v),
        ),
        Mistake(
            "queries and keys swapped",
            "Your scores are right, but transposed: row i holds what other tokens look for in token i, not what token i looks "
            "for. Either you multiplied in the wrong order, or you swapped w_q and w_k.",
            "The queries are x @ w_q and the keys x @ w_k. In the product, the queries come first.",
            _attend(score=lambda q, k: k @ q.swapaxes(-2, -1)),
        ),
        Mistake(
            "no softmax",
            "You multiplied the values by the scores. Scores can be negative and need not sum to 1, so the outputs are not "
            "weighted averages.",
            "Apply softmax to the scores first.",
            _attend(weigh=lambda scores: scores),
        ),
        Mistake(
            "K reshaped, not transposed",
            "You reshaped the keys to (d_k, n). That is the shape of the transpose, but a reshape reads the numbers row by row "
            "and puts them in the wrong places.",
            "Swap the axes with k.swapaxes(-2, -1), or k.transpose(-2, -1) in torch.",
            _attend(score=lambda q, k: q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])),
        ),
        Mistake(
            "one sequence only",
            "Your function fails on a batch (b, n, d), whatever it does for one sequence (n, d). Something in it needs exactly "
            "two axes: `.T` moves the batch axis too, `np.dot` does not multiply matrix by matrix, axis=1 and a loop over x "
            "use a different axis in a batch, and `n, d = x.shape` raises an error.",
            "Multiply with @, swap only the last two axes with k.swapaxes(-2, -1) (torch: k.transpose(-2, -1)), and count axes "
            "from the back.",
            _attend(score=lambda q, k: q @ k.T),
            variants=(
                *map(_attend, by_rows),
                *(_attend(weigh, lambda q, k: q @ k.T) for weigh in (*by_rows, *over_second, *over_first, overflowing)),
                _self_attention_in_loops,
            ),
        ),
        Mistake(
            "a token does not see itself",
            "You left each token out of its own average. A token attends to itself too; the score of its own query and key "
            "decides how much.",
            "Keep the diagonal of the scores, and of the weights, as it is.",
            _attend(_without_itself),
            variants=(_attend(lambda scores: softmax(scores) * (1 - np.eye(scores.shape[-1]))),),
        ),
        Mistake(
            "the weights transposed",
            "You used a column of the weights for each output. The weights of token i are in row i, and a column need not sum "
            "to 1.",
            "Compute weights @ values without transposing the weights.",
            _attend(mix=lambda a, v: a.swapaxes(-2, -1) @ v),
        ),
        Mistake(
            "the weights returned",
            "You returned the weights, of shape (n, n). One step is missing: the weighted average of the values.",
            "Multiply the weights by the values.",
            _attend(mix=lambda a, v: a),
        ),
        # whatever can go wrong in softmax can go wrong here
        *(
            replace(mistake, answer=_attend(mistake.answer), variants=tuple(map(_attend, mistake.variants)))
            for mistake in attention_softmax.mistakes
            if mistake.answer is not by_rows[0]
        ),
    ),
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
    answer_name="trap",
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
    mistakes=(
        Mistake(
            "w_q and w_k alike",
            "Your w_q and w_k are equal. The bug is in the scores, and with equal matrices the scores come out right, "
            "whatever you choose for w_v.",
            "Which of the matrices does the function never use?",
            ([[1, 2], [3, 5]], [[1, 2], [0, 1]], [[1, 2], [0, 1]], [[2, 0], [1, 1]]),
            recognise=lambda x, w_q, w_k, w_v: np.array_equal(w_q, w_k),
        ),
        Mistake(
            "a single token",
            "Your x has a single token. Then there is one score, and softmax turns any single score into the weight 1, so a "
            "wrong score changes nothing.",
            "Give x at least two rows.",
            ([[1, 2]], [[1, 0], [0, 1]], [[0, 1], [1, 0]], [[1, 0], [0, 1]]),
            recognise=lambda x, w_q, w_k, w_v: len(x) == 1,
        ),
        Mistake(
            "all values equal",
            "All your values are equal. The weights may be wrong, but every weighted average of equal vectors is that vector, "
            "so the bug does not show.",
            "Choose x and w_v so that the values x @ w_v differ from token to token.",
            ([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[0, 1], [1, 0]], [[0, 0], [0, 0]]),
            recognise=lambda x, w_q, w_k, w_v: np.ptp(x @ w_v, axis=0).max() == 0,
        ),
    ),
)
