"""Sheet 09: the feed-forward network as a function, for any number of leading axes."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Implement
from .networks import by_einsum, by_signs, feed_forward, in_two_halves, leave_out, network, relu, same, token_by_token


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
        question(2, 3, 4, d=6, d_ff=5, d_out=6),
    ]


def _with_input(x, w1, b1, w2, b2):
    return x + feed_forward(x, w1, b1, w2, b2)


def _row_by_row(x, w1, b1, w2, b2):
    return np.stack([feed_forward(row, w1, b1, w2, b2) for row in x])


def _into_a_table(x, w1, b1, w2, b2):
    table = np.zeros((len(x), w2.shape[1]))
    for i, row in enumerate(x):
        table[i] = feed_forward(row, w1, b1, w2, b2)
    return table


def _flat(x, w1, b1, w2, b2):
    return feed_forward(x.reshape(-1, x.shape[-1]), w1, b1, w2, b2)


layers_feed_forward = Implement(
    id="layers.feed_forward",
    answer_name="feed_forward",
    prompt="The feed-forward network, for tokens on any number of leading axes.",
    reference=feed_forward,
    draw=_draw,
    alternatives=(token_by_token, by_einsum, by_signs, in_two_halves),
    why="Products with @ and np.maximum act on the last axis only, so every token is treated separately and in the same way.",
    hints=(
        "Four steps: times w1 plus b1, bend, times w2, plus b2. `@` works on the last axis of x, whatever stands before it.",
        "np.maximum(0, hidden) compares number by number. (np.max is something else: the largest of an array.)",
        "hidden = np.maximum(0, x @ w1 + b1), and then one more line.",
    ),
    mistakes=(
        Mistake(
            "no bend",
            "Nothing bends: this is one matrix, written as two. Whatever the weights, such a network is a straight line.",
            "Between the two products, each hidden number that is negative becomes 0.",
            network(bend=same),
        ),
        Mistake(
            "the bend at the end",
            "You bend behind the second matrix. Between the two matrices nothing bends then, so they are one; and your outputs are "
            "never negative.",
            "Which numbers go through max(0, …) in the formula?",
            network(bend=same, last=relu),
        ),
        Mistake(
            "a bend at the end too",
            "Right but for the last step: you bend a second time, and no output can be negative.",
            "Outputs may be negative: they are added to what comes in, or go on to the next layer.",
            network(last=relu),
        ),
        Mistake(
            "the bend before b1",
            "You bend first and then add b1. So all hinges open at 0, and b1 only shifts what comes out.",
            "The bias belongs inside: max(0, x W1 + b1).",
            network(bias_1=lambda values, bias: relu(values) + bias, bend=same),
        ),
        Mistake(
            "b1 left out",
            "b1 is missing. Without biases, all hidden units switch on at 0.",
            "Add b1 before max(0, …).",
            network(bias_1=leave_out),
        ),
        Mistake(
            "b2 left out",
            "Right but for b2: each output is off by the same amount for all tokens.",
            "Add b2 at the very end.",
            network(bias_2=leave_out),
        ),
        Mistake(
            "both biases left out",
            "Both biases are missing.",
            "There are four steps, and two of them are sums: b1 before the ReLU, and b2 at the end.",
            network(bias_1=leave_out, bias_2=leave_out),
        ),
        Mistake(
            "signs dropped",
            "You take the absolute value of the hidden numbers, so units that should be switched off pass something on.",
            "Compare each number with 0, and take the larger.",
            network(bend=np.abs),
        ),
        Mistake(
            "min for max",
            "You keep the negative hidden numbers and drop the positive ones.",
            "Use max(0, h), not min.",
            network(bend=lambda h: np.minimum(0, h)),
        ),
        Mistake(
            "ones for what is positive",
            "A positive hidden number becomes 1 (or True) in your network, so its size is lost.",
            "h > 0 is a comparison. np.where(h > 0, h, 0) uses it.",
            network(bend=lambda h: (h > 0) * 1.0),
        ),
        Mistake(
            "the largest of an array",
            "You took a maximum over an axis, which picks one of many hidden numbers.",
            "Compare each number with 0. np.maximum takes two things and compares them number by number; np.max takes"
            " one and picks its largest.",
            network(bend=lambda h: np.max(h, axis=0)),
            variants=(
                network(bend=lambda h: np.max(h, axis=0, keepdims=True)),
                network(bend=lambda h: np.max(h, axis=-1, keepdims=True) * np.ones(h.shape)),
                network(bend=lambda h: relu(np.max(h, axis=0))),
            ),
        ),
        Mistake(
            "the bend on x",
            "You applied max(0, …) to x, before the first matrix.",
            "What stands inside max(0, …) in the formula?",
            network(first=relu, bend=same),
            variants=(network(first=relu),),
        ),
        Mistake(
            "x added",
            "You added x to the outputs. That is the residual connection of the next lesson, which the formula here "
            "does not have.",
            "Return what w2 and b2 give, and nothing more.",
            _with_input,
        ),
        Mistake(
            "a loop over rows",
            "Right for a table of tokens, a row each. But a single token, of shape (d,), has no axis before its numbers: a loop over "
            "the first axis then goes over single numbers.",
            "`@` works on the last axis of x, whatever stands before it: no loop is needed.",
            _row_by_row,
            variants=(_into_a_table,),
        ),
        Mistake(
            "leading axes laid together",
            "The numbers are right, but the shape is not: you flattened all leading axes into one.",
            "`@` needs no reshape here. If you like to have one, reshape the result back.",
            _flat,
        ),
        Mistake(
            "the hidden numbers",
            "You returned the hidden numbers, before the second matrix.",
            "One more product, with w2, and b2.",
            lambda x, w1, b1, w2, b2: relu(x @ w1 + b1),
            variants=(lambda x, w1, b1, w2, b2: x @ w1 + b1,),
        ),
    ),
)
