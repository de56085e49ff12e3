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
        "Swapping only the last two axes of K leaves the batch axis in place, so the same line works for one sequence and "
        "for many."
    ),
    hints=(
        "Four lines are enough: queries, keys and values; scores; weights; output.",
        "For a batch, only the last two axes of the keys change places. NumPy: k.swapaxes(-2, -1); torch: "
        "k.transpose(-2, -1).",
        "The output mixes the values x @ w_v, which may have another width than the queries and keys.",
    ),
    mistakes=(
        Mistake(
            "scaled by √d_k",
            "The scores are divided by √d_k. That is what the paper does, and lesson 03 shows why; this exercise asks for "
            "the plain, unscaled form.",
            "Leave the division out here.",
            _attend(lambda s: s, lambda q, k: softmax(q @ k.swapaxes(-2, -1) / np.sqrt(q.shape[-1]))),
        ),
        Mistake(
            "the three matrices unused",
            "Queries, keys and values are all x itself here. That was so in the lesson's example, where the matrices were the "
            "identity; now they are not.",
            "Begin with x @ w_q, x @ w_k and x @ w_v.",
            lambda x, w_q, w_k, w_v: softmax(x @ x.swapaxes(-2, -1)) @ x,
            variants=(lambda x, w_q, w_k, w_v: softmax(x @ x.T) @ x,),
        ),
        Mistake(
            "w_q and w_k unused",
            "The scores are made of x itself. With identity matrices nobody can tell; with others, queries and keys are "
            "what is compared.",
            "The scores are the dot products of x @ w_q with x @ w_k.",
            lambda x, w_q, w_k, w_v: softmax(x @ x.swapaxes(-2, -1)) @ (x @ w_v),
            variants=(lambda x, w_q, w_k, w_v: softmax(x @ x.T) @ (x @ w_v),),
        ),
        Mistake(
            "x in place of the values",
            "You mix the tokens themselves. With identity weights nobody can tell; with others the values x @ w_v are what "
            "is mixed, and they may even have another width.",
            "The last line multiplies the weights by x @ w_v.",
            lambda x, w_q, w_k, w_v: softmax((x @ w_q) @ (x @ w_k).swapaxes(-2, -1)) @ x,
        ),
        Mistake(
            "the keys made with w_q",
            "Queries and keys come from the same matrix. With identity weights that is the same; with others it makes all "
            "scores symmetric.",
            "The keys are x @ w_k.",
            lambda x, w_q, w_k, w_v: self_attention(x, w_q, w_q, w_v),
        ),
        Mistake(
            "queries and keys swapped",
            "Your scores are the right ones transposed: row i holds what others seek in token i, not what token i seeks. Either "
            "the product is turned round, or w_q and w_k have changed places.",
            "x @ w_q are the queries, x @ w_k the keys, and in the product the queries come first.",
            _attend(score=lambda q, k: k @ q.swapaxes(-2, -1)),
        ),
        Mistake(
            "no softmax",
            "The values are multiplied by the raw scores. The scores must become weights first: positive, summing to 1.",
            "Apply softmax to the scores before mixing the values.",
            _attend(weigh=lambda scores: scores),
        ),
        Mistake(
            "K reshaped, not transposed",
            "Reshaping the keys to (d_k, n) gives the shape of a transpose with the numbers in the wrong places: a reshape "
            "reads on row by row.",
            "Swap the axes: k.swapaxes(-2, -1), in torch k.transpose(-2, -1).",
            _attend(score=lambda q, k: q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])),
        ),
        Mistake(
            "one sequence only",
            "Whatever it gives for one sequence (n, d), it fails on a batch. Something in it counts on exactly two axes: `.T` turns a batch "
            "axis round as well, "
            "`np.dot` does not multiply batches table by table, axis=1 and a loop over x mean another axis in a batch (b, n, d), "
            "and `n, d = x.shape` fails.",
            "Multiply with @, swap only the last two axes, k.swapaxes(-2, -1) (torch: k.transpose(-2, -1)), and count axes from "
            "the back.",
            _attend(score=lambda q, k: q @ k.T),
            variants=(
                *map(_attend, by_rows),
                *(_attend(weigh, lambda q, k: q @ k.T) for weigh in (*by_rows, *over_second, *over_first, overflowing)),
                _self_attention_in_loops,
            ),
        ),
        Mistake(
            "the weights transposed",
            "Each output mixes the values with a column of the weights. Token i's own weights stand in row i.",
            "weights @ values, with the weights as they are.",
            _attend(mix=lambda a, v: a.swapaxes(-2, -1) @ v),
        ),
        Mistake(
            "the weights returned",
            "These are the weights, (n, n). One step is missing: the mixture of the values.",
            "Return weights @ values.",
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
            return f"`{name}` should be a matrix (two axes, not empty), and has shape {array.shape}."
        if max(array.shape) > 50:
            return f"Small sizes will do: at most 50 along each axis. `{name}` has shape {array.shape}."
    for name in ("w_q", "w_k", "w_v"):
        if len(arrays[name]) != x.shape[1]:
            return f"`{name}` needs one row for each of the {x.shape[1]} columns of x, and has {len(arrays[name])}."
    if w_q.shape != w_k.shape:
        return f"`w_q` and `w_k` need the same shape, or nothing can be scored: they have {w_q.shape} and {w_k.shape}."
    if max(np.abs(array).max() for array in arrays.values()) > 1000:
        return "Please keep all numbers between −1000 and 1000."
    return None


hidden_bug = Counterexample(
    id="attention.hidden_fault",
    answer_name="trap",
    prompt="An input on which a faulty self-attention, right on all of the lesson's numbers, goes wrong.",
    faulty=lambda x, w_q, w_k, w_v: self_attention(x, w_q, w_q, w_v),
    reference=self_attention,
    invalid=_invalid_tokens,
    why=(
        "A bug stays hidden as long as both versions give the same output, so a good test uses matrices and tokens that all "
        "differ."
    ),
    hints=(
        "Compare the faulty function with the lesson's, line by line: what should become of each of its four inputs?",
        "It never uses w_k. So w_k must differ from w_q, or nobody can notice.",
        "Try the lesson's x, the identity for w_q and w_v, and a w_k that swaps the two coordinates.",
    ),
    mistakes=(
        Mistake(
            "w_q and w_k alike",
            "The fault lies in the scores, and with equal w_q and w_k it cannot show. What you put into w_v makes no "
            "difference to them.",
            "Let w_k differ from w_q.",
            ([[1, 2], [3, 5]], [[1, 2], [0, 1]], [[1, 2], [0, 1]], [[2, 0], [1, 1]]),
            recognise=lambda x, w_q, w_k, w_v: np.array_equal(w_q, w_k),
        ),
        Mistake(
            "a single token",
            "With one token there is one score, and softmax of one number is 1, whatever the keys are.",
            "Give x at least two rows.",
            ([[1, 2]], [[1, 0], [0, 1]], [[0, 1], [1, 0]], [[1, 0], [0, 1]]),
            recognise=lambda x, w_q, w_k, w_v: len(x) == 1,
        ),
        Mistake(
            "all values alike",
            "Your weights may well differ, but all values are the same, and every average of equal things is that thing.",
            "Let the values x @ w_v differ from token to token.",
            ([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[0, 1], [1, 0]], [[0, 0], [0, 0]]),
            recognise=lambda x, w_q, w_k, w_v: np.ptp(x @ w_v, axis=0).max() == 0,
        ),
    ),
)
