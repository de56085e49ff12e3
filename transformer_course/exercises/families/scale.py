"""What goes wrong with the scale of the scores. A piece is ``score(q, k)``; d_k is the width of one query.

In ELSEWHERE, where the scale is taken from the values or comes after the softmax, a piece is ``change(attend)``.
"""

import math

import numpy as np

from .attention import products, root, scores_of


def divided(by):
    """Scores divided by ``by(q, k)``."""
    return lambda q, k: products(q, k) / by(q, k)


# Scores that are cut off, so that exp stays finite.
CLIPPED = tuple(lambda q, k, most=most: np.clip(scores_of(q, k), -most, most) for most in (700, 500, 100, 50))


def _unit(vectors):
    return vectors / np.sqrt((vectors**2).sum(-1, keepdims=True))


def _measured(axis, correction):
    """Scores divided by their own standard deviation. (Of a single score, NumPy's ``std`` warns where torch does not.)"""

    def score(q, k):
        scores = products(q, k)
        distances = scores - scores.mean(axis, keepdims=True)
        size = scores.size if axis is None else scores.shape[axis]
        return scores / np.sqrt((distances**2).sum(axis, keepdims=True) / (size - correction))

    return score


FROM_THE_FRONT = "d_k from an axis counted from the front"
SCALE = {
    "not scaled": (
        "Your scores are not scaled. Either you did not divide by √d_k, or you divided too late to have an effect: if you "
        "divide all exponentials by the same number, the weights stay the same.",
        "Divide the scores themselves, before exp. What number, and whose width is it?",
        products,
    ),
    "divided by d_k": (
        "You divided the scores by d_k, not by its square root. (Dividing both Q and K by √d_k has the same effect.) The "
        "standard deviation of a score grows with √d_k, so this shrinks the scores too much.",
        "How much larger is the standard deviation of a score at width 64 than at width 1: 64 times, or 8 times?",
        divided(lambda q, k: q.shape[-1]),
    ),
    "multiplied by √d_k": (
        "You multiplied the scores by √d_k, so they spread even more than before. The scale should bring their standard "
        "deviation back to 1.",
        "Which operation undoes a growth by √d_k?",
        divided(lambda q, k: 1 / root(q, k)),
    ),
    "d_k/2 instead of √d_k": (
        "You divided the scores by d_k/2 or by 2·d_k instead of the square root. In Python, d_k ** 1/2 means (d_k ** 1) / 2, "
        "because the power is computed before the division.",
        "Write the exponent as 0.5, or put it in brackets, or take a square root by its name.",
        divided(lambda q, k: q.shape[-1] / 2),
        divided(lambda q, k: 2 * q.shape[-1]),
    ),
    "√d_k cut to an integer": (
        "You lost the digits of the square root after the decimal point: √6 became 2. That does no harm if d_k is a square "
        "number. Otherwise the scores come out too large.",
        "Is there an int(…), a // or math.isqrt in your code?",
        divided(lambda q, k: math.isqrt(q.shape[-1])),
    ),
    **{
        f"the scale from the number of {tokens}": (
            f"You divided by √{n}, the square root of the number of {tokens}. How far the scores spread does not depend on "
            "how many there are. It comes from the d_k products that are added up in each score.",
            "Over which axis does one dot product of a query with a key sum?",
            divided(by),
        )
        for tokens, n, by in (
            ("keys", "m", lambda q, k: np.sqrt(k.shape[-2])),
            ("queries", "n", lambda q, k: np.sqrt(q.shape[-2])),
        )
    },
    FROM_THE_FRONT: (
        "You took d_k from shape[0] or shape[1] (len is shape[0]). In a matrix (n, d_k) the width is shape[1]. But in a batch "
        "(b, n, d_k) that is the number of rows, and in (b, h, n, d_k) the number of heads.",
        "Count from the end: which index gives the width, however many axes there are?",
        divided(lambda q, k: np.sqrt(q.shape[1])),
        divided(lambda q, k: np.sqrt(k.shape[1])),
        divided(lambda q, k: np.sqrt(q.shape[0])),
        divided(lambda q, k: np.sqrt(k.shape[0])),
    ),
    "divided by a fixed number": (
        "You divided by a number that fits one example only, whatever the queries are.",
        "Take the width from the queries that your code gets: `shape[-1]`.",
        *(divided(lambda q, k, width=width: math.sqrt(width)) for width in (2, 3, 4, 8, 16, 64, 512)),
    ),
    "divided by the standard deviation of the scores": (
        "You measured the standard deviation of these scores and divided by it. Then no scores can be large, even where a "
        "query matches one key far better than all others. The scale should depend on the width alone.",
        "The scores of random vectors have a standard deviation that you can work out from d_k. Divide by that.",
        *(_measured(*how) for how in ((None, 0), (None, 1), (-1, 0), (-1, 1))),
    ),
    "vectors brought to length 1": (
        "You divided queries and keys by their own lengths. Attention keeps these lengths: a longer query concentrates its "
        "weight more. The scale removes only the effect of the width d_k.",
        "Divide all scores by the same number.",
        lambda q, k: products(_unit(q), _unit(k)),
        lambda q, k: scores_of(_unit(q), _unit(k)),
        lambda q, k: products(_unit(q), k),
    ),
}


def _late(score):
    return lambda attend: lambda q, k, v, *mask: attend(q, k, v, *mask, score=score) / root(q, k)


ELSEWHERE = {
    "the scale from the values": (
        "You divided by √d_v, the square root of the values' width. Values play no part in the scores, and may be wider or "
        "narrower than queries and keys.",
        "A dot product of a query with a key sums over a width. Whose width is it?",
        lambda attend: lambda q, k, v, *mask: attend(q, k, v, *mask, score=divided(lambda q, k: np.sqrt(v.shape[-1]))),
    ),
    "scaled after softmax": (
        "You applied softmax to unscaled scores and divided the weights, or the outputs, by √d_k. So each row of weights "
        "sums to 1/√d_k, and is as concentrated as without a scale.",
        "The scale should act on the scores. At which step do you have them?",
        _late(products),
    ),
    "scaled before and after softmax": (
        "You scaled the scores, and then divided the weights, or the outputs, by √d_k once more. But a row of weights must "
        "sum to 1.",
        "Apply the scale to the scores only.",
        _late(scores_of),
    ),
}
