"""Sheet 09, by hand: a network 2 → 3 → 2 on two tokens."""

import numpy as np

from ..families import adapted
from ..families.feed_forward import FEED_FORWARD, feed_forward
from ..kinds import Number

X = np.array([[2.0, -1.0], [-4.0, 1.0]])
W1, B1 = np.array([[1.0, -1.0, 2.0], [2.0, 1.0, -1.0]]), np.array([1.0, -1.0, -2.0])
W2, B2 = np.array([[1.0, 0.0], [2.0, -1.0], [-1.0, 3.0]]), np.array([-1.0, 2.0])


def _gives(network=feed_forward):
    return network(X, W1, B1, W2, B2)


by_hand = Number(
    id="layers.by_hand",
    answer_name="outputs",
    prompt="What a network 2 → 3 → 2 gives for two tokens.",
    value=_gives().tolist(),
    atol=1e-3,
    labels=("the first token", "the second token"),
    why=(
        "ReLU is applied between the two matrices only: it sets negative hidden units to 0 and leaves the output free to "
        "be negative."
    ),
    hints=(
        "Each token has three hidden units. The first is the token times the first column of W1, plus the first number of b1.",
        "For token 1, the first hidden unit is 2 · 1 + (−1) · 2 + 1 = 1. What happens to units that are below 0?",
        "After ReLU, token 1 has [1, 0, 3]. Multiply by W2, 1 · [1, 0] + 0 · [2, −1] + 3 · [−1, 3], then add b2.",
    ),
    mistakes={
        **adapted(FEED_FORWARD, _gives, but=("the largest of an array", "GELU", "a different nonlinearity"), relu="max(0, h)"),
        "every unit off": (
            "Your output for a token is b2 alone, as if all three of its hidden units were below 0.",
            "Compute this token's three units once more, with their signs: token 2 has (−4) · (−1) in its second one.",
            {0: B2, 1: B2},
            [B2, B2],
        ),
        "columns for rows": (
            "Your numbers are right, but each token has a column in place of a row.",
            "Write one list for each token: [[first, second output of token 1], [first, second output of token 2]].",
            _gives().T,
        ),
    },
)
