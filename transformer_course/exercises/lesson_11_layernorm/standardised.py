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
        "First without γ and β: the mean of the five numbers is 5. How far does each stray from it?",
        "The squares of −3, −1, 0, 1 and 3 are 9, 1, 0, 1, 9: 20 in all, over five numbers. Divide by the root of that average.",
        "You have [−1.5, −0.5, 0, 0.5, 1.5]. Now each times its γ, plus its β.",
    ),
    mistakes=(
        Mistake(
            "the unbiased variance",
            "You divided by the root of 20/4. That is how one estimates a spread from a sample; LayerNorm takes these five numbers as all "
            "there are, and divides by 5.",
            "The average of 9, 1, 0, 1 and 9.",
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
            "You divided by the root of 20, the *sum* of the squares. The variance is their average.",
            "20 over five numbers.",
            _norm(spread=lambda x: np.sqrt(((x - x.mean()) ** 2).sum())),
        ),
        Mistake(
            "the average distance",
            "You divided by 1.6, the average of the distances 3, 1, 0, 1 and 3. That is a measure of spread, but not "
            "the standard deviation.",
            "9, 1, 0, 1 and 9: what is the root of their average?",
            _norm(spread=lambda x: np.abs(x - x.mean()).mean()),
        ),
        Mistake(
            "the mean left in",
            "You never subtracted the mean. Then a token of large numbers stays large.",
            "First 2 − 5, 4 − 5, and so on.",
            _norm(centre=0),
        ),
        Mistake(
            "gamma first",
            "You multiplied by γ before mean and variance were taken. γ comes after: it gives back what standardising has taken.",
            "Standardise [2, 4, 5, 6, 8] itself, then multiply.",
            _norm(x=GAMMA * X, gamma=1),
        ),
        Mistake(
            "beta before gamma",
            "You added β first, and so γ has multiplied it too.",
            "Times γ, and β last.",
            GAMMA * (_norm(gamma=1, beta=0) + BETA),
        ),
        Mistake(
            "gamma and beta left out",
            "This is the normalised token, which is right so far. Two steps are missing.",
            "Each number times its γ, plus its β.",
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
            "gamma and beta exchanged",
            "You swapped γ and β: you multiplied by β and added γ.",
            "γ is called gain, β bias.",
            _norm(gamma=BETA, beta=GAMMA),
        ),
    ),
)
