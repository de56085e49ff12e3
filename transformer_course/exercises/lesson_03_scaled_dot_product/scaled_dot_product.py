"""Sheet 03: scaled dot-product attention, for any number of leading axes."""

import math
from dataclasses import replace

import numpy as np

from ..exercise import Mistake
from ..kinds import Implement, Property
from ..lesson_02_self_attention.softmax import attention_softmax, by_rows, over_queries, over_second, overflowing
from ..toolkit import integers, normal, softmax
from .attend import attend, products, scaled_dot_product, turned
from .scale import SCALE_MISTAKES


def _draw(rng):
    def tokens(*leading, n, m, d_k, d_v):
        # queries larger than usual, so that the scale shows in every row
        return [2 * normal(rng, *leading, n, d_k), normal(rng, *leading, m, d_k), normal(rng, *leading, m, d_v)]

    # After scaling by √16, a row with 1000 and −1000, the same with signs swapped, and a row far below both. Even
    # the fourth root of 16 is exact: so splitting the scale between both sides does not fail in float32.
    query, key = np.zeros((3, 16)), integers(rng, 2, 5, 16)
    query[:, 0], query[2, 1:], key[:, 0] = [4, -4, 0], integers(rng, 2, 15), [1000, 999, 997, -1000, -998]
    return [
        [integers(rng, 2, 3, 2), integers(rng, 2, 4, 2), integers(rng, 2, 4, 1)],  # small enough to be shown in a message
        tokens(n=5, m=7, d_k=3, d_v=4),
        tokens(n=4, m=4, d_k=5, d_v=3),  # here what elsewhere does not fit together gives numbers, and can be told by them
        tokens(2, n=6, m=4, d_k=5, d_v=3),
        tokens(2, 3, n=5, m=6, d_k=7, d_v=4),
        [query, key, np.stack([rng.permutation(5), rng.permutation(5)], -1) + 1.0],
    ]


def _by_einsum(query, key, value):
    """Half of the scale on either side: a fourth root for the queries, and one for the keys."""
    width = query.shape[-1]
    scores = np.einsum("...nd,...md->...nm", query / width**0.25, key / width**0.25)
    return np.einsum("...nm,...mv->...nv", softmax(scores), value)


def _by_tables(query, key, value):
    """Leading axes flattened into one, a loop over the tables, and the axes restored."""
    flat = [array.reshape(-1, *array.shape[-2:]) for array in (query, key, value)]
    tables = [softmax(q @ k.T / math.sqrt(q.shape[1])) @ v for q, k, v in zip(*flat, strict=True)]
    return np.array(tables).reshape(*query.shape[:-1], value.shape[-1])


def _in_loops(query, key, value):
    """The lesson's loops: two axes only, and math.exp raises where exp overflows."""
    outputs = []
    for q in query:
        shares = [math.exp(q @ k / math.sqrt(len(q))) for k in key]
        outputs.append(sum(share / sum(shares) * v for share, v in zip(shares, value, strict=True)))
    return np.array(outputs)


def _only(*axes):
    """What works for some numbers of axes and raises for all others."""

    def attends(query, key, value):
        if query.ndim not in axes:
            raise ValueError(f"too many or too few axes: {query.ndim}")
        return scaled_dot_product(query, key, value)

    return attends


def _reshaped(query, key):
    return query @ key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])


def _both(query, key, value):
    weights = softmax(products(query, key) / np.sqrt(query.shape[-1]))
    return weights @ value, weights


def _in_softmax():
    """Whatever can go wrong in softmax can go wrong here. Loops that raise for more than two axes are told of above."""
    for mistake in attention_softmax.mistakes:
        steps = [one for one in (mistake.answer, *mistake.variants) if one not in by_rows[2:]]
        more = [attend(one, turned) for one in over_queries] if mistake.answer is over_queries[0] else []
        answer, *variants = map(attend, steps)
        yield replace(mistake, answer=answer, variants=[*variants, *more])


def _lies_among_the_values(output, query, key, value):
    return np.all((output >= value.min(-2, keepdims=True) - 1e-3) & (output <= value.max(-2, keepdims=True) + 1e-3))


