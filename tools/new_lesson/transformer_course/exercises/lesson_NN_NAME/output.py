"""Sheet NN: a weighted average of rows."""

import numpy as np

from ..kinds import Implement
from ..toolkit import normal, softmax


def _output(weights, values):
    return weights @ values


# Replace: questions on which each mistake below gives a result of its own, with numbers that float32 represents exactly.
def _draw(rng):
    sizes = (3, 2), (5, 4), (2, 7)
    return [[softmax(normal(rng, n)).astype(np.float32).astype(float), normal(rng, n, d)] for n, d in sizes]


# Replace: a function that learners write, judged by a reference in NumPy.
output = Implement(
    id="lesson_NN.output",
    answer_name="output",
    prompt="The weighted average of the rows of a matrix.",
    reference=_output,
    draw=_draw,
    alternatives=(lambda weights, values: (weights[:, None] * values).sum(0),),
    why="A matrix product multiplies each row by its weight and adds them up, which is all that a weighted average is.",
    hints=(
        "Multiply each row of `values` by its weight. What is left to do?",
        "Add up the n weighted rows. A matrix product does both at once: which operator is it?",
    ),
    mistakes={
        "the plain mean": (
            "You averaged the rows, but every row got the same weight. The weights are an argument of your function.",
            "Multiply each row by its own weight before you add.",
            lambda weights, values: values.mean(0),
        ),
        "divided by n as well": (
            "Your average is too small by a factor of n: you divided by the number of tokens. The weights sum to 1 already.",
            "Add up the weighted rows, and leave the sum as it is.",
            lambda weights, values: weights @ values / len(values),
            lambda weights, values: (weights[:, None] * values).mean(0),
        ),
        "not added up": (
            "Each row is multiplied by its weight, which is right. But you return all n rows, and an average is one row.",
            "Along which axis do you have to add?",
            lambda weights, values: weights[:, None] * values,
        ),
        "added along the wrong axis": (
            "You added up the numbers within each row, so you get one number per token. An average of the tokens has one "
            "number per dimension.",
            "The tokens are along axis 0.",
            lambda weights, values: (weights[:, None] * values).sum(1),
        ),
    },
)
