"""Sheet 27, by hand: the advantages of a group, and the clipped loss of one token."""

import numpy as np

from ..kinds import Number

RIGHT = [np.sqrt(3), -1 / np.sqrt(3), 0.0, -2.4, 3.0]

by_hand = Number(
    id="rewards.by_hand",
    answer_name="numbers",
    prompt="Two advantages, the advantage among equal rewards, and the clipped loss of a token for both signs.",
    value=RIGHT,
    atol=0.006,
    labels=("the right answer", "a wrong answer", "all eight right", "advantage 2", "advantage −2"),
    why=(
        "An answer is compared with its group, so equal rewards teach nothing; the clip stops a token that has moved far "
        "enough in the right direction, and never one that has moved in the wrong one."
    ),
    hints=(
        "The mean of 1, 0, 0 and 0 is 0.25. So the differences are 0.75, −0.25, −0.25 and −0.25.",
        "The variance is the mean of the squared differences, (0.5625 + 3 · 0.0625) / 4 = 0.1875. The deviation is its square "
        "root.",
        "For the loss, compute both products, ratio · advantage and clipped ratio · advantage. Take the smaller of the two, "
        "then change its sign.",
    ),
    mistakes={
        "divided by g − 1": (
            "Your deviation divides the squares by 3. That estimates a deviation from a sample, but these four are the whole "
            "group.",
            "Divide the sum of the squares by 4.",
            {0: 1.5, 1: -0.5},
        ),
        "divided by the variance": (
            "You divided by the variance, which is in squares.",
            "Take the square root of 0.1875 first.",
            {0: 4.0, 1: -4 / 3},
        ),
        "not divided": (
            "You subtracted the mean, but did not divide by the deviation.",
            "How far do the rewards of this group deviate from their mean, typically?",
            {0: 0.75, 1: -0.25},
        ),
        "without the mean": (
            "You divided the rewards by the deviation and did not compare them with the group's mean. Then nothing ever makes a "
            "wrong answer less probable.",
            "Subtract 0.25 from each reward first.",
            {0: 1 / np.sqrt(0.1875)},
        ),
        "the wrong one gets nothing": (
            "A wrong answer has a reward of 0, but that is below the mean of its group, so its advantage is not 0.",
            "Subtract the mean from 0, and divide by the deviation.",
            {1: 0.0},
        ),
        "praise for everybody": (
            "If all eight are right, none of them is better than the others. There is nothing to compare, and nothing to learn.",
            "What is left of a reward of 1 after the mean of eight ones has been subtracted?",
            {2: (1.0, np.sqrt(3), 8.0)},
        ),
        "the clip forgotten": (
            "Your fourth number is −ratio · advantage. The ratio 1.5 is already beyond 1.2, and the clip should stop it.",
            "Compare 1.5 · 2 with 1.2 · 2.",
            {3: -3.0},
        ),
        "clipped on the wrong side": (
            "You clipped where the advantage is negative. The token became *more* probable although its answer was bad, so the "
            "loss has to keep pulling it back.",
            "Which is smaller, 1.5 · (−2) or 1.2 · (−2)?",
            {4: (2.4, 1.6)},
        ),
        "the sign of the loss": (
            "Your fourth number, or your last, is the quantity to make *large*. A loss is made small.",
            "Change the sign after taking the minimum.",
            {3: 2.4, 4: -3.0},
        ),
    },
)
