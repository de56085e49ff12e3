"""Sheet 09, by hand: a network 2 → 3 → 2 on two tokens."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Number
from .networks import feed_forward, leave_out, network, relu, same

X = np.array([[2.0, -1.0], [-4.0, 1.0]])
W1, B1 = np.array([[1.0, -1.0, 2.0], [2.0, 1.0, -1.0]]), np.array([1.0, -1.0, -2.0])
W2, B2 = np.array([[1.0, 0.0], [2.0, -1.0], [-1.0, 3.0]]), np.array([-1.0, 2.0])


def _gives(**replaced):
    return network(**replaced)(X, W1, B1, W2, B2)


HIDDEN = X @ W1 + B1

by_hand = Number(
    id="layers.by_hand",
    answer_name="outputs",
    prompt="What a network 2 → 3 → 2 gives for two tokens.",
    value=feed_forward(X, W1, B1, W2, B2).tolist(),
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
    mistakes=(
        Mistake(
            "no ReLU",
            "This is the result without max(0, …): the negative hidden units went into W2 as they are.",
            "Write down the hidden units, and replace those below 0 with 0.",
            _gives(activation=same),
        ),
        Mistake(
            "ReLU at the end too",
            "Everything is right up to the last step, where you set the negative output to 0. Outputs may be negative.",
            "In the formula, what is inside max(0, …), and what is outside?",
            _gives(last=relu),
        ),
        Mistake(
            "ReLU at the end",
            "You applied max(0, …) after the second matrix, and nothing between the two matrices.",
            "In the formula, what is inside max(0, …)?",
            _gives(activation=same, last=relu),
        ),
        Mistake(
            "ReLU before b1",
            "You applied max(0, …) first and added b1 afterwards. So b1 had no say in which units are switched off.",
            "Compute x W1 + b1 first, and then max(0, …).",
            _gives(bias_1=lambda values, bias: relu(values) + bias, activation=same),
        ),
        Mistake(
            "b1 left out",
            "Your hidden units lack b1, so different units are switched off.",
            "Add b1 before max(0, …).",
            _gives(bias_1=leave_out),
            variants=(_gives(bias_1=leave_out, bias_2=leave_out),),
        ),
        Mistake(
            "b2 left out",
            "You are nearly there: one term of the formula is missing for both tokens.",
            "The last step is + b2.",
            _gives(bias_2=leave_out),
        ),
        Mistake(
            "signs dropped",
            "You dropped the minus signs of the hidden units. So units that should be switched off pass something on.",
            "max(0, −4) is the larger of 0 and −4.",
            _gives(activation=np.abs),
        ),
        Mistake(
            "ReLU on x",
            "You set the negative numbers of the tokens to 0 before the first matrix.",
            "In the formula, what is inside max(0, …)?",
            _gives(first=relu),
            variants=(_gives(first=relu, activation=same),),
        ),
        Mistake(
            "the hidden units",
            "These are the three hidden units of each token. The second matrix and its bias are missing.",
            "Token 1: 1 · [1, 0] + 0 · [2, −1] + 3 · [−1, 3], and then b2.",
            relu(HIDDEN),
            variants=(HIDDEN, HIDDEN - B1),
        ),
        Mistake(
            "columns for rows",
            "Your numbers are right, but each token has a column in place of a row.",
            "Write one list for each token: [[first, second output of token 1], [first, second output of token 2]].",
            feed_forward(X, W1, B1, W2, B2).T,
        ),
    ),
)
