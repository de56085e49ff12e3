"""Sheet 11: three other tokens that turn around what BatchNorm makes of ours."""

import numpy as np

from ..kinds import Construct
from ..toolkit import known

OURS, EPS = np.array([1.0, 2.0, 3.0]), 1e-5


def among(company):
    """Our token after BatchNorm, in a batch with these other tokens."""
    batch = np.vstack([OURS, company])
    return (OURS - batch.mean(0)) / np.sqrt(batch.var(0) + EPS)


def _violation(drawn, company):
    first, second, third = among(company)
    wrong = (
        ("first", first, first <= 1, "above 1"),
        ("second", second, abs(second) >= 0.1, "within 0.1 of 0"),
        ("third", third, third >= -1, "below −1"),
    )
    for place, number, missed, wanted in wrong:
        if missed:
            return (
                f"With these three tokens, the {place} number of our token comes out as {number:.2f}; it should be {wanted}."
            )
    return None


def _is(condition):
    return lambda company: condition(*among(company))


company = Construct(
    id="layers.company",
    answer_name="company",
    prompt="Three other tokens with which BatchNorm turns our token around.",
    shapes={"company": (3, 3)},
    draw=lambda rng: [OURS],
    violation=_violation,
    largest=1000,
    why="BatchNorm compares each number with the others in its column, so the rest of the batch decides its sign.",
    hints=(
        "BatchNorm treats each dimension separately, as a column of four numbers: ours and three others. Begin with the first "
        "column.",
        "In the first column, ours is 1. The result is positive if 1 is larger than the column's mean. What follows for the "
        "other three?",
        "If the other three are equal and below 1, the result is 1.73, the most that is possible with four tokens. In the "
        "second column, the mean of the others should be 2. In the third, all of them should be above 3.",
    ),
    mistakes={
        "their mean is ours": known(
            "In each column, the mean of the others is our own number. So ours does not deviate from the mean, and BatchNorm "
            "turns it into 0.",
            "Which numbers in the first column would make our 1 look large?",
            np.array([[0.0, 1.0, 5.0], [2.0, 4.0, 2.0], [1.0, 1.0, 2.0]]),
            np.tile(OURS, (3, 1)),
            recognise=_is(lambda *z: np.abs(z).max() < 1e-6),
        ),
        "not turned": known(
            "The first number of our token comes out low and the third high, as in LayerNorm. The exercise asks for the "
            "opposite.",
            "In the first column, ours should be the largest number. In the third, it should be the smallest.",
            np.array([[3.0, 2.0, 1.0]] * 3),
            np.array([[10.0, 2.0, -10.0]] * 3),
            recognise=_is(lambda first, second, third: first < 0 < third),
        ),
        "one far token": known(
            "Both outer numbers are on the right side of 0, but not far enough from it. A single token far away moves the "
            "mean, but it increases the standard deviation even more.",
            "Let all three others be on the same side of ours.",
            np.array([[-100.0, 2.0, 100.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]),
            np.array([[0.0, 2.0, 4.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]),
            recognise=_is(lambda first, second, third: first > 0 > third and (first <= 1 or third >= -1)),
        ),
        "the middle moved": known(
            "The two outer numbers have changed sign. But the second, which should stay near 0, moved as well.",
            "In the second column, choose three numbers whose mean is 2.",
            np.array([[0.0, 0.0, 4.0]] * 3),
            np.array([[0.0, 5.0, 4.0]] * 3),
            recognise=_is(lambda first, second, third: first > 1 and third < -1),
        ),
        "one side only": known(
            "One of the two outer numbers has changed sign, but not the other.",
            "Look at the first and the third column separately.",
            np.array([[0.0, 2.0, 0.0]] * 3),
            np.array([[5.0, 2.0, 5.0]] * 3),
            recognise=_is(lambda first, second, third: first > 0 or third < 0),
        ),
    },
)
