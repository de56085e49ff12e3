"""Sheet 05: the whole of multi-head attention."""

import math

import numpy as np

from ..kinds import Implement
from ..toolkit import integers, normal, softmax
from . import heads_mistakes, scores_mistakes
from .steps import multi_head as reference
from .steps import shares


def _draw(rng):
    def sized(b, n, d, h, d_k, d_v, d_out):
        w_q, w_k = normal(rng, d, h * d_k) / 2, normal(rng, d, h * d_k) / 2  # halved: no score so large that one weight is all
        return [normal(rng, b, n, d), w_q, w_k, normal(rng, d, h * d_v), normal(rng, h * d_v, d_out), h]

    eye = np.eye(2)
    # heads of 16: the scale is 1/4 and its root 1/2, so float32 makes these scores without rounding, in every way to write it
    large, w_q, w_k = integers(rng, 2, 3, 6, 5), integers(rng, 1, 5, 32), integers(rng, 1, 5, 32)
    large[:, 0] = 0  # rows of scores far below the largest
    by_head = [(large @ w).reshape(3, 6, 2, 16) for w in (w_q, w_k)]
    scores = np.einsum("bnhk,bmhk->bhnm", *by_head) / 4
    w_q *= (-1.0 if scores.max() < -scores.min() else 1.0) * (1000 // np.abs(scores).max())  # the largest: 1000 or just below
    return [
        [np.array([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]), eye, eye, eye, eye, 2],
        sized(b=2, n=5, d=7, h=3, d_k=4, d_v=6, d_out=8),
        sized(b=4, n=3, d=6, h=5, d_k=2, d_v=2, d_out=9),  # d_k = d_v
        sized(b=2, n=5, d=12, h=4, d_k=3, d_v=3, d_out=12),  # and both are d_model / num_heads, as in the paper
        sized(b=1, n=4, d=3, h=1, d_k=2, d_v=5, d_out=6),
        [large, w_q, w_k, integers(rng, 2, 5, 14), integers(rng, 1, 14, 9), 2],
        [np.array([[[31.0], [30.0], [-31.0]]]), np.ones((1, 2)), np.ones((1, 2)), np.array([[1.0, -2.0]]), eye, 2],
    ]


def _head_after_head(x, w_q, w_k, w_v, w_o, num_heads):
    d_k, d_v = w_q.shape[1] // num_heads, w_v.shape[1] // num_heads
    outputs = []
    for sample in x:
        heads = []
        for i in range(num_heads):
            keys, values = slice(i * d_k, (i + 1) * d_k), slice(i * d_v, (i + 1) * d_v)
            scores = (sample @ w_q[:, keys]) @ (sample @ w_k[:, keys]).T / math.sqrt(d_k)
            heads.append(softmax(scores) @ (sample @ w_v[:, values]))
        outputs.append(np.concatenate(heads, axis=-1) @ w_o)
    return np.array(outputs)


def _shares_added(x, w_q, w_k, w_v, w_o, num_heads):
    return shares(x, w_q, w_k, w_v, w_o, num_heads).sum(0)


def _by_einsum(x, w_q, w_k, w_v, w_o, num_heads):
    by_head = [w.reshape(len(w), num_heads, -1) for w in (w_q, w_k, w_v)]
    query, key, value = (np.einsum("bnd,dhk->bhnk", x, w) for w in by_head)
    weights = softmax(np.einsum("bhnk,bhmk->bhnm", query, key) / np.sqrt(query.shape[-1]))
    return np.einsum("bhnm,bhmv,hvo->bno", weights, value, w_o.reshape(num_heads, -1, w_o.shape[1]))


multi_head = Implement(
    id="heads.multi_head",
    answer_name="multi_head",
    prompt="Multi-head attention for a batch, with weights, heads of any width, and an output matrix.",
    reference=reference,
    draw=_draw,
    alternatives=(_head_after_head, _shares_added, _by_einsum),
    why=(
        "Each head has its own columns of the projections and its own softmax, and W_O then combines the concatenated results."
    ),
    hints=(
        "Take six steps: compute queries, keys and values in one product each; split all three; scores; weights; "
        "averages; merge, and multiply by w_o. Print the shape after each step.",
        "After the split, all shapes begin with b and h, and the formula is that of lesson 03. `@`, swapping the "
        "last two axes and softmax along -1 work for all heads of all sequences at once.",
        "The scale is √d_k of one head. After the split, this is the square root of the last size of the queries. "
        "The values may have a different width: let reshape find it, with -1.",
        "With q, k and v split to (b, h, n, …): weights = softmax(q @ k.swapaxes(-2, -1) / np.sqrt(q.shape[-1])), "
        "and (weights @ v).swapaxes(1, 2).reshape(b, n, -1) @ w_o.",
    ),
    mistakes=(*heads_mistakes.MISTAKES, *scores_mistakes.MISTAKES),
)
