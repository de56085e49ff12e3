"""Sheet 03: weights by which kind 1 attends to kind 2, kind 2 to kind 3, and kind 3 to kind 1."""

import math

import numpy as np

from ..exercise import Mistake
from ..kinds import Construct
from ..toolkit import softmax

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
        f"In the sequence of kinds {sequence}, a token of kind {kind + 1} puts {share:g} of its weight on those of kind "
        f"{TARGET[kind] + 1}. At least {SHARE} was asked."
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


def _symmetric(w_q, w_k):
    scores = w_q @ w_k.T
    return np.allclose(scores, scores.T, atol=1e-9 * np.abs(scores).max())


EYE, NEXT = np.eye(3), np.eye(3)[TARGET]  # a row of NEXT is the one-hot vector of that kind's target
CIRCLE = np.array([[1.0, 0.0], [-0.5, 0.75**0.5], [-0.5, -(0.75**0.5)]])  # three directions, 120 degrees apart

one_way = Construct(
    id="attention.one_way",
    answer_name="one_way",
    prompt="Weights w_q and w_k by which three kinds of tokens attend to each other in a circle.",
    shapes={"w_q": (3, "d_k"), "w_k": (3, "d_k")},
    draw=_draw,
    violation=_violation,
    why=(
        "The scores are x W_Q (x W_K)ᵀ, and since W_Q and W_K differ, one kind can attend to another without being "
        "attended to in return."
    ),
    hints=(
        "A token is one-hot, so its query is a row of w_q: row 1 for kind 1. In the same way the rows of w_k are the keys of the "
        "three kinds. Choose three keys first, as different from each other as can be.",
        "With the identity for w_k, the keys are [1, 0, 0], [0, 1, 0] and [0, 0, 1]. Which query has a high score with the key of "
        "kind 2, and with no other? That is row 1 of w_q.",
        "Now the strength. One target may stand against eleven others. It gets 99 / (99 + 11) = 0.9 if its exponential is 99 "
        "times each of theirs. Now exp(4.6) = 99.5, so after the division by √d_k its score must lie 4.6 above theirs.",
        "With d_k = 3 and the identity for w_k, the entries of w_q must be at least 4.6 · √3, that is about 8.",
    ),
    mistakes=(
        Mistake(
            "all scores alike",
            "With these weights every token scores the same with all kinds, and shares its attention out equally over the whole "
            "sequence. Queries or keys must differ in something that the others have.",
            "Work out the query of kind 1 (row 1 of w_q) and the three keys. Do their dot products differ?",
            (np.zeros((3, 2)), np.zeros((3, 2))),
            variants=((np.ones((3, 4)), np.ones((3, 4))), (8 * NEXT, np.ones((3, 3)))),
            recognise=lambda w_q, w_k: np.ptp(w_q @ w_k.T, axis=1).max() <= 1e-9 * max(np.abs(w_q @ w_k.T).max(), 1e-9),
        ),
        Mistake(
            "width 1",
            "With d_k = 1 every score is a product of two plain numbers. All positive queries then prefer the same key, the "
            "largest, and all negative ones the smallest: that makes two targets at most, and the circle has three.",
            "Give queries and keys at least two numbers each.",
            (np.array([[10.0], [20.0], [-10.0]]), np.array([[-1.0], [2.0], [1.0]])),
            recognise=lambda w_q, w_k: w_q.shape[1] == 1,
        ),
        Mistake(
            "each attends to its own kind",
            "The query of each kind fits the key of that same kind best, so every token attends to its own kind. It is so with the "
            "identity for both matrices, and often where the two are alike.",
            "The query of kind 1 should fit the key of kind 2. Which row of w_q, and which of w_k, is that?",
            (EYE, EYE),
            variants=((10 * EYE, 10 * EYE), (10 * NEXT, NEXT), (9 * CIRCLE, CIRCLE)),
            recognise=_prefers([0, 1, 2]),
        ),
        Mistake(
            "the circle the wrong way round",
            "A clear circle, and it runs the other way: kind 1 attends to kind 3, 3 to 2, and 2 to 1. So it comes out when w_q and "
            "w_k have changed places, or when one of them holds in its columns what belongs in its rows.",
            "Row 1 of w_q is the query of kind 1. With which row of w_k has it the largest dot product?",
            (EYE, 10 * NEXT),
            variants=((10 * NEXT.T, EYE), (10 * NEXT, NEXT.T), (10 * CIRCLE, CIRCLE[TARGET]), (0.1 * EYE, NEXT)),
            recognise=_prefers([2, 0, 1]),
        ),
        Mistake(
            "symmetric scores",
            "Your scores are symmetric: kind 1 scores with kind 2 just what kind 2 scores with kind 1. That is always so when w_q "
            "and w_k are equal. A circle needs them to differ, since 1 shall look for 2 while 2 does not look for 1.",
            "Which of the two directions, 1 to 2 or 2 to 1, is to have the large score? Let w_q and w_k say so.",
            (np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 1.0]]), np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 1.0]])),
            variants=(
                (9 * np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 1]]), EYE),
                (np.array([[0.0, 9], [9, 9], [9, 0]]),) * 2,
                (10 * (1 - EYE), EYE),
            ),
            recognise=_symmetric,
        ),
        Mistake(
            "the target scores lowest",
            "The target of each kind is the one that scores lowest. Softmax gives the most to the highest score.",
            "Look at the signs.",
            (-10 * NEXT, EYE),
            variants=((-10 * CIRCLE[TARGET], CIRCLE),),
            recognise=_prefers(TARGET, sign=-1),
        ),
        Mistake(
            "strong enough without the scale only",
            "The right circle, and it would be strong enough if the scores were not divided by √d_k. They are, and what is left "
            "between the target's score and the others is too little when one target stands against eleven others.",
            "By how much does the division shrink your scores? Make up for it.",
            (5 * NEXT, EYE),
            variants=((6 * NEXT, EYE), (4 * CIRCLE[TARGET], CIRCLE)),
            recognise=lambda w_q, w_k: _prefers(TARGET)(w_q, w_k) and _enough_unscaled(w_q, w_k),
        ),
        Mistake(
            "too weak",
            "The right circle, and too weak: each kind prefers its target, but one target may stand against eleven others, and "
            "together these take more than a tenth of the weight.",
            "By what factor must the exponential of one target's score outdo that of each of eleven others? How many points of "
            "score is that, after the division by √d_k?",
            (NEXT, EYE),
            variants=((4 * NEXT, EYE), (CIRCLE[TARGET], CIRCLE), (2 * NEXT, 2 * EYE), (0.1 * EYE, NEXT.T)),
            recognise=_prefers(TARGET),
        ),
    ),
)
