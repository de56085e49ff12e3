"""Attention with holes for its steps, and what goes wrong between them: what is multiplied, transposed, averaged, returned.

``score(q, k)`` gives the scores (scale.py), ``hide(scores, mask)`` hides some of them, ``weigh(scores)`` turns them into
weights (softmax.py), ``weigh_masked(scores, mask)`` does both (mask.py), and ``mix(weights, v)`` gives the output. Queries,
keys and values have any number of leading axes. A mask, True = may attend, broadcasts to the scores. A piece is
``attend(q, k, v, mask=None)``.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from ..toolkit import mistake, softmax


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


def _reshaped(q, k):
    return q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])


def _scaled_late(score):
    return lambda q, k, v, mask=None: attention(q, k, v, mask, score=score) / root(q, k)


SCALED_LATE = (
    mistake(
        "scaled after softmax",
        "You applied softmax to unscaled scores and divided the weights, or the outputs, by √d_k. So each row of weights sums "
        "to 1/√d_k, and is as concentrated as without a scale.",
        "The scale should act on the scores. At which step do you have them?",
        _scaled_late(products),
    ),
    mistake(
        "scaled before and after softmax",
        "You scaled the scores, and then divided the weights, or the outputs, by √d_k once more. But a row of weights must "
        "sum to 1.",
        "Apply the scale to the scores only.",
        _scaled_late(scores_of),
    ),
)

MIXED = (
    mistake(
        "no softmax",
        "You multiplied the values by the scores. Without a softmax, these are not weights: they can be negative, and a row "
        "does not sum to 1.",
        "Which step comes between the scores and the output?",
        partial(attention, weigh=lambda scores: scores),
        partial(attention, weigh=lambda scores: scores, hide=lambda scores, mask: np.where(mask, scores, 0)),
        partial(attention, weigh_masked=lambda scores, mask: scores),
        partial(attention, weigh=lambda scores: scores, score=products),
    ),
    mistake(
        "K reshaped, not transposed",
        "You reshaped the keys to (d_k, m). That is the shape of the transpose, but a reshape reads the numbers row by row "
        "and puts them in the wrong places.",
        "Swap the axes with {k}.swapaxes(-2, -1), or {k}.transpose(-2, -1) in torch.",
        partial(attention, score=lambda q, k: _reshaped(q, k) / root(q, k)),
        partial(attention, score=_reshaped),
    ),
    mistake(
        "the scores transposed",
        "Your scores are transposed: they have one row per key and one column per query. Row i then holds what others look "
        "for in token i, not what token i looks for.",
        "Queries come first in the product. Where do yours come from, and in which order do you multiply?",
        partial(attention, score=lambda q, k: scores_of(k, q)),
    ),
    mistake(
        "the weights transposed",
        "You averaged the values with a column of the weights. The weights of a query are in its row, and a column need not "
        "sum to 1.",
        "Multiply the weights by the values, without transposing.",
        partial(attention, mix=lambda weights, v: weights.swapaxes(-2, -1) @ v),
        partial(attention, mix=lambda weights, v: weights.T @ v),
    ),
    mistake(
        "the weights returned",
        "You returned the weights. One step is missing: the weighted average of the values.",
        "In the last step, multiply the weights by the values.",
        partial(attention, mix=lambda weights, v: weights),
    ),
    mistake(
        "the keys averaged",
        "You averaged the keys. Their job is done once you have the weights. Each query receives an average of the values.",
        "What are the weights multiplied by?",
        lambda q, k, v, mask=None: attention(q, k, k, mask),
    ),
)
