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


def _with_input_where_it_fits(x, w1, b1, w2, b2):
    output = feed_forward(x, w1, b1, w2, b2)
    return x + output if output.shape == x.shape else output


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
        "There are four steps: times w1 plus b1, ReLU, times w2, plus b2. `@` works on the last axis of x, whatever axes come before it.",
        "np.maximum(0, hidden) compares number by number. (np.max is different: it returns the largest number of an array.)",
        "hidden = np.maximum(0, x @ w1 + b1), and then one more line.",
    ),
    mistakes=(
        Mistake(
            "no ReLU",
            "There is no ReLU, so your two matrices could be written as one.",
            "Between the two products, each negative hidden unit becomes 0.",
            network(activation=same),
        ),
        Mistake(
            "ReLU at the end",
            "You apply ReLU after the second matrix. So the two matrices could be written as one, and your outputs are never "
            "negative.",
            "In the formula, which numbers go through max(0, …)?",
            network(activation=same, last=relu),
        ),
        Mistake(
            "ReLU at the end too",
            "Everything is right except the last step: you apply ReLU a second time, so no output can be negative.",
            "Outputs may be negative. Return them as they are.",
            network(last=relu),
        ),
        Mistake(
            "ReLU before b1",
            "You apply ReLU first and then add b1. So all units switch on at 0, and b1 only shifts the result.",
            "In the formula, what is inside max(0, …)?",
            network(bias_1=lambda values, bias: relu(values) + bias, activation=same),
        ),
        Mistake(
            "b1 left out",
            "b1 is missing. Without biases, all hidden units switch on at 0.",
            "Add b1 before max(0, …).",
            network(bias_1=leave_out),
        ),
        Mistake(
            "b2 left out",
            "Everything is right except that b2 is missing: each output is off by the same amount for all tokens.",
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
            "You take the absolute value of the hidden units, so units that should be switched off pass something on.",
            "Compare each number with 0, and take the larger.",
            network(activation=np.abs),
        ),
        Mistake(
            "min for max",
            "You keep the negative hidden units and set the positive ones to 0.",
            "Use max(0, h), not min.",
            network(activation=lambda h: np.minimum(0, h)),
        ),
        Mistake(
            "ones for what is positive",
            "In your network, a positive hidden unit becomes 1 (or True), so its size is lost.",
            "h > 0 is a comparison. np.where(h > 0, h, 0) uses it.",
            network(activation=lambda h: (h > 0) * 1.0),
        ),
        Mistake(
            "the largest of an array",
            "You took a maximum over an axis, which picks one of many hidden units.",
            "Compare each number with 0. np.maximum takes two things and compares them number by number. np.max takes "
            "one and picks its largest number.",
            network(activation=lambda h: np.max(h, axis=0)),
            variants=(
                network(activation=lambda h: np.max(h, axis=0, keepdims=True)),
                network(activation=lambda h: np.max(h, axis=-1, keepdims=True) * np.ones(h.shape)),
                network(activation=lambda h: relu(np.max(h, axis=0))),
            ),
        ),
        Mistake(
            "ReLU on x",
            "You applied max(0, …) to x, before the first matrix.",
            "In the formula, what is inside max(0, …)?",
            network(first=relu, activation=same),
            variants=(network(first=relu),),
        ),
        Mistake(
            "x added",
            "You added x to the outputs. That is the residual connection of the next lesson, which the formula here "
            "does not have.",
            "Return the result of the formula, and nothing more.",
            _with_input,
            variants=(_with_input_where_it_fits,),
        ),
        Mistake(
            "two axes needed",
            "Your function is right for a table with a row for each token. But a single token of shape (d,) has only one axis, and your "
            "function needs at least two.",
            "`@` works on the last axis of x, whatever axes come before it, so you need no loop and no letter for each axis.",
            _row_by_row,
            variants=(_into_a_table,),
        ),
        Mistake(
            "leading axes flattened",
            "The numbers are right, but the shape is not: you flattened all leading axes into one.",
            "`@` needs no reshape here. If you use one, reshape the result back.",
            _flat,
        ),
        Mistake(
            "the hidden units",
            "You returned the hidden units, before the second matrix.",
            "Multiply by w2, and add b2.",
            lambda x, w1, b1, w2, b2: relu(x @ w1 + b1),
            variants=(lambda x, w1, b1, w2, b2: x @ w1 + b1,),
        ),
    ),
)
