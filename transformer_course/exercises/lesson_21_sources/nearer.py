"""Sheet 21: scores of which one weight moves away from the even share when all are halved."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Construct
from ..toolkit import softmax

MOST, LARGEST, LEAST, NOTHING = 8, 20, 0.01, 1e-6


def away(scores):
    """By how much each weight is further from 1/n when all scores are halved."""
    even = 1 / len(scores)
    return np.abs(softmax(scores / 2) - even) - np.abs(softmax(scores) - even)


def _fit(scores):
    return 2 <= len(scores) <= MOST and np.abs(scores).max() <= LARGEST


def _violation(drawn, scores):
    if not _fit(scores):
        return f"`scores` should be 2 to {MOST} numbers between −{LARGEST} and {LARGEST}."
    if (most := away(scores).max()) < LEAST:
        farther = f"only by {most:.4f}, which is less than {LEAST}" if most > NOTHING else "by nothing at all"
        return f"With these scores, the weight that moves away from 1/{len(scores)} most does so {farther}."
    return None


def _standing_out(scores):
    """Whether all scores but one, the largest or the smallest, are alike."""
    ordered = np.sort(scores)
    return np.ptp(ordered[1:]) < 1e-9 or np.ptp(ordered[:-1]) < 1e-9


nearer = Construct(
    id="reading.nearer",
    answer_name="scores",
    prompt="Scores of which one weight moves away from 1/n when all are halved.",
    shapes={"scores": ("n",)},
    draw=lambda rng: [None],
    violation=_violation,
    why="A weight that equals 1/n can only move away from it, even while the whole row becomes more even.",
    hints=(
        "The largest weight always comes nearer to 1/n, and so does the smallest. Which are left?",
        "A weight that is 1/n already can only move away. Could one in the middle be just that?",
        "With three scores, one of them 0, the others need exponentials that sum to 2: one above 0, the other below, and best far below.",
    ),
    mistakes=(
        Mistake(
            "two scores",
            "With two scores the claim is true: one weight lies above 1/2, the other as far below, and both come nearer. So this case cannot "
            "fail.",
            "Take a third score.",
            [3.0, 0.0],
            variants=([1.0, 1.0], [-5.0, 12.0]),
            recognise=lambda scores: _fit(scores) and len(scores) == 2,
        ),
        Mistake(
            "all alike",
            "All scores are alike, so all weights are 1/n, before and after. Here claim and opposite foretell the same.",
            "Take scores that differ.",
            [1.0, 1.0, 1.0],
            variants=([0.0] * 5,),
            recognise=lambda scores: _fit(scores) and np.ptp(scores) < 1e-9,
        ),
        Mistake(
            "one stands out",
            "One score stands out, and all others are alike. Then there are just two weights, one above 1/n and one below, and both come "
            "nearer.",
            "You need a weight between the largest and the smallest.",
            [4.0, 0.0, 0.0],
            variants=([2.0, 2.0, -3.0], [5.0, 1.0, 1.0, 1.0]),
            recognise=lambda scores: _fit(scores) and _standing_out(scores),
        ),
        Mistake(
            "too little",
            "One weight does move away, but by less than 0.01.",
            "Keep its weight where it is, and draw the other scores further apart.",
            [0.3, 0.0, -0.45],
            variants=([0.0, -0.7, 0.4],),
            recognise=lambda scores: _fit(scores) and NOTHING < away(scores).max() < LEAST,
        ),
        Mistake(
            "the middle on the wrong side",
            "Each weight comes nearer. There are some between the largest and the smallest, but none of them lies near enough to 1/n to be "
            "carried past it, or away from it.",
            "Print your weights. Move the middle score until its weight is about 1/n.",
            [2.0, 1.0, 0.0],
            variants=([10.0, 5.0, 0.0], [4.0, 0.0, 0.0, -1.0], [3.0, 2.9, -2.0]),
            recognise=_fit,
        ),
    ),
)
