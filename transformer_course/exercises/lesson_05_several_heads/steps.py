"""Multi-head attention, whole and in steps: its mistakes replace one of them."""

import numpy as np

from ..toolkit import softmax
from .merge import merge_heads
from .split import split_heads


def multi_head(x, w_q, w_k, w_v, w_o, num_heads):
    query, key, value = (split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    scores = query @ key.swapaxes(-2, -1) / np.sqrt(query.shape[-1])
    return merge_heads(softmax(scores) @ value) @ w_o


def divided(root):
    """Scores divided by ``root(q, v, x)`` of the split queries and values and of the tokens."""
    return lambda q, k, v, x: q @ k.swapaxes(-2, -1) / root(q, v, x)


def project(x, w_q, w_k, w_v):
    return x @ w_q, x @ w_k, x @ w_v


scaled = divided(lambda q, v, x: np.sqrt(q.shape[-1]))


def program(
    made=project,
    split=split_heads,
    split_v=None,
    score=scaled,
    weigh=softmax,
    mix=lambda weights, value: weights @ value,
    merge=merge_heads,
    last=lambda merged, w_o: merged @ w_o,
):
    """Multi-head attention with some of its steps replaced; ``split`` is one for all, or a pair for queries and keys."""
    splits = (*split, split_v or split_heads) if isinstance(split, tuple) else (split, split, split_v or split)

    def answer(x, w_q, w_k, w_v, w_o, num_heads):
        q, k, v = (cut(t, num_heads) for cut, t in zip(splits, made(x, w_q, w_k, w_v), strict=True))
        return last(merge(mix(weigh(score(q, k, v, x)), v)), w_o)

    return answer


def shares(x, w_q, w_k, w_v, w_o, num_heads):
    """What each head brings after its own rows of w_o, (h, b, n, d_out): their sum is the output."""
    found = program(merge=lambda heads: heads, last=lambda heads, w_o: heads)(x, w_q, w_k, w_v, w_o, num_heads)
    rows = w_o.reshape(num_heads, -1, w_o.shape[-1])
    return np.stack([found[:, i] @ rows[i] for i in range(num_heads)])


def in_tables(weigh):
    """A softmax called in loops, on one table (n, m) at a time."""
    return lambda scores: np.array([[weigh(table) for table in sample] for sample in scores])
