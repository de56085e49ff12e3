"""Sheet 03: what goes wrong with the scale."""

import math

import numpy as np

from ..exercise import Mistake
from ..lesson_02_self_attention.softmax import overflowing
from ..toolkit import softmax
from .attend import attend, products, scaled_dot_product, turned

# Whoever errs in the scale may also write .T, or exp without the largest score subtracted: the scale is named first.
_WAYS = [(weigh, score) for weigh in (softmax, overflowing) for score in (products, turned)]


def _divided(*by, ways=_WAYS):
    """Attention with other divisors than √d_k: as the answer of a mistake, and its other spellings."""
    answer, *variants = (attend(weigh, score, one) for one in by for weigh, score in ways)
    return {"answer": answer, "variants": variants}


def _unit(vectors):
    return vectors / np.sqrt((vectors**2).sum(-1, keepdims=True))


def _after(weigh, score):
    return lambda query, key, value: weigh(score(query, key)) / np.sqrt(query.shape[-1]) @ value


SCALE_MISTAKES = (
    Mistake(
        "no scale",
        "These are the outputs for unscaled scores. Either the division by √d_k is missing, or it comes too late to have an "
        "effect: exponentials that are all divided by the same number give the same weights.",
        "Divide the scores themselves, before exp.",
        **_divided(lambda q, k, v: 1),
    ),
    Mistake(
        "divided by d_k",
        "In all, your scores are divided by d_k, and not by its root; to divide Q by √d_k, and K as well, does the same. "
        "The standard deviation of a score grows like √d_k, so this takes away too much.",
        "By how much is a score of width 64 wider spread than one of width 1: by 64, or by 8?",
        **_divided(lambda q, k, v: q.shape[-1]),
    ),
    Mistake(
        "multiplied by √d_k",
        "The scores are multiplied by √d_k, and spread even further than before. The scale is there to bring them back to a "
        "spread of 1.",
        "Which operation undoes a growth by √d_k?",
        **_divided(lambda q, k, v: 1 / np.sqrt(q.shape[-1])),
    ),
    Mistake(
        "a half where a root was meant",
        "Your scores are divided by d_k/2 or by 2·d_k, where a root was meant. In Python, d_k ** 1/2 is (d_k ** 1) / 2: the "
        "power comes before the division.",
        "An exponent of one half is 0.5, or stands in brackets. Or there is np.sqrt.",
        **_divided(lambda q, k, v: q.shape[-1] / 2, lambda q, k, v: 2 * q.shape[-1]),
    ),
    Mistake(
        "√d_k cut to a whole number",
        "The root has lost the digits after its point: √6 became 2. Where d_k is a square number that does no harm; elsewhere "
        "the scores come out too large.",
        "Is there an int(…), a // or math.isqrt in your code?",
        **_divided(lambda q, k, v: math.isqrt(q.shape[-1])),
    ),
    Mistake(
        "the scale from the number of keys",
        "You divide by √m, the root of the number of keys. The spread of a score does not depend on how many keys there are: it "
        "comes from the d_k products that are added up in it.",
        "Over which axis does one dot product of a query with a key sum?",
        **_divided(lambda q, k, v: np.sqrt(k.shape[-2])),
    ),
    Mistake(
        "the scale from the number of queries",
        "You divide by √n, the root of the number of queries. A query more or less changes nothing in the scores of the others: "
        "each is a sum of d_k products.",
        "Over which axis does one dot product of a query with a key sum?",
        **_divided(lambda q, k, v: np.sqrt(q.shape[-2])),
    ),
    Mistake(
        "the scale from the values",
        "You divide by √d_v, the root of the values' width. Values play no part in the scores, and may be wider or narrower "
        "than queries and keys.",
        "Whose width does a dot product of a query with a key sum over?",
        **_divided(lambda q, k, v: np.sqrt(v.shape[-1])),
    ),
    Mistake(
        "d_k from an axis counted from the front",
        "You take d_k from shape[0] or shape[1] (len is shape[0]). In a table (n, d_k) the width is shape[1]; in a batch "
        "(b, n, d_k) that is the number of rows, and in (b, h, n, d_k) the number of heads.",
        "Count from the back: where does the width stand, however many axes there are?",
        **_divided(
            lambda q, k, v: np.sqrt(q.shape[1]),
            lambda q, k, v: np.sqrt(k.shape[1]),
            lambda q, k, v: np.sqrt(v.shape[1]),
            lambda q, k, v: np.sqrt(q.shape[0]),
            lambda q, k, v: np.sqrt(k.shape[0]),
            ways=_WAYS[::2],  # with .T there are two axes only, and there shape[1] is right
        ),
    ),
    Mistake(
        "scaled after softmax",
        "Your softmax gets unscaled scores, and its weights, or the outputs, are divided by √d_k. So each row of weights sums "
        "to 1/√d_k, and is as spiky as without a scale.",
        "What is to be less spread are the scores. At which step do they exist?",
        _after(softmax, products),
        variants=[_after(*way) for way in _WAYS[1:]],
    ),
    Mistake(
        "scaled before and after softmax",
        "The scores are scaled, and the weights, or the outputs, are divided by √d_k once more. A row of weights must sum to 1.",
        "The scale belongs to the scores alone.",
        lambda query, key, value: scaled_dot_product(query, key, value) / np.sqrt(query.shape[-1]),
    ),
    Mistake(
        "vectors brought to length 1",
        "You divide queries and keys by their own lengths. Attention keeps the lengths: a longer query attends more sharply. "
        "What is taken out is the width d_k alone.",
        "The scale is one and the same number for all scores.",
        lambda query, key, value: softmax(products(_unit(query), _unit(key))) @ value,
        variants=[
            lambda query, key, value: scaled_dot_product(_unit(query), _unit(key), value),
            lambda query, key, value: softmax(products(_unit(query), key)) @ value,
        ],
    ),
)
