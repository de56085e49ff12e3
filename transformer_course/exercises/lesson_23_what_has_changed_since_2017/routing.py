"""Sheet 23: the weights of the experts for each token."""

import numpy as np

from ..kinds import Implement, Property
from ..toolkit import softmax


def _weights(scores, k, choose=None, weigh=None):
    scores = np.asarray(scores, float)
    chosen = _highest(scores, k) if choose is None else choose(scores, k)
    return (_among_the_chosen if weigh is None else weigh)(scores, chosen)


def _highest(scores, k, in_order=lambda scores, k: np.argsort(-scores, axis=1)):
    chosen = np.zeros(scores.shape, bool)
    np.put_along_axis(chosen, in_order(scores, k)[:, :k], True, 1)
    return chosen


def _among_the_chosen(scores, chosen):
    return softmax(np.where(chosen, scores, -np.inf))


def _renormalised(scores, k):
    weights = np.where(_highest(scores, k), softmax(np.asarray(scores, float)), 0)
    return weights / weights.sum(axis=1, keepdims=True)


def _in_a_loop(scores, k):
    result = np.zeros(scores.shape)
    for row, values in zip(result, scores, strict=True):
        best = sorted(range(len(values)), key=lambda j: values[j])[-k:]
        row[best] = np.exp(values[best] - max(values))
        row /= row.sum()
    return result


def _by_threshold(scores, k):
    return _among_the_chosen(scores, scores >= np.sort(scores, axis=1)[:, [-k]])


def _sorted(scores, k):
    best = -np.sort(-scores, axis=1)[:, :k]
    return np.concatenate([softmax(best), np.zeros((len(scores), scores.shape[1] - k))], axis=1)


def _without_the_largest_first(scores, k):
    with np.errstate(all="ignore"):
        parts = np.where(_highest(scores, k), np.exp(scores), 0)
        return parts / parts.sum(axis=1, keepdims=True)


def _over_the_batch(scores, chosen):
    weights = np.where(chosen, softmax(scores), 0)
    return weights / weights.sum()


def _per_expert(scores, k):
    return _highest(scores.T, min(k, len(scores))).T


def _softmax_per_expert(scores, chosen):
    masked = np.where(chosen, scores, -1e9)
    return np.where(chosen, softmax(masked.T).T, 0)


def _proportional(scores, chosen):
    kept = np.where(chosen, scores, 0)
    with np.errstate(all="ignore"):
        return kept / kept.sum(axis=1, keepdims=True)


def _masked_with(low):
    return lambda scores, k: _weights(scores, k, weigh=lambda s, chosen: softmax(np.where(chosen, s, low)))


def _draw(rng):
    def scores(t, e, scale=8):
        """Scores of both signs, all different, in eighths; some of the lowest are the largest in magnitude."""
        steps = rng.integers(1, 5, (t, e)).cumsum(1)
        return rng.permuted(steps - steps[:, [-1]] * 0.6875, axis=1) / scale

    large = scores(3, 5)
    large += [[-1100.0], [1000.0], [0.0]]
    return [
        [np.array([[1.0, 3.0, 2.0, -1.0], [0.5, -2.0, 0.25, 1.5]]), 2],
        [scores(5, 4), 1],
        [scores(3, 6), 3],
        [scores(4, 5, 2), 2],
        [large, 2],
        [scores(1, 3), 3],
        [scores(2, 300), 3],  # more than np.argpartition sorts completely on any machine
    ]


def _sum_to_one(result, scores, k):
    return np.allclose(result.sum(1), 1, atol=1e-4)


def _as_many_as_asked(result, scores, k):
    return ((np.asarray(result) > 0).sum(1) <= k).all()


