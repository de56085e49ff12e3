"""Sheet 20: another row of weights with the same output, without the largest weight."""

import numpy as np

from ..kinds import Construct
from ..toolkit import known

VALUES = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0], [1.0, 1.0]])
GIVEN = np.array([0.1, 0.1, 0.1, 0.2, 0.5])
NEAR = 1e-6
EXACT = ".8g"  # shows every difference that is larger than NEAR


def _negative(row):
    return row.min() < -NEAR


def _other_sum(row):
    return abs(row.sum() - 1) > NEAR


def _other_output(row):
    return np.abs(row @ VALUES - GIVEN @ VALUES).max() > NEAR


def _violation(drawn, row):
    if _negative(row):
        return f"Weights are never negative, but your smallest is {row.min():.3g}."
    if _other_sum(row):
        return f"Your row sums to {row.sum():{EXACT}}. The weights of a row should sum to 1."
    if _other_output(row):
        first, second = row @ VALUES
        return f"The output should stay [1.1, 1.1], but yours is [{first:{EXACT}}, {second:{EXACT}}]."
    if row[4] > NEAR:
        return f"The output stays the same. But token 5 should have no weight, and it still has {row[4]:.3g}."
    return None


RENORMALISED = np.array([0.2, 0.2, 0.2, 0.4, 0.0])

twin = Construct(
    id="explain.twin",
    answer_name="row",
    prompt="Another row of weights with the same output, in which the token with the largest weight gets nothing.",
    shapes={"row": (5,)},
    violation=_violation,
    why=(
        "If a value is an average of other values, its weight can move to them without changing the output, so weights are "
        "not unique."
    ),
    hints=(
        "Token 5 has the value [1, 1]. Which two other values have that mean?",
        "[0, 0] and [2, 2] have the mean [1, 1]. So half of the weight that you take from token 5 can go to token 1, and "
        "half to token 4.",
        "Add 0.5 times the null vector [½, 0, 0, ½, −1]. (You can use tokens 2 and 3 as well, or all four.)",
    ),
    mistakes={
        "negative weights": known(
            "A weight is negative. Softmax never gives a negative weight: a token can have no weight at all, but not less.",
            "Add less of the null vector: stop when the first weight reaches 0.",
            GIVEN + 0.6 * np.array([0.5, 0, 0, 0.5, -1]),
            GIVEN + 0.5 * np.array([1, -1, -1, 1, 0]),
            GIVEN + np.array([-0.5, 0.5, 0.5, 0, -0.5]),
            recognise=_negative,
        ),
        "taken away and not given": known(
            "Weight was taken away, and no other token received it: the row no longer sums to 1.",
            "Give to other tokens exactly what you take away.",
            np.array([0.1, 0.1, 0.1, 0.2, 0.0]),
            np.zeros(5),
            np.array([0.5, 0, 0, 0.5, -1.0]) * 0 + 0.1,
            recognise=lambda row: _other_sum(row) and (row <= GIVEN + NEAR).all(),
        ),
        "hidden, not replaced": known(
            "These are the weights that softmax would give if token 5 were hidden: the others keep their proportion. But the "
            "output moves to [1.2, 1.2].",
            "Find tokens whose values have the mean [1, 1], and give them the weight of token 5.",
            RENORMALISED,
            recognise=lambda row: np.abs(row - RENORMALISED).max() < NEAR,
        ),
        "four alike": known(
            "Four weights of a quarter give [1, 1], the mean of the four corners. But the output was [1.1, 1.1], because "
            "token 4 had more weight than the others.",
            "Start from the given row, and move only the weight of token 5.",
            np.array([0.25, 0.25, 0.25, 0.25, 0.0]),
            recognise=lambda row: np.abs(row - [0.25, 0.25, 0.25, 0.25, 0]).max() < NEAR,
        ),
        "all to one token": known(
            "You gave all of token 5's weight to one other token. No other token has the same value, so the output moves.",
            "Which *two* values have the mean [1, 1]?",
            GIVEN + np.array([0, 0, 0, 0.5, -0.5]),
            *(GIVEN + 0.5 * np.eye(5)[k] - [0, 0, 0, 0, 0.5] for k in range(3)),
            recognise=lambda row: any(
                np.abs(row - GIVEN - 0.5 * np.eye(5)[k] + 0.5 * np.eye(5)[4]).max() < NEAR for k in range(4)
            ),
        ),
        "the same row": known(
            "This is the given row. There are others with the same output.",
            "Which tokens together could replace token 5?",
            GIVEN,
            recognise=lambda row: np.abs(row - GIVEN).max() < NEAR,
        ),
        "not far enough": known(
            "The sum and the output are right. But token 5 still has some weight.",
            "Take the same step again, until token 5 has none.",
            GIVEN + 0.25 * np.array([0.5, 0, 0, 0.5, -1]),
            GIVEN + 0.1 * np.array([0, 0.5, 0.5, 0, -1]),
            GIVEN + 0.1 * np.array([-1, 1, 1, -1, 0]),
            recognise=lambda row: not (_negative(row) or _other_sum(row) or _other_output(row)) and row[4] > NEAR,
        ),
    },
)
