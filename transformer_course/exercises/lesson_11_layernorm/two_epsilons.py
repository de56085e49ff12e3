"""Sheet 11: a token on which a second ε can be seen."""

import numpy as np

from ..kinds import Counterexample
from ..toolkit import known, normalised

EPS, LEAST, ROOM = 1e-5, 1e-3, 16


def _told_apart(x):
    """The published formula's numbers; where all lie near the right ones, the right ones."""
    right, given = normalised(x, EPS), (x - x.mean()) / (np.sqrt(x.var() + EPS) + EPS)
    return given if np.abs(given - right).max() > LEAST else right


def _invalid(x):
    if x.ndim != 1 or not 2 <= len(x) <= ROOM:
        return f"`x` should be one token: a row of 2 to {ROOM} numbers. It has shape {x.shape}."
    if np.abs(x).max() > 1000:
        return "Please keep all numbers between −1000 and 1000."
    return None


two_epsilons = Counterexample(
    id="layers.two_epsilons",
    answer_name="x",
    prompt="A token for which a second ε, added to the square root, changes the result by more than 0.001.",
    faulty=_told_apart,
    reference=lambda x: normalised(x, EPS),
    invalid=_invalid,
    why=(
        "The two formulas differ most where the standard deviation is about √ε: far above it, ε is negligible, and far "
        "below it, both results are close to 0."
    ),
    hints=(
        "The second ε is 0.00001, and is added to the root. For which roots does it matter most? How large is the numerator "
        "then?",
        "If the standard deviation is large, so is the root. If it is 0, the numerator is 0 as well. Look for something in "
        "between.",
        "ε and the variance are added inside the root. Make them about equally large, with a standard deviation of √0.00001.",
    ),
    mistakes={
        "too far apart": known(
            "The numbers of your token are so far apart that the root is large. Compared with it, 0.00001 hardly matters.",
            "Choose numbers that are closer together.",
            np.array([1.0, 2.0]),
            np.array([0.0, 0.02]),
            np.array([1.0, 7.0, 9.0, 15.0]),
            recognise=lambda x: x.std() > np.sqrt(EPS),
        ),
        "too near each other": known(
            "The root is as small as it can be, which is right so far. But your numbers are so close together, or even equal, "
            "that the numerator is small as well, and so is the difference.",
            "Move them apart, to a standard deviation of about √ε.",
            np.array([0.0, 1e-4]),
            np.array([0.0, 1e-5]),
            np.array([3.0, 3.0]),
            np.zeros(4),
            recognise=lambda x: True,
        ),
    },
)
