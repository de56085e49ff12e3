"""Sheet 27: pass@k, estimated from more samples than k."""

from math import comb

import numpy as np

from ..kinds import Implement
from ..toolkit import mistake


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
    reference=each(lambda c, n, k: 1 - comb(n - c, k) / comb(n, k)),
    draw=_draw,
    alternatives=(_product, each(lambda c, n, k: 1 - comb(n - k, c) / comb(n, c))),
    why="All sets of k of the n answers are equally probable, and a set fails only if all of its answers are among the wrong ones.",
    hints=(
        "Think of the opposite: when does a set of k answers hold no right one?",
        "There are comb(n, k) sets of k answers in all, and comb(n − c, k) of them hold only wrong ones.",
        "`from math import comb`; comb(3, 8) is 0, so nothing special has to be done where fewer than k answers are wrong.",
    ),
    mistakes=(
        mistake(
            "1 − (1 − p)^k",
            "You drew the k answers with replacement: 1 − (1 − c/n)^k may draw the same wrong answer twice. That is too low, "
            "most of all if k is close to n.",
            "k *different* answers out of n: how many such sets are there?",
            each(lambda c, n, k: 1 - (1 - c / n) ** k),
        ),
        mistake(
            "pass@1",
            "Your result is c/n for every k. That is the probability that *one* answer is right.",
            "What if you may try k times, and one right answer is enough?",
            each(lambda c, n, k: c / n),
        ),
        mistake(
            "k times p",
            "You multiplied c/n by k. That counts sets with several right answers several times.",
            "Take 1 minus the probability that all k are wrong.",
            each(lambda c, n, k: k * c / n),
            each(lambda c, n, k: min(1.0, k * c / n)),
        ),
        mistake(
            "all k right",
            "You computed how probable it is that *all* k answers are right. One is enough.",
            "Which sets of k answers fail? Only those without a single right one.",
            each(lambda c, n, k: comb(c, k) / comb(n, k)),
        ),
        mistake(
            "p to the power k",
            "You raised c/n to the power k: the probability that k independent answers are *all* right.",
            "One right answer is enough. Which sets of k answers fail?",
            each(lambda c, n, k: (c / n) ** k),
        ),
        mistake(
            "the probability of failing",
            "You computed the probability that all k answers are wrong.",
            "Subtract it from 1.",
            each(lambda c, n, k: comb(n - c, k) / comb(n, k)),
        ),
        mistake(
            "exactly one right",
            "You counted the sets with exactly one right answer. Sets with two or more pass as well.",
            "Count the sets without any right answer, and subtract.",
            each(lambda c, n, k: c * comb(n - c, k - 1) / comb(n, k)),
        ),
        mistake(
            "any answer at all",
            "Your result is 1 as soon as any of the n answers is right. That is pass@n.",
            "Only k of the n answers may be looked at.",
            each(lambda c, n, k: c > 0),
        ),
        mistake(
            "0 where few are wrong",
            "Where fewer than k answers are wrong, every set of k holds a right one. So the result is 1 there, not 0.",
            "What is comb(n − c, k) when n − c is smaller than k?",
            each(lambda c, n, k: 0.0 if n - c < k else 1 - comb(n - c, k) / comb(n, k)),
        ),
        mistake(
            "n to the power k",
            "You divided by n^k, as if the order mattered and answers could repeat.",
            "How many sets of k different answers are there?",
            each(lambda c, n, k: 1 - comb(n - c, k) / n**k),
        ),
        mistake(
            "one answer too few",
            "Your sets have k − 1 answers.",
            "Use k itself in both binomial coefficients.",
            each(lambda c, n, k: 1 - comb(n - c, k - 1) / comb(n, k - 1)),
        ),
    ),
)
