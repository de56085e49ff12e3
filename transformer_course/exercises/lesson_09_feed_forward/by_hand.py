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
        "Three hidden numbers for each token: its two numbers times the first column of W1, plus the first of b1, and so on.",
        "Token 1: 2 · 1 + (−1) · 2 + 1 = 1 is its first hidden number. What becomes of those that are below 0?",
        "After the hinges, token 1 has [1, 0, 3]. Now times W2: 1 · [1, 0] + 0 · [2, −1] + 3 · [−1, 3], and then b2.",
    ),
    mistakes=(
        Mistake(
            "no bend",
            "This is what comes out without max(0, …): the negative hidden numbers went into W2 as they are.",
            "Write down the hidden numbers, and replace those below 0 by 0.",
            _gives(bend=same),
        ),
        Mistake(
            "a bend at the end too",
            "Right up to the last step, and then you set the negative output to 0. The hinges stand between the two matrices; outputs "
            "may be negative.",
            "What stands around max(0, …) in the formula, and what outside it?",
            _gives(last=relu),
        ),
        Mistake(
            "the bend at the end",
            "The hinges stand between the two matrices, on the hidden numbers. You put them behind the second one.",
            "What stands inside max(0, …) in the formula?",
            _gives(bend=same, last=relu),
        ),
        Mistake(
            "the bend before b1",
            "You applied max(0, …) first and added b1 after that. The bias should decide which units are switched off.",
            "Compute x W1 + b1 first, and then max(0, …).",
            _gives(bias_1=lambda values, bias: relu(values) + bias, bend=same),
            variants=(_gives(bias_1=lambda values, bias: relu(values) + bias),),
        ),
        Mistake(
            "b1 left out",
            "Your hidden numbers lack b1, so different units are switched off.",
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
            "You dropped the minus signs of the hidden numbers. So units that should be switched off pass something on.",
            "max(0, −4) is the larger of 0 and −4.",
            _gives(bend=np.abs),
        ),
        Mistake(
            "the bend on x",
            "You set the negative numbers of the tokens to 0 before the first matrix.",
            "What stands inside max(0, …) in the formula?",
            _gives(first=relu),
            variants=(_gives(first=relu, bend=same),),
        ),
        Mistake(
            "the hidden numbers",
            "These are the three hidden numbers of each token. W2 and b2 make two outputs of them.",
            "Token 1: 1 · [1, 0] + 0 · [2, −1] + 3 · [−1, 3], and then b2.",
            relu(HIDDEN),
            variants=(HIDDEN, HIDDEN - B1),
        ),
        Mistake(
            "columns for rows",
            "Your numbers are right, but there is a column for each token.",
            "Give a row for each token: [[first output, second output] of token 1, the same of token 2].",
            feed_forward(X, W1, B1, W2, B2).T,
        ),
    ),
)
