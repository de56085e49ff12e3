"""Sheet 16, by hand: the log-probabilities of two sequences, a length penalty, and a temperature."""

import numpy as np

from ..kinds import Number
from ..toolkit import known

LOG_2 = np.log(2)
# In halvings: text A has 1 and 4, text B seven tokens with 1, 1, 1, 1, 1, 1 and 0.
SHORT, LONG = -5 * LOG_2, -6 * LOG_2
P = np.array([0.64, 0.16, 0.16, 0.04])


def at(temperature):
    """The largest of the probabilities at a temperature."""
    return float((P ** (1 / temperature) / (P ** (1 / temperature)).sum())[0])


RIGHT = [SHORT, SHORT * 6 / 7, LONG / 2, at(2)]


def _near(seen, value):
    return abs(seen - value) < 0.006


by_hand = Number(
    id="decoding.by_hand",
    answer_name="numbers",
    prompt="The log-probability of a sequence, two sequences with a length penalty, and a probability at temperature 2.",
    value=RIGHT,
    atol=0.006,
    labels=("A", "A with the penalty", "B with the penalty", "the probability at temperature 2"),
    why="Every token lowers the log-probability, so long sequences lose unless the sum is divided by a length penalty.",
    hints=(
        "The logarithm of a product is the sum of the logarithms, and ln ½ is −0.6931. 1/16 is (½)⁴.",
        "The penalties are (5 + 2)/6 and (5 + 7)/6: `end` is one of the tokens.",
        "Dividing the logits by T raises each probability to the power 1/T, up to a factor that is the same for all. For T = 2 "
        "that is the square root. Then divide by the sum of the four square roots.",
    ),
    mistakes={
        "the other logarithm": (
            "Your logarithms have base 2 or 10.",
            "In this course, log is the natural logarithm: ln ½ = −0.6931. In Python, use np.log.",
            {0: (-5, SHORT / np.log(10))},
        ),
        "the sign of a loss": (
            "Your log-probabilities are positive. The logarithm of a number below 1 is negative; with the sign changed, it "
            "is the loss of lesson 14.",
            "Leave out the minus sign.",
            {0: -SHORT},
        ),
        "probabilities in place of logarithms": (
            "Your first number is the probability of A itself. The exercise asks for its logarithm.",
            "Take the natural logarithm of 1/32.",
            {0: 1 / 32},
        ),
        "the mean over the tokens": (
            "You divided the first number by the number of tokens, as in a loss. The log-probability of a sequence is the *sum*.",
            "Add the logarithms of the two tokens.",
            {0: SHORT / 2},
        ),
        "multiplied by the penalty": (
            "You multiplied by the penalty, which makes the score of a long sequence even lower.",
            "What happens to −4 if you divide it by 2?",
            {1: SHORT * 7 / 6},
        ),
        "the penalty subtracted": (
            "You added the penalty to the log-probability, or subtracted it. The formula divides by it.",
            "For A, divide by 7/6, and for B by 12/6.",
            {1: (SHORT - 7 / 6, SHORT + 7 / 6), 2: (LONG - 2, LONG + 2)},
        ),
        "divided by the length": (
            "You divided by the length itself, which is not the penalty in the formula.",
            "The penalty is (5 + length)/6. For two tokens, that is 7/6.",
            {1: SHORT / 2},
        ),
        "the penalty forgotten": known(
            "Your second or third number is a log-probability that has not been divided by its penalty.",
            "The penalty is (5 + length)/6. For A, that is 7/6, and for B, 12/6.",
            *([SHORT, second, third, RIGHT[3]] for second, third in ((SHORT, LONG), (SHORT, RIGHT[2]), (RIGHT[1], LONG))),
            recognise=lambda seen: _near(seen[2], LONG) or (_near(seen[1], SHORT) and _near(seen[2], RIGHT[2])),
        ),
        "end is not counted": known(
            "A length of yours is too small by one, as if `end` were not a token. It is one, even where its probability is 1.",
            "Count `end`: A has two tokens, and B has seven.",
            *([SHORT, second, LONG * 6 / 11, RIGHT[3]] for second in (SHORT, RIGHT[1])),
            recognise=lambda seen: _near(seen[1], SHORT) or _near(seen[2], LONG * 6 / 11),
        ),
        "colder in place of hotter": (
            "Your last number belongs to T = ½: it is larger than 0.64. A temperature above 1 moves the probabilities closer "
            "together.",
            "Take square roots, not squares.",
            {3: at(0.5)},
        ),
        "the probabilities divided": (
            "You divided the *probabilities* by T. If you then divide by their sum, you are back where you started. The "
            "temperature divides the logits.",
            "Raise each p to the power 1/T, then divide by the sum.",
            {3: (0.64, 0.32)},
        ),
        "softmax of divided probabilities": (
            "You divided the probabilities by 2 and took their softmax. The temperature divides the logits, which are logarithms of the "
            "probabilities.",
            "Raise each p to the power 1/T, then divide by the sum.",
            {3: 0.3018},
        ),
        "not divided by the sum": (
            "The four square roots sum to 1.8, not to 1.",
            "Divide each square root by 1.8.",
            {3: 0.8},
        ),
    },
)
