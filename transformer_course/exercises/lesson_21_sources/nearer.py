"""Sheet 21: scores for which halving moves some weight further away from 1/n."""

import numpy as np

from ..kinds import Construct
from ..toolkit import known, softmax

MOST, LARGEST, LEAST, NOTHING = 8, 20, 0.01, 1e-6


def away(scores):
    """By how much further each weight is from 1/n when all scores are halved."""
    even = 1 / len(scores)
    return np.abs(softmax(scores / 2) - even) - np.abs(softmax(scores) - even)


def _fit(scores):
    return 2 <= len(scores) <= MOST and np.abs(scores).max() <= LARGEST


def _violation(drawn, scores):
    if not _fit(scores):
        return f"`scores` should be 2 to {MOST} numbers between −{LARGEST} and {LARGEST}."
    if (most := away(scores).max()) < LEAST:
        found = f"the largest increase is {most:.4f}" if most > NOTHING else "none gets further away at all"
        return f"With these scores, no weight gets further from 1/{len(scores)} by {LEAST} or more: {found}."
    return None


nearer = Construct(
    id="reading.nearer",
    answer_name="scores",
    prompt="Scores for which some weight gets further from 1/n when all are halved.",
    shapes={"scores": ("n",)},
    violation=_violation,
    why="Only the largest and the smallest weight must get closer to 1/n; one between them that is already near 1/n can move away.",
    hints=(
        "The largest weight always gets closer to 1/n, and so does the smallest. Which weights are left?",
        "A weight that is exactly 1/n can only get further from it. Could a weight in the middle be 1/n?",
        "Take three scores, one of them 0. Its weight is 1/3 if the exponentials of the other two sum to 2. So one score is "
        "above 0, and the other is below 0, preferably far below.",
    ),
    mistakes={
        "all alike": known(
            "All scores are equal, so all weights are 1/n, before and after. Here the claim and its opposite predict the "
            "same.",
            "Take scores that differ.",
            [1.0, 1.0, 1.0],
            [0.0] * 5,
            [1.0, 1.0],
            recognise=lambda scores: _fit(scores) and np.ptp(scores) < 1e-9,
        ),
        "two scores": known(
            "With two scores, the claim is always true: one weight is above 1/2, the other is below it by as much, and both "
            "get closer. This case cannot fail.",
            "Add a third score.",
            [3.0, 0.0],
            [-5.0, 12.0],
            recognise=lambda scores: _fit(scores) and len(scores) == 2,
        ),
        "two different values": known(
            "Your scores have only two different values. So there are only two different weights, one above 1/n and one "
            "below, and both get closer.",
            "Choose scores that also give a weight between the largest and the smallest.",
            [4.0, 0.0, 0.0],
            [2.0, 2.0, -3.0],
            [5.0, -5.0, 5.0, -5.0],
            [10.0] * 2 + [0.0] * 6,
            recognise=lambda scores: _fit(scores) and np.minimum(scores - scores.min(), scores.max() - scores).max() < 1e-9,
        ),
        "too little": known(
            "One weight does get further from 1/n, but by less than 0.01.",
            "Keep this weight where it is, and move the other scores further apart.",
            [0.3, 0.0, -0.45],
            [0.0, -0.7, 0.4],
            recognise=lambda scores: _fit(scores) and NOTHING < away(scores).max() < LEAST,
        ),
        "weights in place of scores": known(
            "Your numbers are like weights: none is negative, and they sum to 1. The exercise asks for scores, and softmax "
            "turns these into weights.",
            "For scores that give the weights you want, take the logarithm of each weight. (No weight may be 0.)",
            [0.88, 0.11, 0.01],
            [0.7, 0.2, 0.06, 0.04],
            [0.6, 0.3, 0.1],
            recognise=lambda scores: _fit(scores) and scores.min() >= 0 and abs(scores.sum() - 1) < 0.011,
        ),
        "nearly equal scores": known(
            "Your scores differ so little that every weight is near 1/n, before and after. So no weight can get further away "
            "by 0.01.",
            "Move the largest score and the smallest score further apart.",
            [1.0, 0.95, 0.9],
            [0.1, 0.05, 0.0, -0.1],
            recognise=lambda scores: _fit(scores) and np.ptp(softmax(scores)) < 0.1,
        ),
        "the middle on the wrong side": known(
            "Every weight gets closer to 1/n. There are weights between the largest and the smallest, but none of them is "
            "close enough to 1/n.",
            "Print your weights, and change the middle score until its weight is about 1/n.",
            [2.0, 1.0, 0.0],
            [10.0, 5.0, 0.0],
            [4.0, 0.0, 0.0, -1.0],
            [3.0, 2.9, -2.0],
            recognise=_fit,
        ),
    },
)
