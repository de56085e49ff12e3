"""Sheet 21, by hand: the length of a vector after LayerNorm, as a claim predicts it and as it is."""

import numpy as np

from ..kinds import Number
from ..toolkit import known

RIGHT = [1, 2, 10, 2]


def _squares_summed(seen):
    """Whether a 4 is among the numbers; or a 100 with nothing else wrong, since by itself it may be a guess."""
    return (np.abs(seen[[1, 3]] - 4) < 0.006).any() or bool((np.abs(seen[1:] - [2, 100, 2]) < 0.006).all())


lengths = Number(
    id="reading.lengths",
    answer_name="lengths",
    prompt="The length of a vector after LayerNorm: what a claim predicts, and what comes out.",
    value=RIGHT,
    atol=0.006,
    labels=(
        "the length that the claim predicts",
        "the length that really comes out",
        "the length of a token of 100 numbers after LayerNorm",
        "the length of [9, −3, −9, 3] after LayerNorm",
    ),
    why="After LayerNorm, the mean of the d squares is 1, so their sum is d, and the length is √d.",
    hints=(
        "The first number is what the claim predicts, whether it is true or not.",
        "The mean of [3, −1, −3, 1] is 0, and the variance is (9 + 1 + 9 + 1) / 4 = 5. Divide each number by √5. Then "
        "square, add up, and take the square root.",
        "After LayerNorm, the mean of the squares is always 1. What is the sum of d such squares, and its square root?",
    ),
    mistakes={
        "the claim believed": (
            "One of your last three numbers is 1. That is the length that the claim predicts, but LayerNorm gives a "
            "different one.",
            "Normalise [3, −1, −3, 1] by hand, and compute the length of the result.",
            {1: 1, 2: 1, 3: 1},
        ),
        "the root forgotten": known(
            "You gave a sum of squares in place of a length.",
            "Take the square root of each sum.",
            [1, 4, 100, 4],
            [1, 2, 100, 2],
            [1, 4, 10, 4],
            recognise=_squares_summed,
        ),
        "absolute values added": (
            "You added the absolute values of the numbers. That is not the length of a vector.",
            "Square the numbers, add up the squares, and take the square root.",
            {1: 8 / 5**0.5, 3: 8 / 5**0.5},
        ),
        "divided by d − 1": (
            "For the variance, you divided the sum of squares by d − 1. That estimates the variance of a population from a "
            "sample, and LayerNorm does not do that.",
            "Divide by d: the variance of [3, −1, −3, 1] is 20/4.",
            {1: 3**0.5, 2: 99**0.5, 3: 3**0.5},
        ),
        "three times as long": (
            "The last token is three times as long only *before* LayerNorm. Its standard deviation is three times as large "
            "too.",
            "Compute the standard deviation of [9, −3, −9, 3], and divide by it.",
            {3: (6, 18)},
        ),
        "before LayerNorm": (
            "You gave the length of a token *before* LayerNorm. The exercise asks for its length after it.",
            "Divide the token by its standard deviation first.",
            {1: 20**0.5, 3: 180**0.5},
        ),
        "the standard deviation": (
            "You gave the standard deviation of the token, which LayerNorm divides by. The exercise asks for the length of "
            "the result.",
            "Divide the token by its standard deviation. Then square the numbers, add up, and take the square root.",
            {1: 5**0.5, 3: (5**0.5, 45**0.5)},
        ),
        "no claim": (
            "Your first number is the length that really comes out. Here the exercise asks for the length that the *claim* "
            "predicts.",
            "Read claim 5 again. Which length does it name?",
            {0: 2},
        ),
        "the same for every width": (
            "Your third number is the length for a token of four numbers. After LayerNorm, the *mean* of the squares is 1, "
            "so their sum depends on how many there are.",
            "What is the sum of 100 squares whose mean is 1?",
            {2: 2},
        ),
    },
)
