"""Sheet 14: logits on which the detour by probabilities loses the loss."""

import numpy as np

from ..kinds import Counterexample
from ..toolkit import known

LARGEST = 1000


def by_probability(logits, label):
    exponentials = np.exp(logits - logits.max())
    return -np.log(exponentials[int(label)] / exponentials.sum())


def from_logits(logits, label):
    shifted = logits - logits.max()
    return np.log(np.exp(shifted).sum()) - shifted[int(label)]


def _invalid(logits, label):
    if logits.ndim != 1 or not 2 <= len(logits) <= 8:
        return f"`logits` should be one row of 2 to 8 numbers, but has shape {logits.shape}."
    if np.abs(logits).max() > LARGEST:
        return f"Please keep all logits between −{LARGEST} and {LARGEST}."
    if label.shape != () or label not in range(len(logits)):
        return f"`label` should be the position of one of the logits, counted from 0: an integer from 0 to {len(logits) - 1}."
    return None


underflow = Counterexample(
    id="training.underflow",
    prompt="Logits and a label whose loss is lost when it is computed through the probability.",
    faulty=by_probability,
    reference=from_logits,
    invalid=_invalid,
    why=(
        "A probability below the smallest number that the computer can store becomes 0, whereas the logits still hold the "
        "difference."
    ),
    hints=(
        "The largest logit is subtracted, so the input of exp is never above 0, and its result cannot become too large. What "
        "else can happen to it?",
        "exp of a very negative number is so close to 0 that the computer stores 0. What is log 0?",
        "The smallest positive number that the computer can store is about e to the power −745. Put the label's logit more "
        "than 745 below the largest.",
    ),
    mistakes={
        "the label is the largest": known(
            "Your label has the largest logit. After the subtraction its exponential is 1, and nothing is lost.",
            "Choose the label of a logit that is far below the largest.",
            ([1000.0, 0.0], 0),
            ([1000.0, 1000.0], 0),
            ([5.0, 2.0, 3.0], 0),
            ([0.0, 0.0], 1),
            recognise=lambda logits, label: logits[int(label)] == logits.max(),
        ),
        "almost far enough below": known(
            "You are close. The label's exponential is so small that the computer stores it only roughly. But so far, this "
            "changes the loss by less than one part in 10,000.",
            "Move the label's logit a little further below the largest.",
            ([743.0, 0.0], 1),
            ([0.0, -740.0], 1),
            ([370.0, -370.0, 0.0], 1),
            recognise=lambda logits, label: logits.max() - logits[int(label)] >= 735,
        ),
        "large numbers, near each other": known(
            "Your logits are large, and exp of them would be too. But the largest is subtracted first, so only the distance "
            "of the label's logit from it matters, and that is too small here.",
            "Make the difference between the logits larger.",
            ([1000.0, 990.0], 1),
            ([-1000.0, -990.0], 0),
            ([900.0, 400.0], 1),
            recognise=lambda logits, label: np.abs(logits).max() > 700,
        ),
        "not far enough below": known(
            "The computer can still store the label's probability, so both ways give the same loss up to rounding.",
            "How small must a probability be before the computer stores it as 0?",
            ([0.0, -300.0], 1),
            ([2.0, 1.0, 0.0], 2),
            ([300.0, -300.0], 1),
            recognise=lambda logits, label: True,
        ),
    },
)
