"""Sheet 04, with pencil and paper: a row of weights with dropout."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Number
from ..toolkit import softmax

WEIGHTS, KEPT = np.array([0.4, 0.1, 0.3, 0.2]), np.array([1.0, 0.0, 1.0, 1.0])  # as in the sheet, and p = 0.2


def _with_sum(row) -> list[float]:
    return [*row, float(np.sum(row))]


def _dropout(name, diagnosis, hint, *rows) -> Mistake:
    """A wrong row with its sum; also where the sum was left out, or taken for 1."""
    answers = [answer for row in rows for answer in (_with_sum(row), list(row), [*row, 1.0])]
    return Mistake(name, diagnosis, hint, answers[0], variants=answers[1:])


dropout_row = Number(
    id="attention.dropout_row",
    answer_name="row_and_sum",
    prompt="A row of weights after dropout while training, and its sum.",
    value=_with_sum(WEIGHTS * KEPT / 0.8),
    atol=1.5e-4,
    labels=("the first weight", "the second weight", "the third weight", "the fourth weight", "the sum"),
    why=(
        "Dividing the surviving weights by 1 − p keeps the expected value of each weight, so nothing has to be rescaled at "
        "evaluation."
    ),
    hints=(
        "The dropped weight becomes 0. What becomes of each of the others?",
        "The others are divided by 1 − p, which is 0.8 here.",
        "0.4 / 0.8 = 0.5. Do the same with 0.3 and 0.2, and add the four numbers up: the sum need not be 1.",
    ),
    mistakes=(
        _dropout(
            "the others not divided",
            "The second weight is dropped, rightly, but the others stay as they were. Then the output would shrink by a fifth on "
            "average while training, and grow back in evaluation.",
            "Divide each of the others by 1 − p.",
            WEIGHTS * KEPT,
        ),
        _dropout(
            "made to sum to 1 again",
            "You divided by what was left, 0.9, so that this row sums to 1. Dropout divides by 1 − p, whatever was dropped: rows "
            "sum to 1 on average only.",
            "1 − p = 0.8.",
            WEIGHTS * KEPT / 0.9,
        ),
        _dropout(
            "multiplied by 1 − p",
            "You multiplied by 1 − p, so the row became smaller still. The weights that stay have to make up for those that "
            "are dropped, so they must grow.",
            "Divide by 1 − p = 0.8.",
            WEIGHTS * KEPT * 0.8,
        ),
        _dropout(
            "divided by p",
            "You divided by p = 0.2, and each weight became five times as large. p is the share that is dropped; the weights make up "
            "for it by the share that stays.",
            "Divide by 1 − p = 0.8.",
            WEIGHTS * KEPT / 0.2,
        ),
        _dropout(
            "multiplied by p",
            "You multiplied by p = 0.2, and each weight became a fifth of what it was. The weights that stay have to make up for "
            "those that are dropped, so they must grow.",
            "Divide by 1 − p = 0.8.",
            WEIGHTS * KEPT * 0.2,
        ),
        _dropout(
            "a fifth added",
            "You added a fifth to each, a factor of 1.2. On average 0.8 of the weights stay, and 0.8 × 1.2 is not yet 1.",
            "Which factor makes 0.8 into 1?",
            WEIGHTS * KEPT * 1.2,
        ),
        _dropout(
            "what was dropped is counted",
            "You divided by three quarters, since three of four weights were kept. Dropout does not look at how many it has dropped "
            "this time: it divides by 1 − p always.",
            "1 − p = 0.8.",
            WEIGHTS * KEPT / 0.75,
        ),
        _dropout(
            "nothing dropped",
            "All four are divided by 0.8, the dropped one too. A dropped weight is 0.",
            "Set the second to 0 first.",
            WEIGHTS / 0.8,
        ),
        _dropout(
            "as in evaluation",
            "These are the weights as they were. Dropout is off in evaluation; while training the second one is set to 0.",
            "Set the second to 0, and divide the others by 1 − p.",
            WEIGHTS,
        ),
        _dropout(
            "shared out to the others",
            "You shared the dropped weight out in equal parts, so that the row sums to 1. Dropout divides the others by 1 − p, "
            "whatever was dropped: rows sum to 1 on average only.",
            "1 − p = 0.8.",
            np.array([0.4 + 0.1 / 3, 0.0, 0.3 + 0.1 / 3, 0.2 + 0.1 / 3]),
        ),
        _dropout(
            "softmax once more",
            "You took softmax of the row once more. Dropout comes after softmax, and only divides: no exp is needed.",
            "Set the second to 0, and divide the others by 1 − p.",
            softmax(WEIGHTS * KEPT),
            softmax(np.where(KEPT > 0, WEIGHTS, -np.inf)),
        ),
        Mistake(
            "a sum of 1",
            "The four weights are right. Their sum is not 1: what was dropped was a small weight, and dividing by 0.8 gave back "
            "more than that. Rows sum to 1 on average only.",
            "Add the four numbers that you gave.",
            [*(WEIGHTS * KEPT / 0.8), 1.0],
            variants=([*(WEIGHTS * KEPT / 0.8), 0.9],),
        ),
        Mistake(
            "the sum is missing",
            "The four weights are right. Give their sum too, as a fifth number.",
            "Add the four up.",
            list(WEIGHTS * KEPT / 0.8),
        ),
    ),
)
