"""Sheet 27: a judge with a hole, and an answer that goes through it."""

import numpy as np

from ..kinds import Counterexample
from ..toolkit import known


def by_nines(a, b, answer):
    """Casting out nines: pays if both sides leave the same remainder when they are divided by 9."""
    return np.asarray((a + b - answer) % 9 == 0, float)


def by_the_sum(a, b, answer):
    return np.asarray(a + b == answer, float)


def _invalid(a, b, answer):
    for name, value in (("a", a), ("b", b), ("answer", answer)):
        if np.shape(value) != () or value != np.round(value):
            return f"`{name}` should be one integer, but is {np.asarray(value).ravel()[:3].tolist()}."
    if not (10 <= a <= 99 and 10 <= b <= 99):
        return f"Both numbers should have two digits; yours are {a:g} and {b:g}."
    if not 20 <= answer <= 198:
        return f"The answer should be from 20 to 198, as sums of two such numbers are; yours is {answer:g}."
    return None


nines = Counterexample(
    id="rewards.nines",
    prompt="A sum and a wrong answer for which a judge by remainders pays.",
    faulty=by_nines,
    reference=by_the_sum,
    invalid=_invalid,
    why=(
        "The judge sees only a remainder, and every ninth number has the same one, so a model that is paid by it may learn to be "
        "wrong by 9."
    ),
    hints=(
        "The judge looks at the remainder after division by 9. Which numbers have the same remainder as the right sum?",
        "Change the right sum by 9, or by a multiple of 9.",
    ),
    mistakes={
        "the right sum": known(
            "Your answer is right, so the judge is right to pay for it.",
            "Look for a *wrong* answer that has the same remainder.",
            (37, 85, 122),
            (10, 10, 20),
            recognise=lambda a, b, answer: a + b == answer,
        ),
        "the judge does not pay": known(
            "Your answer is wrong, and the judge sees it: the two sides leave different remainders.",
            "How far may an answer be from the sum without changing its remainder after division by 9?",
            (37, 85, 123),
            (37, 85, 22),
            recognise=lambda a, b, answer: (a + b - answer) % 9 != 0,
        ),
    },
)
