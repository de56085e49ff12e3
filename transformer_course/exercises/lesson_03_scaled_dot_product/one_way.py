"""Sheet 03: weights by which kind 1 attends to kind 2, kind 2 to kind 3, and kind 3 to kind 1."""

import math

import numpy as np

from ..kinds import Construct
from ..toolkit import known, softmax

TARGET = np.array([1, 2, 0])  # the kind that each kind shall attend to, counted from 0
SHARE, FEWEST, MOST = 0.9, 3, 12


def _shares(kinds, scores):
    """What a token of each kind gives, in all, to the tokens of its target: three numbers for a sequence of kinds."""
    weights = softmax(scores[:, kinds])
    return np.array([weights[kind, kinds == TARGET[kind]].sum() for kind in range(3)])


def _scaled(w_q, w_k):
    return w_q @ w_k.T / np.sqrt(w_q.shape[1])


def _hardest(rng):
    """Twelve tokens, ten of one kind and one of each other. The exponentials of a target's rivals add up, so it is worst off
    alone against ten of its worse rival and one of the other: no sequence asks for more than one of these three."""
    return [rng.permutation([kind] * (MOST - 2) + [other for other in range(3) if other != kind]) for kind in range(3)]


def _draw(rng):
    lengths = rng.integers(FEWEST, MOST + 1, 6)
    drawn = [rng.permutation([0, 1, 2, *rng.integers(0, 3, length - 3)]) for length in lengths]
    return [np.arange(3), *drawn, *_hardest(rng)]


def _violation(kinds, w_q, w_k):
    shares = _shares(kinds, _scaled(w_q, w_k))
    kind = int(shares.argmin())
    if shares[kind] >= SHARE:
        return None
    sequence, share = " ".join(str(one + 1) for one in kinds), math.floor(1000 * shares[kind]) / 1000  # never up to 0.9
    return (
        f"In the sequence of kinds {sequence}, a token of kind {kind + 1} puts {share:g} of its weight on tokens of kind "
        f"{TARGET[kind] + 1}. It should put at least {SHARE} there."
    )


def _prefers(wanted, sign=1):
    """Whether each kind's highest score (lowest, with sign −1) is that of the wanted kind, and of no other."""

    def prefers(w_q, w_k):
        scores = sign * _scaled(w_q, w_k)
        ranked, margin = np.sort(scores, axis=1), 1e-9 * max(np.abs(scores).max(), 1e-9)
        return bool((scores.argmax(1) == wanted).all() and (ranked[:, 2] - ranked[:, 1] > margin).all())

    return prefers


def _enough_unscaled(w_q, w_k):
    scores = w_q @ w_k.T
    return all(_shares(kinds, scores).min() >= SHARE for kinds in _hardest(np.random.default_rng(0)))


EYE, NEXT = np.eye(3), np.eye(3)[TARGET]  # a row of NEXT is the one-hot vector of that kind's target
CIRCLE = np.array([[1.0, 0.0], [-0.5, 0.75**0.5], [-0.5, -(0.75**0.5)]])  # three directions, 120 degrees apart