routing = Implement(
    id="today.routing",
    answer_name="mixing_weights",
    prompt="The weight of each expert for each token: a softmax over the k highest scores, and 0 elsewhere.",
    reference=_weights,
    draw=_draw,
    alternatives=(_renormalised, _in_a_loop, _by_threshold),
    properties=(
        Property("The weights of each token should sum to 1.", _sum_to_one),
        Property("No token should have more than k weights above 0.", _as_many_as_asked),
    ),
    why="Only the experts with a weight have to be computed, and the weights sum to 1 whichever experts were chosen.",
    hints=(
        "Which scores of a row are the k highest? `np.sort(scores, axis=1)[:, [-k]]` is the lowest of them, for each row.",
        "Put -np.inf in place of all lower scores, as a mask does in attention.",
        "Then take a softmax of each row. Subtract the row's maximum first: scores can be above 1,000.",
    ),
    mistakes={
        "not renormalised": (
            "Your weights are the softmax over *all* experts, with the others set to 0. So they no longer sum to 1, and the "
            "network's output shrinks whenever the router is unsure.",
            "Divide the weights that remain by their sum.",
            lambda s, k: _weights(s, k, weigh=lambda s, chosen: np.where(chosen, softmax(s), 0)),
        ),
        "all experts used": (
            "Every expert has a weight above 0, so all of them would have to be computed. Nothing is saved.",
            "Use `k`: all but the k highest scores of a row should have weight 0.",
            lambda s, k: softmax(np.asarray(s, float)),
        ),
        "the lowest scores": (
            "You chose the experts with the lowest scores.",
            "Sorting goes from low to high. At which end are the highest?",
            lambda s, k: _weights(s, k, choose=lambda s, k: _highest(-s, k)),
        ),
        "masked with zero": (
            "You set the other scores to 0 before the softmax. But exp(0) is 1, so these experts still have a weight, and often a "
            "large one.",
            "Which score has a weight of exactly 0 after the softmax?",
            _masked_with(0),
        ),
        "masked with a low number": (
            "You set the other scores to a number that is not low enough: all scores of a token may be below it.",
            "Which score is below every number?",
            _masked_with(-1e3),
        ),
        "k tokens for each expert": (
            "You chose k tokens for each expert. Here each *token* chooses k experts.",
            "Along which axis should you sort, if a row is a token?",
            lambda s, k: _weights(s, k, choose=_per_expert, weigh=lambda s, c: np.where(c, softmax(np.where(c, s, -1e9)), 0)),
        ),
        "a softmax over the tokens": (
            "You chose the right experts, but your softmax goes along the tokens. So what one token gets depends on the others.",
            "The weights of one row should sum to 1.",
            lambda s, k: _weights(s, k, weigh=_softmax_per_expert),
            lambda s, k: _weights(s, k, weigh=lambda s, chosen: softmax(np.where(chosen, s, -np.inf).T).T),
        ),
        "one sum for the batch": (
            "You divided by the sum over all tokens. Then all weights of the batch together sum to 1.",
            "Sum along the last axis, with keepdims=True.",
            lambda s, k: _weights(s, k, weigh=_over_the_batch),
        ),
        "equal weights": (
            "Your chosen experts all have the same weight. Then the router learns nothing, because a small change of its scores "
            "changes nothing.",
            "Take a softmax of the chosen scores.",
            lambda s, k: _weights(s, k, weigh=lambda s, chosen: chosen / chosen.sum(axis=1, keepdims=True)),
        ),
        "scores divided by their sum": (
            "You divided the chosen scores by their sum. Scores can be negative, and so would some weights be.",
            "What turns scores of any sign into positive weights?",
            lambda s, k: _weights(s, k, weigh=_proportional),
        ),
        "chosen by magnitude": (
            "You chose by the size of a score without its sign. An expert with a score of −5 is one that the router does *not* want.",
            "Compare the scores themselves.",
            lambda s, k: _weights(s, k, choose=lambda s, k: _highest(np.abs(s), k)),
        ),
        "the partition at the wrong end": (
            "Where there are many experts, you do not choose the highest. `np.argpartition(scores, k)` only puts the k *lowest* in "
            "front; the rest stays in any order, so its last k can be any of them.",
            "Give `argpartition` the place -k. Then the k highest are the last k.",
            lambda s, k: _weights(s, k, lambda s, k: _highest(s, k, lambda s, k: np.argpartition(s, k % s.shape[1])[:, ::-1])),
        ),
        "one expert too few": (
            "Where it matters, your rows have only k − 1 weights: the expert with the k-th highest score is missing.",
            "Should the score that is your threshold be kept?",
            *(lambda s, k, least=least: _weights(s, k, lambda s, k: _highest(s, max(least, k - 1))) for least in (1, 0)),
        ),
        "one expert too many": (
            "Your rows have k + 1 weights.",
            "The index -k counts from the end, beginning with 1.",
            lambda s, k: _weights(s, k, choose=lambda s, k: _highest(s, min(k + 1, s.shape[1]))),
        ),
        "in sorted order": (
            "Your weights stand in the order of the scores, the highest first. So nobody knows which expert each belongs to.",
            "Column j should hold the weight of expert j.",
            _sorted,
        ),
        "overflow": (
            "Where scores are large, your weights are NaN: exp(1000) is too large for a float, and exp(−1000) is 0.",
            "Subtract the largest score of each row before `exp`.",
            _without_the_largest_first,
            lambda s, k: np.where(_highest(s, k), _without_the_largest_first(s, k), 0),
            lambda s, k: _weights(
                s, k, weigh=lambda s, chosen: np.exp(s) * chosen / (np.exp(s) * chosen).sum(1, keepdims=True)
            ),
        ),
    },
)
