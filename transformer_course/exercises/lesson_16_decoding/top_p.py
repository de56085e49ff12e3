"""Sheet 16: the fewest tokens that together have at least the probability p."""

import numpy as np

from ..families.decoding import TOP_P, by_the_smallest_kept
from ..families.decoding import top_p as top_p_by_hand
from ..kinds import Implement, Property


def _even(rng, v, parts=1024):
    """Draw a row of different, but similar, multiples of 1/1024, whose sums are exact in float32: so many together."""
    while True:
        drawn = parts // v + rng.permutation(np.arange(-(parts // v) // 2, (parts // v) // 2))[:v]
        drawn[-1] += parts - drawn.sum()
        if drawn.min() > 0 and len(set(drawn.tolist())) == v:
            return rng.permutation(drawn) / 1024


def _exact(row, count):
    """Return the sum of the ``count`` most probable: for exactly this p, top-p keeps them and no more."""
    return float(np.sort(row)[::-1][:count].sum())


def _draw(rng):
    def rows(*shape, v):
        drawn = [_even(rng, v) for _ in range(int(np.prod(shape)))]
        return np.array(drawn).reshape(*shape, v)

    single = _even(rng, 7)
    giant = np.array([rng.permutation([900 / 1024, *_even(rng, 4, 124)]), _even(rng, 5)])
    return [
        [np.array([0.125, 0.5, 0.0625, 0.25, 0.046875, 0.015625]), 0.8],
        [rows(4, v=6), 0.6],
        [single, _exact(single, 3)],
        [giant, 0.7],  # in the first row, one token has more than p
        [rows(2, 3, v=8), 0.9],
        [rows(3, v=5), 0.3],
        [rows(2, v=3), 0.2],  # several tokens alone have more than p
        [rows(3, v=4), 1.0],
    ]


top_p = Implement(
    id="decoding.top_p",
    answer_name="top_p",
    prompt="Probabilities cut to the fewest tokens that together have at least p, for any number of axes.",
    reference=top_p_by_hand,
    draw=_draw,
    alternatives=(by_the_smallest_kept,),
    properties=(
        Property("Each row of the result should sum to 1.", lambda result, *given: np.allclose(result.sum(-1), 1, atol=1e-4)),
    ),
    why="A token is kept if those ranked ahead of it have less than p together, so the one that crosses p is kept as well.",
    hints=(
        "Begin with one row: sort it from the largest down, and add up. Which is the first token that you do *not* keep?",
        "Keep a token if the more probable ones together have less than p: that sum is cumsum minus the token's own "
        "probability. The first token is always kept.",
        "order = np.argsort(-probabilities, axis=-1) and np.take_along_axis sort each row; np.put_along_axis(new, order, "
        "kept, axis=-1) puts the values back. In torch, use sort(-1, descending=True) and zeros.scatter(-1, order, kept).",
        "Or avoid putting anything back: find the smallest probability that you keep, and keep all that are at least as "
        "large.",
    ),
    mistakes=TOP_P,
)
