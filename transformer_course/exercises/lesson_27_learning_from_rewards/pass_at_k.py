"""Sheet 27: pass@k, estimated from more samples than k."""

from math import comb

import numpy as np

from ..families import adapted
from ..families.rewards import PASS_AT_K, passed
from ..kinds import Implement


def each(value):
    """Return a function of (correct, samples, k) that applies ``value(c, n, k)`` to each count."""
    return lambda correct, samples, k: np.array([float(value(int(c), int(samples), int(k))) for c in np.ravel(correct)])


def _draw(rng):
    def counts(size, samples, k):
        """Counts with few wrong, few right, and some between."""
        middle = rng.integers(2, samples - k + 1, size)
        return rng.permutation(np.concatenate([middle, [0, 1, samples - 1, samples]]))

    return [
        [np.array([1, 2]), 4, 2],
        [counts(3, 16, 8), 16, 8],
        [counts(4, 9, 3), 9, 3],
        [counts(2, 12, 5), 12, 5],
        [counts(3, 7, 2), 7, 2],
    ]


def _product(correct, samples, k):
    """Chen et al. 2021, listing 1: a product that avoids large numbers."""
    found = []
    for c in correct:
        if samples - c < k:
            found.append(1.0)
        else:
            found.append(1.0 - np.prod(1.0 - k / np.arange(samples - c + 1, samples + 1)))
    return np.array(found)


pass_at_k = Implement(
    id="rewards.pass_at_k",
    answer_name="pass_at_k",
    prompt="For each prompt, the probability that at least one of k answers is right.",
    reference=each(passed),
    draw=_draw,
    alternatives=(_product, each(lambda c, n, k: 1 - comb(n - k, c) / comb(n, c))),
    why="All sets of k of the n answers are equally probable, and a set fails only if all of its answers are among the wrong ones.",
    hints=(
        "Think of the opposite: when does a set of k answers hold no right one?",
        "There are comb(n, k) sets of k answers in all, and comb(n − c, k) of them hold only wrong ones.",
        "`from math import comb`; comb(3, 8) is 0, so nothing special has to be done where fewer than k answers are wrong.",
    ),
    mistakes=adapted(PASS_AT_K, each),
)
