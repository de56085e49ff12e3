"""Sheet 04, with pencil and paper: a row of weights with dropout."""

import numpy as np

from ..kinds import Number
from ..toolkit import softmax

WEIGHTS, KEPT = np.array([0.4, 0.1, 0.3, 0.2]), np.array([1.0, 0.0, 1.0, 1.0])  # as in the sheet, and p = 0.2


def _with_sum(row) -> list[float]:
    return [*row, float(np.sum(row))]


def _dropout(diagnosis, hint, *rows):
    """A wrong row with its sum; also where the sum was left out, or taken for 1."""
    return diagnosis, hint, *(answer for row in rows for answer in (_with_sum(row), list(row), [*row, 1.0]))


dropout_row = Number(
    id="attention.dropout_row",
    answer_name="row_and_sum",
    prompt="A row of weights after dropout in training, and its sum.",
    value=_with_sum(WEIGHTS * KEPT / 0.8),
    atol=1.5e-4,
    labels=("the first weight", "the second weight", "the third weight", "the fourth weight", "the sum"),
    why=(
        "Dividing the remaining weights by 1 − p keeps the expected value of each weight, so nothing has to be "
        "rescaled at evaluation."
    ),
    hints=(
        "The dropped weight becomes 0. What happens to each of the others?",
        "The others are divided by 1 − p, which is 0.8 here.",
        "0.4 / 0.8 = 0.5. Do the same with 0.3 and 0.2, and add up the four numbers. The sum need not be 1.",
    ),
    mistakes={
        "the others not divided": _dropout(
            "You dropped the second weight correctly, but left the others as they were. On average, the output would "
            "then be a fifth smaller in training than in evaluation.",
            "Divide each of the others by 1 − p.",
            WEIGHTS * KEPT,
        ),
        "made to sum to 1 again": _dropout(
            "You made up for the dropped weight so that this row sums to 1. But dropout divides by 1 − p, whatever was "
            "dropped. Rows sum to 1 only on average.",
            "Divide by 1 − p = 0.8.",
            WEIGHTS * KEPT / 0.9,
            WEIGHTS * KEPT + KEPT * 0.1 / 3,
        ),
        "multiplied": _dropout(
            "You multiplied by 1 − p or by p, so the weights became even smaller. The kept weights have to make up for the "
            "dropped ones, so they must grow.",
            "Divide by 1 − p = 0.8.",
            WEIGHTS * KEPT * 0.8,
            WEIGHTS * KEPT * 0.2,
        ),
        "divided by p": _dropout(
            "You divided by p = 0.2, so each weight became five times as large. p is the fraction that is dropped. "
            "What counts here is the fraction that is kept.",
            "Divide by 1 − p = 0.8.",
            WEIGHTS * KEPT / 0.2,
        ),
        "a fifth added": _dropout(
            "You added a fifth to each weight, which is a factor of 1.2. On average 0.8 of the weights are kept, and "
            "0.8 × 1.2 is not 1.",
            "Which factor turns 0.8 into 1?",
            WEIGHTS * KEPT * 1.2,
        ),
        "divided by the fraction kept this time": _dropout(
            "You divided by three quarters, because three of four weights were kept. But dropout does not look at "
            "how many it has dropped this time. It always divides by 1 − p.",
            "Divide by 1 − p = 0.8.",
            WEIGHTS * KEPT / 0.75,
        ),
        "nothing dropped": _dropout(
            "You divided all four weights by 0.8, even the dropped one. A dropped weight is 0.",
            "Set the second to 0 first.",
            WEIGHTS / 0.8,
        ),
        "as in evaluation": _dropout(
            "You left the weights as they were. That is right in evaluation, where dropout is off. In training, the "
            "second weight is set to 0.",
            "Set the second to 0, and divide the others by 1 − p.",
            WEIGHTS,
        ),
        "softmax once more": _dropout(
            "You applied softmax to the row again. Dropout comes after softmax, and only divides.",
            "Set the second to 0, and divide the others by 1 − p.",
            softmax(WEIGHTS * KEPT),
            softmax(np.where(KEPT > 0, WEIGHTS, -np.inf)),
        ),
        "a sum of 1": (
            "Your four weights are right. But their sum is not 1: the dropped weight was small, and dividing the "
            "others by 0.8 adds more than was lost. Rows sum to 1 only on average.",
            "Add up the four numbers that you gave.",
            [*(WEIGHTS * KEPT / 0.8), 1.0],
        ),
        "the sum before the division": (
            "Your four weights are right. But 0.9 is the sum of the remaining weights before they were divided.",
            "Add up the four numbers that you gave.",
            [*(WEIGHTS * KEPT / 0.8), 0.9],
        ),
        "the sum is missing": (
            "Your four weights are right. Now give their sum as a fifth number.",
            "Add up the four weights.",
            list(WEIGHTS * KEPT / 0.8),
        ),
    },
)
