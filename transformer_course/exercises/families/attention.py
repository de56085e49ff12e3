"""Attention with holes for its steps, and what goes wrong between them: what is multiplied, transposed, averaged, returned.

``score(q, k)`` gives the scores (scale.py), ``hide(scores, mask)`` hides some of them, ``weigh(scores)`` turns them into
weights (softmax.py), ``weigh_masked(scores, mask)`` does both (mask.py), and ``mix(weights, v)`` gives the output. Queries,
keys and values have any number of leading axes. A mask, True = may attend, broadcasts to the scores. In BETWEEN,
a piece is ``change(attend)``: a wrong attention made from a right one, which has the same holes as ``attention``.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from ..toolkit import softmax

ACROSS = (
    "Your result is right for a single sequence. In a batch, tokens also attend to those of the other sequences: a reshape "
    "has put them all in one row.",
    "Keep the batch axis. `@` and softmax then work for each sequence by itself.",
)


def products(q, k):
    return q @ k.swapaxes(-2, -1)


def root(q, k):
    return np.sqrt(q.shape[-1])


def scores_of(q, k):
    return products(q, k) / root(q, k)


def hide(scores, mask):
    return np.where(mask, scores, -np.inf)


def causal(scores):
    """The causal mask of these scores."""
    return np.tri(*scores.shape[-2:], dtype=bool)


def masking(hide: Callable = hide, weigh: Callable = softmax) -> Callable:
    """``weigh_masked``: the weights of scores of which a mask hides some; without a mask, of the scores as they are."""
    return lambda scores, mask: weigh(scores if mask is None else hide(scores, mask))


def mix(weights, v):
    return weights @ v


def attention(q, k, v, mask=None, *, score=scores_of, hide=hide, weigh=softmax, weigh_masked=None, mix=mix):
    return mix((weigh_masked or masking(hide, weigh))(score(q, k), mask), v)


def turned(q, k):
    """The products as for two axes: .T turns all axes round, so more than two do not fit together."""
    return q @ k.T


def _unweighed(**holes):
    return lambda attend: partial(attend, weigh=lambda scores: scores, **holes)


def _mixed(mix):
    return lambda attend: partial(attend, mix=mix)


def _given(change):
    """Attention to queries, keys and values of which some are others."""
    return lambda attend: lambda q, k, v, *mask: attend(*change(q, k, v), *mask)


BETWEEN = {
    "no softmax": (
        "You multiplied the values by the scores. Without a softmax, these are not weights: they can be negative, and a row "
        "does not sum to 1.",
        "Which step comes between the scores and the output?",
        _unweighed(),
        _unweighed(hide=lambda scores, mask: np.where(mask, scores, 0)),
        _unweighed(hide=lambda scores, mask: scores),
        _unweighed(score=products),
    ),
    "K reshaped, not transposed": (
        "You reshaped the keys to (d_k, m). That is the shape of the transpose, but a reshape reads the numbers row by row "
        "and puts them in the wrong places.",
        "Swap the last two axes of the keys: swapaxes(-2, -1), or transpose(-2, -1) in torch.",
        _given(lambda q, k, v: (q, k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]).swapaxes(-2, -1), v)),
    ),
    "queries and keys swapped": (
        "Your scores are transposed: row i holds what others look for in token i, not what token i looks for. Either you "
        "multiplied in the wrong order, or you swapped queries and keys.",
        "Where do your queries come from? In the product, the queries come first.",
        _given(lambda q, k, v: (k, q, v)),
    ),
    "the weights transposed": (
        "You averaged the values with a column of the weights. The weights of a query are in its row, and a column need not "
        "sum to 1.",
        "Multiply the weights by the values, without transposing.",
        _mixed(lambda weights, v: weights.swapaxes(-2, -1) @ v),
        _mixed(lambda weights, v: weights.T @ v),
    ),
    "the weights returned": (
        "You returned the weights. One step is missing: the weighted average of the values.",
        "In the last step, multiply the weights by the values.",
        _mixed(lambda weights, v: weights),
    ),
    "the keys averaged": (
        "You averaged the keys. Their job is done once you have the weights. Each query receives an average of the values.",
        "What are the weights multiplied by?",
        _given(lambda q, k, v: (q, k, k)),
    ),
}
