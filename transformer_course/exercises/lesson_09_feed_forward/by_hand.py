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
            "This is what comes out without the hinges: the negative hidden numbers went on into W2. Between the two matrices each "
            "of them becomes 0.",
            "Write down the hidden numbers, and cross out those below 0.",
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
            "You bent first and added b1 after that. The bias decides where a hinge opens, so it stands inside max(0, …).",
            "x W1, plus b1, and then the hinges.",
            _gives(bias_1=lambda values, bias: relu(values) + bias, bend=same),
            variants=(_gives(bias_1=lambda values, bias: relu(values) + bias),),
        ),
        Mistake(
            "b1 left out",
            "The hidden numbers lack b1: the hinges then open at other places.",
            "Add b1 before the hinges.",
            _gives(bias_1=leave_out),
            variants=(_gives(bias_1=leave_out, bias_2=leave_out),),
        ),
        Mistake(
            "b2 left out",
            "Nearly there: b2 is still to be added, to both tokens.",
            "The last step is + b2.",
            _gives(bias_2=leave_out),
        ),
        Mistake(
            "signs dropped",
            "You dropped the minus signs of the hidden numbers. max(0, h) makes a negative number 0, not positive.",
            "max(0, −4) is the larger of 0 and −4.",
            _gives(bend=np.abs),
        ),
        Mistake(
            "the bend on x",
            "You set the negative numbers of the tokens to 0. They go into W1 as they are; the hinges come after it.",
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
            "The right numbers, with a column for each token. Give a row for each.",
            "[[first output, second output] of token 1, the same of token 2].",
            feed_forward(X, W1, B1, W2, B2).T,
        ),
    ),
)
