"""Sheet 09: the feed-forward network as a function, for any number of leading axes."""

import numpy as np

from ..families import adapted
from ..families.feed_forward import FEED_FORWARD, feed_forward
from ..kinds import Implement


def _draw(rng):
    def quarters(*shape):
        return rng.integers(-8, 9, shape) / 4  # exact in float32, and so are all products here

    def question(*leading, d, d_ff, d_out):
        w1, w2 = quarters(d, d_ff), quarters(d_ff, d_out)
        return [quarters(*leading, d), w1, quarters(d_ff), w2, 1 + quarters(d_out) / 8]

    return [
        question(5, d=3, d_ff=7, d_out=3),
        question(4, d=5, d_ff=6, d_out=2),
        question(d=4, d_ff=9, d_out=5),
        question(2, 5, d=3, d_ff=8, d_out=3),
        question(2, 1, 4, d=6, d_ff=5, d_out=6),
    ]


def _token_by_token(x, w1, b1, w2, b2):
    rows = [[max(0.0, row @ w1[:, k] + b1[k]) for k in range(len(b1))] @ w2 + b2 for row in x.reshape(-1, x.shape[-1])]
    return np.reshape(rows, (*x.shape[:-1], len(b2)))


def _into_a_table(x, w1, b1, w2, b2):
    table = np.zeros((len(x), w2.shape[1]))
    for i, row in enumerate(x):
        table[i] = feed_forward(row, w1, b1, w2, b2)
    return table


layers_feed_forward = Implement(
    id="layers.feed_forward",
    answer_name="feed_forward",
    prompt="The feed-forward network, for tokens on any number of leading axes.",
    reference=feed_forward,
    draw=_draw,
    alternatives=(_token_by_token,),
    why="Products with @ and np.maximum act on the last axis only, so every token is treated separately and in the same way.",
    hints=(
        "There are four steps: times w1 plus b1, ReLU, times w2, plus b2. `@` works on the last axis of x, whatever axes come "
        "before it.",
        "np.maximum(0, hidden) compares number by number. (np.max is different: it returns the largest number of an array.)",
        "hidden = np.maximum(0, x @ w1 + b1), and then one more line.",
    ),
    mistakes={
        **adapted(FEED_FORWARD, lambda network: network, relu="`np.maximum(0, h)`"),
        "two axes needed": (
            "Your function is right for a table with a row for each token. But a single token of shape (d,) has only one "
            "axis, and your function needs at least two.",
            "`@` works on the last axis of x, whatever axes come before it, so you need no loop and no letter for each axis.",
            lambda x, *weights: np.stack([feed_forward(row, *weights) for row in x]),
            _into_a_table,
        ),
        "leading axes flattened": (
            "The numbers are right, but the shape is not: you flattened all leading axes into one.",
            "`@` needs no reshape here. If you use one, reshape the result back.",
            lambda x, *weights: feed_forward(x.reshape(-1, x.shape[-1]), *weights),
        ),
    },
)
