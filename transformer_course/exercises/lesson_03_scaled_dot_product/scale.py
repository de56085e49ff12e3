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


def _measured(axis, correction):
    """The standard deviation of the scores."""
    return lambda q, k, v: products(q, k).std(axis, ddof=correction, keepdims=True)


def _after(weigh, score):
    return lambda query, key, value: weigh(score(query, key)) / np.sqrt(query.shape[-1]) @ value


SCALE_MISTAKES = (
    Mistake(
        "no scale",
        "These are the outputs for unscaled scores. Either you did not divide by √d_k, or you divided too late to "
        "have an effect: if you divide all exponentials by the same number, the weights stay the same.",
        "Divide the scores themselves, before exp.",
        **_divided(lambda q, k, v: 1),
    ),
    Mistake(
        "divided by d_k",
        "You divided the scores by d_k, not by its square root. (Dividing both Q and K by √d_k has the same effect.) "
        "The standard deviation of a score grows with √d_k, so this shrinks the scores too much.",
        "How much larger is the standard deviation of a score at width 64 than at width 1: 64 times, or 8 times?",
        **_divided(lambda q, k, v: q.shape[-1]),
    ),
    Mistake(
        "multiplied by √d_k",
        "You multiplied the scores by √d_k, so they spread even more than before. The scale should bring their "
        "standard deviation back to 1.",
        "Which operation undoes a growth by √d_k?",
        **_divided(lambda q, k, v: 1 / np.sqrt(q.shape[-1])),
    ),
    Mistake(
        "d_k/2 instead of √d_k",
        "You divided the scores by d_k/2 or by 2·d_k instead of the square root. In Python, d_k ** 1/2 means (d_k ** "
        "1) / 2, because the power is computed before the division.",
        "Write the exponent as 0.5, or put it in brackets, or use np.sqrt.",
        **_divided(lambda q, k, v: q.shape[-1] / 2, lambda q, k, v: 2 * q.shape[-1]),
    ),
    Mistake(
        "√d_k cut to an integer",
        "You lost the digits of the square root after the decimal point: √6 became 2. That does no harm if d_k is a "
        "square number. Otherwise the scores come out too large.",
        "Is there an int(…), a // or math.isqrt in your code?",
        **_divided(lambda q, k, v: math.isqrt(q.shape[-1])),
    ),
    Mistake(
        "the scale from the number of keys",
        "You divided by √m, the square root of the number of keys. How far the scores spread does not depend on how "
        "many keys there are. It comes from the d_k products that are added up in each score.",
        "Over which axis does one dot product of a query with a key sum?",
        **_divided(lambda q, k, v: np.sqrt(k.shape[-2])),
    ),
    Mistake(
        "the scale from the number of queries",
        "You divided by √n, the square root of the number of queries. But one query more or less does not change the "
        "scores of the others: each score is a sum of d_k products.",
        "Over which axis does one dot product of a query with a key sum?",
        **_divided(lambda q, k, v: np.sqrt(q.shape[-2])),
    ),
    Mistake(
        "the scale from the values",
        "You divided by √d_v, the square root of the values' width. Values play no part in the scores, and may be "
        "wider or narrower than queries and keys.",
        "A dot product of a query with a key sums over a width. Whose width is it?",
        **_divided(lambda q, k, v: np.sqrt(v.shape[-1])),
    ),
    Mistake(
        "d_k from an axis counted from the front",
        "You took d_k from shape[0] or shape[1] (len is shape[0]). In a matrix (n, d_k) the width is shape[1]. But "
        "in a batch (b, n, d_k) that is the number of rows, and in (b, h, n, d_k) the number of heads.",
        "Count from the end: which index gives the width, however many axes there are?",
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
        "divided by the standard deviation of the scores",
        "You measured the standard deviation of these scores and divided by it. Then no scores can be large, even where a "
        "query matches one key far better than all others. The scale should depend on the width alone.",
        "The scores of random vectors have a standard deviation that you can work out from d_k. Divide by that.",
        # after this division nothing overflows
        **_divided(*(_measured(*how) for how in ((None, 0), (None, 1), (-1, 0), (-1, 1))), ways=_WAYS[:2]),
    ),
    Mistake(
        "scaled after softmax",
        "You applied softmax to unscaled scores and divided the weights, or the outputs, by √d_k. So each row of "
        "weights sums to 1/√d_k, and is as concentrated as without a scale.",
        "The scale should act on the scores. At which step do you have them?",
        _after(softmax, products),
        variants=[_after(*way) for way in _WAYS[1:]],
    ),
    Mistake(
        "scaled before and after softmax",
        "You scaled the scores, and then divided the weights, or the outputs, by √d_k once more. But a row of "
        "weights must sum to 1.",
        "Apply the scale to the scores only.",
        lambda query, key, value: scaled_dot_product(query, key, value) / np.sqrt(query.shape[-1]),
    ),
    Mistake(
        "vectors brought to length 1",
        "You divided queries and keys by their own lengths. Attention keeps these lengths: a longer query "
        "concentrates its weight more. The scale removes only the effect of the width d_k.",
        "Divide all scores by the same number.",
        lambda query, key, value: softmax(products(_unit(query), _unit(key))) @ value,
        variants=[
            lambda query, key, value: scaled_dot_product(_unit(query), _unit(key), value),
            lambda query, key, value: softmax(products(_unit(query), key)) @ value,
        ],
    ),
)
