"""Sheet 04: attention with a mask, for any leading axes, and a refusal of rows that are masked whole."""

import numpy as np

from ..families.attention import attention
from ..families.mask import causal_mask
from ..kinds import Implement
from ..lesson_03_scaled_dot_product.scaled_dot_product import AMONG_THE_VALUES
from ..toolkit import normal, softmax
from .masked_mistakes import MISTAKES, refuse


def masked_attention(query, key, value, mask):
    refuse(mask)
    return attention(query, key, value, mask)


def _draw_masked(rng):
    def some(*shape):
        """In each row, at least one key that is allowed and one that is not."""
        mask = np.zeros(shape, bool)
        while not mask.any(-2).all():  # nor is there a key that no query may attend to
            order = rng.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)
            mask = (order == 0) | ((order > 1) & (rng.random(shape) < 0.5))
        return mask

    def until(lengths, longest):
        return np.arange(longest) < rng.permutation(lengths)[:, None]

    def one_row_whole(*leading):
        mask = some(*leading, 4, 5)
        mask.reshape(-1, 4, 5)[-1, rng.integers(4)] = False
        return mask

    x = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    return [
        [x, x, x, causal_mask(3)],
        [normal(rng, 5, 3), normal(rng, 6, 3), normal(rng, 6, 2), some(5, 6)],
        [normal(rng, 2, 4, 3), normal(rng, 2, 5, 3), normal(rng, 2, 5, 7), some(2, 4, 5)],
        [normal(rng, 2, 4, 3), normal(rng, 2, 5, 3), normal(rng, 2, 5, 7), until([3, 5], 5)[:, None]],
        [normal(rng, 2, 1, 4, 5), normal(rng, 2, 1, 6, 5), normal(rng, 2, 1, 6, 7), some(4, 6)],
        [normal(rng, 2, 3, 4, 5), normal(rng, 2, 3, 7, 5), normal(rng, 2, 3, 7, 6), until([3, 5], 7)[:, None, None]],
        _large_scores(rng),
        *([normal(rng, *b, 4, 3), normal(rng, *b, 5, 3), normal(rng, *b, 5, 2), one_row_whole(*b)] for b in ((), (2,))),
        [normal(rng, 1, 4, 3), normal(rng, 1, 5, 3), normal(rng, 1, 5, 2), some(1, 4, 5)],
    ]


def _large_scores(rng):
    """Scores up to 1000 in size, and in some rows the forbidden ones far above the others."""
    scores = np.array([[0, -1, 1000], [-1000, -1003, 1000], [1000, 999, -3], [1, 3, 2], [-1, -3, 2]], float)
    mask = np.array([[1, 1, 0], [1, 1, 0], [1, 1, 0], [1, 0, 0], [1, 1, 1]], bool)
    query = np.concatenate([scores, rng.integers(-9, 10, (5, 1))], 1)  # the last coordinate meets a 0 in every key
    key = 2 * np.eye(3, 4)  # and 2 / √4 = 1, so the scores are those above
    value = rng.integers(-4, 5, (3, 2)) + np.array([[5.0], [15.0], [-20.0]])  # none of them 0
    rows, columns = rng.permutation(5), rng.permutation(3)
    return [query[rows], key[columns], value, mask[rows][:, columns]]


def _each_query_by_itself(query, key, value, mask):
    """With the keys that it may attend to and no others."""
    refuse(mask)
    mask = np.broadcast_to(mask, query.shape[:-1] + key.shape[-2:-1])
    output = np.zeros((*query.shape[:-1], value.shape[-1]))
    for place in np.ndindex(query.shape[:-1]):
        kept = mask[place]
        weights = softmax(key[place[:-1]][kept] @ query[place] / np.sqrt(query.shape[-1]))
        output[place] = weights @ value[place[:-1]][kept]
    return output


def _with_a_low_number(query, key, value, mask):
    if (mask.sum(-1) == 0).any():
        raise ValueError("a query without a key")
    scores = np.einsum("...nd,...md->...nm", query, key) * query.shape[-1] ** -0.5 - 1e9 * ~mask
    return np.einsum("...nm,...mv->...nv", softmax(scores), value)


def _largest_allowed(query, key, value, mask):
    refuse(mask)
    scores = query @ key.swapaxes(-2, -1) / np.sqrt(query.shape[-1])
    largest = scores.max(-1, keepdims=True, where=mask, initial=-np.inf)
    exponentials = np.where(mask, np.exp(scores - largest), 0)  # exp may overflow where it is not taken
    return exponentials @ value / exponentials.sum(-1, keepdims=True)


def _found_afterwards(query, key, value, mask):
    output = attention(query, key, value, mask)
    if np.isnan(output).any():
        raise ValueError("a query without a key")
    return output


attention_masked = Implement(
    id="attention.masked",
    answer_name="masked_attention",
    prompt="Scaled dot-product attention with a mask; a fully masked row raises ValueError.",
    reference=masked_attention,
    draw=_draw_masked,
    alternatives=(_each_query_by_itself, _with_a_low_number, _largest_allowed, _found_afterwards),
    properties=(AMONG_THE_VALUES,),
    why=(
        "The mask comes before the softmax, and even before the maximum, so a forbidden score affects neither the "
        "weights nor their sum."
    ),
    hints=(
        "Start from the attention of lesson 03: scores, divided by √d, softmax, average. The mask comes between two "
        "of these steps. Which two?",
        "np.where(mask, scores, -np.inf) keeps a score where the mask is True, and stretches the mask over a batch by itself.",
        "Softmax should see only the masked scores: the largest score that it subtracts must be the largest allowed one.",
        "A fully masked row has no True along its last axis. Before anything else, look at mask.any(axis=-1), and "
        "raise ValueError if one of its entries is False.",
    ),
    mistakes=MISTAKES,
)