one_way = Construct(
    id="attention.one_way",
    answer_name="one_way",
    prompt="Matrices w_q and w_k that make three kinds of tokens attend to each other in a circle.",
    shapes={"w_q": (3, "d_k"), "w_k": (3, "d_k")},
    draw=_draw,
    violation=_violation,
    why=(
        "The scores, x W_Q (x W_K)ᵀ, need not be symmetric if W_Q and W_K differ, so one kind can attend to another "
        "that does not attend back."
    ),
    hints=(
        "A token is one-hot, so its query is a row of w_q: row 1 for kind 1. In the same way, the rows of w_k are "
        "the keys of the three kinds. Choose three keys first, as different from each other as possible.",
        "With the identity for w_k, the keys are [1, 0, 0], [0, 1, 0] and [0, 0, 1]. Which query has a high score "
        "with the key of kind 2, but not with the others? That is row 1 of w_q.",
        "Now make it strong enough. One target may have to win against eleven other tokens. It gets 99 / (99 + 11) = "
        "0.9 if its exponential is 99 times each of theirs. And exp(4.6) = 99.5, so after the division by √d_k its "
        "score must be 4.6 points higher.",
        "With d_k = 3 and the identity for w_k, the entries of w_q must be at least 4.6 · √3, which is about 8.",
    ),
    mistakes={
        "all scores equal": known(
            "With your matrices, every token scores the same with all kinds, so it distributes its weight evenly "
            "over the whole sequence. The queries or the keys must differ.",
            "Compute the query of kind 1 (row 1 of w_q) and the three keys. Do their dot products differ?",
            (np.zeros((3, 2)), np.zeros((3, 2))),
            (np.ones((3, 4)), np.ones((3, 4))),
            (8 * NEXT, np.ones((3, 3))),
            recognise=lambda w_q, w_k: np.ptp(w_q @ w_k.T, axis=1).max() <= 1e-9 * max(np.abs(w_q @ w_k.T).max(), 1e-9),
        ),
        "width 1": known(
            "You chose d_k = 1, so every score is a product of two numbers. Then all positive queries prefer the largest key, "
            "and all negative ones the smallest. That gives at most two targets, but the circle has three.",
            "Give queries and keys at least two numbers each.",
            (np.array([[10.0], [20.0], [-10.0]]), np.array([[-1.0], [2.0], [1.0]])),
            recognise=lambda w_q, w_k: w_q.shape[1] == 1,
        ),
        "each attends to its own kind": known(
            "The query of each kind fits the key of that same kind best, so every token attends to its own kind. "
            "That happens with the identity for both matrices, and often when the two are similar.",
            "The query of kind 1 should fit the key of kind 2. Which row of w_q is this query, and which row of w_k is "
            "this key?",
            (EYE, EYE),
            (10 * EYE, 10 * EYE),
            (10 * NEXT, NEXT),
            (9 * CIRCLE, CIRCLE),
            recognise=_prefers([0, 1, 2]),
        ),
        "the circle the wrong way round": known(
            "You made a clear circle, but in the other direction: kind 1 attends to kind 3, kind 3 to kind 2, and "
            "kind 2 to kind 1. This happens if you swap w_q and w_k, or if you transpose one of them.",
            "Row 1 of w_q is the query of kind 1. Which row of w_k has the largest dot product with it?",
            (EYE, 10 * NEXT),
            (10 * NEXT.T, EYE),
            (10 * NEXT, NEXT.T),
            (10 * CIRCLE, CIRCLE[TARGET]),
            (0.1 * EYE, NEXT),
            recognise=_prefers([2, 0, 1]),
        ),
        "symmetric scores": known(
            "Your scores are symmetric: kind 1 scores with kind 2 exactly what kind 2 scores with kind 1. That is "
            "always so when w_q and w_k are equal, or opposite. But in a circle kind 1 should look for kind 2, while kind 2 "
            "should not look for kind 1.",
            "Which direction should have the large score, 1 to 2 or 2 to 1? Choose w_q and w_k accordingly.",
            (np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 1.0]]), np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 1.0]])),
            (9 * np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 1]]), EYE),
            (np.array([[0.0, 9], [9, 9], [9, 0]]),) * 2,
            (10 * (1 - EYE), EYE),
            recognise=lambda w_q, w_k: np.allclose(w_q @ w_k.T, w_k @ w_q.T, atol=1e-9 * np.abs(w_q @ w_k.T).max()),
        ),
        "the target scores lowest": known(
            "Each kind gives its target the lowest score. Softmax gives the most weight to the highest score.",
            "Check the signs.",
            (-10 * NEXT, EYE),
            (-10 * CIRCLE[TARGET], CIRCLE),
            recognise=_prefers(TARGET, sign=-1),
        ),
        "strong enough without the scale only": known(
            "You made the right circle, and it would be strong enough if the scores were not divided by √d_k. After "
            "the division, the target's score is not far enough above the others to win against eleven other tokens.",
            "By what factor does the division shrink your scores? Make up for it.",
            (5 * NEXT, EYE),
            (6 * NEXT, EYE),
            (4 * CIRCLE[TARGET], CIRCLE),
            recognise=lambda w_q, w_k: _prefers(TARGET)(w_q, w_k) and _enough_unscaled(w_q, w_k),
        ),
        "too weak": known(
            "You made the right circle, but it is too weak. Each kind prefers its target, but if one target is among "
            "eleven other tokens, these together take more than a tenth of the weight.",
            "How many times as large as each of the other eleven exponentials must the target's exponential be? How "
            "much higher must its score be for that, after the division by √d_k?",
            (NEXT, EYE),
            (4 * NEXT, EYE),
            (CIRCLE[TARGET], CIRCLE),
            (2 * NEXT, 2 * EYE),
            (0.1 * EYE, NEXT.T),
            recognise=_prefers(TARGET),
        ),
    },
)
