"""Sheet 11: one token through LayerNorm, by hand."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Number

X = np.array([2.0, 4.0, 5.0, 6.0, 8.0])
GAMMA, BETA = np.array([2.0, 1.0, 3.0, 1.0, 2.0]), np.array([0.0, 1.0, 1.0, 0.0, -1.0])


def _spread(x):
    return x.std()


def _norm(x=X, spread=_spread, gamma=GAMMA, beta=BETA, centre=None):
    return gamma * (x - (x.mean() if centre is None else centre)) / spread(x) + beta


standardised = Number(
    id="layers.standardised",
    answer_name="outputs",
    prompt="The five outputs of LayerNorm for one token, with γ and β.",
    value=_norm().tolist(),
    atol=0.01,
    why=(
        "LayerNorm subtracts the token's own mean and divides by its own standard deviation, and then γ and β set a new "
        "scale and offset."
    ),
    hints=(
        "Begin without γ and β. The mean of the five numbers is 5. How far is each of them from it?",
        "The squares of −3, −1, 0, 1 and 3 are 9, 1, 0, 1 and 9, and their mean is 20/5. Divide by the square root of that.",
        "That gives [−1.5, −0.5, 0, 0.5, 1.5]. Now multiply each number by its γ and add its β.",
    ),
    mistakes=(
        Mistake(
            "the unbiased variance",
            "You divided by the square root of 20/4, as when a standard deviation is estimated from a sample. LayerNorm treats these five "
            "numbers as all there is.",
            "Take the mean of 9, 1, 0, 1 and 9.",
            _norm(spread=lambda x: x.std(ddof=1)),
        ),
        Mistake(
            "divided by the variance",
            "You divided by 4, which is the variance, in squared units.",
            "Divide by √4.",
            _norm(spread=lambda x: x.var()),
        ),
        Mistake(
            "the sum of the squares",
            "You divided by the square root of 20, which is the *sum* of the squares.",
            "The variance is the mean of the squares.",
            _norm(spread=lambda x: np.sqrt(((x - x.mean()) ** 2).sum())),
        ),
        Mistake(
            "the average distance",
            "You divided by 1.6, the average of the distances 3, 1, 0, 1 and 3. That is a measure of spread, but not "
            "the standard deviation.",
            "What is the square root of the mean of 9, 1, 0, 1 and 9?",
            _norm(spread=lambda x: np.abs(x - x.mean()).mean()),
        ),
        Mistake(
            "not divided",
            "You subtracted the mean, but did not divide by the standard deviation.",
            "Divide −3, −1, 0, 1 and 3 by √4 before you multiply by γ.",
            _norm(spread=lambda x: 1),
            variants=(_norm(spread=lambda x: 1, gamma=1, beta=0), _norm(spread=lambda x: 1, beta=0)),
        ),
        Mistake(
            "the mean left in",
            "You never subtracted the mean. So a token of large numbers stays large.",
            "Begin with 2 − 5, 4 − 5, and so on.",
            _norm(centre=0),
        ),
        Mistake(
            "root mean square",
            "You never subtracted the mean; you divided by the root mean square. That is RMSNorm, which many newer models use in "
            "place of LayerNorm.",
            "Begin with 2 − 5, 4 − 5, and so on.",
            _norm(centre=0, spread=lambda x: np.sqrt((x**2).mean())),
        ),
        Mistake(
            "gamma first",
            "You multiplied by γ first, and then took the mean and variance of the result.",
            "Normalise [2, 4, 5, 6, 8] itself, then multiply by γ.",
            _norm(x=GAMMA * X, gamma=1),
        ),
        Mistake(
            "beta before gamma",
            "You added β first, so γ multiplied it too.",
            "Multiply by γ, and add β last.",
            GAMMA * (_norm(gamma=1, beta=0) + BETA),
        ),
        Mistake(
            "gamma and beta left out",
            "This is the normalised token, which is right so far. Two steps are missing.",
            "Multiply each number by its γ, then add its β.",
            _norm(gamma=1, beta=0),
        ),
        Mistake(
            "beta left out",
            "You normalised and multiplied by γ. So far, so good, but one step is missing.",
            "Now add β.",
            _norm(beta=0),
        ),
        Mistake(
            "gamma left out",
            "You normalised and added β, but left out γ.",
            "Multiply by γ before you add β.",
            _norm(gamma=1),
        ),
        Mistake(
            "gamma and beta swapped",
            "You swapped γ and β: you multiplied by β and added γ.",
            "γ, the gain, multiplies. β, the bias, is added.",
            _norm(gamma=BETA, beta=GAMMA),
        ),
    ),
)
