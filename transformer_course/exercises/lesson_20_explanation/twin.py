"""Sheet 20: another row of weights with the same output, in which the favourite gets nothing."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Construct

VALUES = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0], [1.0, 1.0]])
GIVEN = np.array([0.1, 0.1, 0.1, 0.2, 0.5])
NEAR = 1e-6


def _negative(row):
    return row.min() < -NEAR


def _other_sum(row):
    return abs(row.sum() - 1) > NEAR


def _other_output(row):
    return np.abs(row @ VALUES - GIVEN @ VALUES).max() > NEAR


def _violation(drawn, row):
    if _negative(row):
        return f"Weights are not negative, and yours go down to {row.min():.3g}."
    if _other_sum(row):
        return f"Your row sums to {row.sum():.4g}. The weights of a row sum to 1: what you take from one token goes to others."
    if _other_output(row):
        first, second = row @ VALUES
        return f"The output should stay [1.1, 1.1], and becomes [{first:.4g}, {second:.4g}]."
    if row[4] > NEAR:
        return f"The output stays. But token 5 should get nothing, and has {row[4]:.3g}."
    return None


RENORMALISED = np.array([0.2, 0.2, 0.2, 0.4, 0.0])

twin = Construct(
    id="explain.twin",
    answer_name="row",
    prompt="Another row of weights with the same output, in which the token with the largest weight gets nothing.",
    shapes={"row": (5,)},
    draw=lambda rng: [None],
    violation=_violation,
    why=(
        "If a value is an average of other values, its weight can move to them without changing the output, so weights are "
        "not unique."
    ),
    hints=(
        "Token 5 has the value [1, 1]. Of which other two values is that the mean?",
        "[0, 0] and [2, 2] have the mean [1, 1]. So half of what is taken from token 5 can go to each of tokens 1 and 4.",
        "The null vector is [½, 0, 0, ½, −1]. Add it 0.5 times. (With tokens 2 and 3, or with all four, it goes as well.)",
    ),
    mistakes=(
        Mistake(
            "negative weights",
            "The row has a negative weight. Softmax gives none: a token can get nothing, and no less.",
            "Walk along the null vector only until the first weight is 0.",
            GIVEN + 0.6 * np.array([0.5, 0, 0, 0.5, -1]),
            variants=(GIVEN + 0.5 * np.array([1, -1, -1, 1, 0]), GIVEN + np.array([-0.5, 0.5, 0.5, 0, -0.5])),
            recognise=_negative,
        ),
        Mistake(
            "taken away and not given",
            "Token 5 lost its weight, and nobody got it: the row no longer sums to 1.",
            "What is taken from one must be given to others.",
            np.array([0.1, 0.1, 0.1, 0.2, 0.0]),
            variants=(np.zeros(5), np.array([0.5, 0, 0, 0.5, -1.0]) * 0 + 0.1),
            recognise=lambda row: _other_sum(row) and row.sum() < 1 and row[4] < GIVEN[4],
        ),
        Mistake(
            "hidden, not replaced",
            "This is what softmax makes when token 5 is hidden: the others keep their proportion. But then the output moves, to [1.2, "
            "1.2].",
            "Not in proportion: give it to tokens whose values have the mean [1, 1].",
            RENORMALISED,
            recognise=lambda row: np.abs(row - RENORMALISED).max() < NEAR,
        ),
        Mistake(
            "four alike",
            "A quarter each gives [1, 1], the mean of the four corners. But the output was [1.1, 1.1]: token 4 had more than the others, and "
            "must keep that.",
            "Start from the given row, and give away only what token 5 has.",
            np.array([0.25, 0.25, 0.25, 0.25, 0.0]),
            recognise=lambda row: np.abs(row - [0.25, 0.25, 0.25, 0.25, 0]).max() < NEAR,
        ),
        Mistake(
            "all to one token",
            "All of token 5's weight went to one other token. No other has its value alone, so the output moves.",
            "Which *two* values have the mean [1, 1]?",
            GIVEN + np.array([0, 0, 0, 0.5, -0.5]),
            variants=tuple(GIVEN + 0.5 * np.eye(5)[k] - [0, 0, 0, 0, 0.5] for k in range(3)),
            recognise=lambda row: any(
                np.abs(row - GIVEN - 0.5 * np.eye(5)[k] + 0.5 * np.eye(5)[4]).max() < NEAR for k in range(4)
            ),
        ),
        Mistake(
            "the same row",
            "That is the row that was given. There are others with the same output.",
            "Which tokens could stand in for token 5?",
            GIVEN,
            recognise=lambda row: np.abs(row - GIVEN).max() < NEAR,
        ),
        Mistake(
            "not far enough",
            "The output stays, and the sum too: a twin. But token 5 still has some weight. It should have none.",
            "The same step, further.",
            GIVEN + 0.25 * np.array([0.5, 0, 0, 0.5, -1]),
            variants=(GIVEN + 0.1 * np.array([0, 0.5, 0.5, 0, -1]), GIVEN + 0.1 * np.array([-1, 1, 1, -1, 0])),
            recognise=lambda row: not (_negative(row) or _other_sum(row) or _other_output(row)) and row[4] > NEAR,
        ),
    ),
)
