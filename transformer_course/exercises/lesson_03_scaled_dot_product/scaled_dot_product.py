"""Sheet 03: scaled dot-product attention, for any number of leading axes."""

import math
from functools import partial

import numpy as np

from ..families import adapted, named, pairs
from ..families.attention import ACROSS, BETWEEN, attention
from ..families.scale import ELSEWHERE, FROM_THE_FRONT, SCALE, divided
from ..families.softmax import SOFTMAX, by_rows, from_below, over, over_queries, overflowing
from ..kinds import Implement, Property
from ..toolkit import integers, normal, softmax


def scaled_dot_product(query, key, value):
    return attention(query, key, value)


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
        tokens(1, n=4, m=3, d_k=2, d_v=3),
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


def _only(axes, attend=attention):
    """What works for some numbers of axes and raises for all others, such as the keys' ``.T`` for more than two."""

    def attends(query, key, value):
        if query.ndim not in axes:
            raise ValueError(f"too many or too few axes: {query.ndim}")
        return attend(query, key, value)

    return attends


def _ways(build, *ways):
    """Builds of a wrong attention, which may also fit two axes only, or let exp overflow, or both."""
    return [lambda piece, weigh=weigh, axes=axes: _only(axes, build(piece, weigh)) for weigh, axes in ways or _ALL]


_ALL = [(weigh, axes) for weigh in (softmax, overflowing) for axes in ((2, 3, 4), (2,))] + [(over(1)[0], (2, 3, 4))]


def _scored(score, weigh):
    return partial(attention, score=score, weigh=weigh)


def _changed(change, weigh):
    return change(partial(attention, weigh=weigh))


def _weighed(weigh):
    return partial(attention, weigh=weigh)


def _by_the_values(weigh):
    """The width from axis 1 of the values."""
    return lambda q, k, v: attention(q, k, v, score=divided(lambda q, k: np.sqrt(v.shape[1])), weigh=weigh)


# Axis 1 for the width and for the softmax.
_all_from_the_front = partial(attention, score=divided(lambda q, k: np.sqrt(q.shape[1])), weigh=over(1)[0])


LAST_AXIS = {"axis": "-1", "keepdims": "keepdims=True (torch calls it keepdim)"}
TOO = named(adapted(SOFTMAX, lambda weigh: weigh, **LAST_AXIS), "softmax over the queries", "one max for all rows")


def _both(query, key, value):
    weights = attention(query, key, value, mix=lambda weights, value: weights)
    return weights @ value, weights


AMONG_THE_VALUES = Property(
    "Every output is an average of the values, so each of its numbers must lie between the smallest and the largest number in "
    "that column of the values.",
    lambda output, query, key, value, *mask: np.all(
        (output >= value.min(-2, keepdims=True) - 1e-3) & (output <= value.max(-2, keepdims=True) + 1e-3)
    ),
)

attention_scaled = Implement(
    id="attention.scaled_dot_product",
    answer_name="scaled_dot_product",
    prompt="Scaled dot-product attention for n queries against m keys, with any number of leading axes.",
    reference=scaled_dot_product,
    draw=_draw,
    alternatives=(_by_einsum, _by_tables),
    properties=(AMONG_THE_VALUES,),
    why="Dividing by √d_k before the softmax keeps the scores at the same size however wide the queries and keys are.",
    hints=(
        "You need three lines: scores, weights, output. The scale belongs in the first of them, before softmax.",
        "d_k is the width of a query: query.shape[-1], whatever axes come before it.",
        "For the scores, swap only the last two axes of the keys: key.swapaxes(-2, -1), or key.transpose(-2, -1) in torch.",
        "Subtract each row's largest score before exp, and sum along the last axis, both with keepdims=True. Then "
        "the output is weights @ value.",
    ),
    mistakes={
        **adapted(SCALE, *_ways(_scored), but=(FROM_THE_FRONT,)),
        **adapted(  # with .T there are two axes only, and there shape[1] is right
            named(SCALE, FROM_THE_FRONT),
            *_ways(_scored, *_ALL[:4:2]),
            more={FROM_THE_FRONT: (*map(_by_the_values, (softmax, overflowing)), _all_from_the_front)},
        ),
        **adapted(ELSEWHERE, *_ways(_changed)),
        "one number of axes only": (
            "Your function is right for some numbers of axes, but for others it raises an error or returns wrong numbers. "
            "Something in it assumes a fixed number of axes: `.T` reverses all of them, and `n, d = query.shape`, fixed "
            "letters in einsum, `bmm`, axis=1 and a loop over the queries each work for one number of axes only.",
            "The last axis is axis -1, however many come before it. Which of your lines counts axes from the front instead?",
            *map(_only, ((2,), (3,), (4,), (2, 3), (3, 4))),
            *map(_weighed, (by_rows[0], by_rows[2])),
            _weighed(lambda scores: softmax(scores.swapaxes(2, -1)).swapaxes(2, -1)),
        ),
        "two axes only, and exp overflows": (
            "Your function is right for a matrix (n, d_k) with small scores, but two things are missing. With "
            "leading axes it fails, because `.T` reverses all axes and a loop over the queries assumes two of them. "
            "And near a score of 1000, exp overflows.",
            "One thing at a time, and the axes first: which of your lines fails for a batch, (b, n, d_k)?",
            _only((2,), _weighed(overflowing)),
            *map(_weighed, (by_rows[1], by_rows[3])),
        ),
        **adapted(BETWEEN, *_ways(_changed)),
        "across the batch": (
            *ACROSS,
            lambda *given: attention(*(x.reshape(-1, x.shape[-1]) for x in given)).reshape(*given[0].shape[:-1], -1),
        ),
        "output and weights returned": (
            "You returned the output and the weights, as the library does. This exercise asks only for the output.",
            "Put a single name after `return`.",
            _both,
            lambda *given: _both(*given)[::-1],
        ),
        **adapted(
            SOFTMAX,
            _weighed,
            but=("right for a single matrix only", "the smallest score or the mean subtracted"),
            more={
                "softmax over the queries": tuple(_only((2,), _weighed(weigh)) for weigh in over_queries),
                "exp overflows": tuple(map(_weighed, from_below)),
            },
            **LAST_AXIS,
        ),
        **pairs(_scored, named(SCALE, "not scaled", "divided by d_k"), TOO[:1]),  # one max cannot be told there
        **pairs(_changed, named(ELSEWHERE, "the scale from the values"), TOO),
    },
)