attention_scaled = Implement(
    id="attention.scaled_dot_product",
    answer_name="scaled_dot_product",
    prompt="Scaled dot-product attention for n queries against m keys, with any number of leading axes.",
    reference=scaled_dot_product,
    draw=_draw,
    alternatives=(_by_einsum, _by_tables),
    properties=(
        Property(
            "Every output is an average of the values, so each of its numbers must lie between the smallest and the largest "
            "number in that column of the values.",
            _lies_among_the_values,
        ),
    ),
    why="Dividing by √d_k before the softmax keeps the scores at the same size however wide the queries and keys are.",
    hints=(
        "You need three lines: scores, weights, output. The scale belongs in the first of them, before softmax.",
        "d_k is the width of a query: query.shape[-1], whatever axes come before it.",
        "For the scores, swap only the last two axes of the keys: key.swapaxes(-2, -1), or key.transpose(-2, -1) in torch.",
        "Subtract each row's largest score before exp, and sum along the last axis, both with keepdims=True. Then "
        "the output is weights @ value.",
    ),
    mistakes=(
        *SCALE_MISTAKES,
        Mistake(
            "one number of axes only",
            "Your function is right for some numbers of axes, but for others it raises an error or returns wrong "
            "numbers. Something in it assumes a fixed number of axes: `.T` reverses all of them, and `n, d = "
            "query.shape`, fixed letters in einsum, `bmm`, axis=1 and a loop over the queries each work for one "
            "number of axes only.",
            "Multiply with @, which takes any number of leading axes, and count axes from the end: swapaxes(-2, -1), "
            "axis -1, shape[-1].",
            attend(score=turned),
            variants=(
                *(attend(weigh, turned) for weigh in (by_rows[0], *over_second[:2])),
                attend(by_rows[2]),
                *(_only(*axes) for axes in ((3,), (4,), (2, 3), (3, 4))),
                attend(lambda scores: softmax(scores.swapaxes(2, -1)).swapaxes(2, -1)),
            ),
        ),
        Mistake(
            "two axes only, and exp overflows",
            "Your function is right for a matrix (n, d_k) with small scores, but two things are missing. With "
            "leading axes it fails, because `.T` reverses all axes and a loop over the queries assumes two of them. "
            "And near a score of 1000, exp overflows.",
            "First make it work for any number of leading axes: @, swapaxes(-2, -1), axis -1. Then subtract each row's largest "
            "score before exp.",
            attend(overflowing, turned),
            variants=(_in_loops, attend(by_rows[3])),
        ),
        Mistake(
            "K reshaped, not transposed",
            "You reshaped the keys to (d_k, m). That is the shape of the transpose, but the numbers are in the wrong "
            "places, because a reshape reads them row by row.",
            "Swap the axes with key.swapaxes(-2, -1), or key.transpose(-2, -1) in torch.",
            attend(score=_reshaped),
            variants=(
                attend(score=lambda q, k: q @ k.reshape(k.shape[1], k.shape[0])),
                attend(overflowing, _reshaped),
            ),
        ),
        Mistake(
            "no softmax",
            "You multiplied the values by the scores themselves. First turn the scores into weights, which are "
            "positive and sum to 1 in each row.",
            "Which step comes between the scores and the output?",
            attend(lambda scores: scores),
            variants=(lambda query, key, value: products(query, key) @ value,),
        ),
        Mistake(
            "the weights returned",
            "You returned the weights, of shape (n, m). One step is missing: averaging the values.",
            "In the last step, multiply the weights by the values.",
            attend(mix=lambda weights, value: weights),
            variants=(attend(weigh=overflowing, mix=lambda weights, value: weights),),
        ),
        Mistake(
            "output and weights returned",
            "You returned the output and the weights, as the library does. This exercise asks only for the output.",
            "Put a single name after `return`.",
            _both,
            variants=(lambda *given: _both(*given)[::-1],),
        ),
        Mistake(
            "the keys mixed",
            "You averaged the keys. Their job is done once you have the weights. Each query receives an average of "
            "the values, which have their own width.",
            "What are the weights multiplied by?",
            lambda query, key, value: scaled_dot_product(query, key, key),
        ),
        Mistake(
            "queries and keys swapped",
            "Your scores have one row per key and one column per query, so they are transposed. With as many queries "
            "as keys there is no error, but each query then gets the weights that the others give to it.",
            "Put the queries first in the product.",
            attend(score=lambda q, k: k @ q.swapaxes(-2, -1)),
            variants=(attend(score=lambda q, k: k @ q.T), attend(overflowing, lambda q, k: k @ q.swapaxes(-2, -1))),
        ),
        Mistake(
            "the weights transposed",
            "You averaged the values with a column of the weights. A query's own weights are in its row.",
            "Multiply the weights by the values, without transposing.",
            attend(mix=lambda weights, value: weights.swapaxes(-2, -1) @ value),
            variants=(attend(mix=lambda weights, value: weights.T @ value),),
        ),
        *_in_softmax(),
    ),
)
