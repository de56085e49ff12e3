"""Sheet 17: scores and values for which a softmax in two blocks goes wrong if it never rescales."""

import numpy as np

from ..kinds import Counterexample
from ..toolkit import known
from . import streams

LARGEST, KEYS = 20, 4


def _in_blocks(program, *places):
    """The output of a program over blocks that holds one query, for values of one number each."""
    return lambda scores, values: program([[scores[None, at], values[at, None]] for at in places])[0, 0]


_forgetful = _in_blocks(streams.online(factor=streams.one), slice(0, 2), slice(2, 4))
_right = _in_blocks(streams.at_once, slice(None))


def _invalid(scores, values):
    for name, array in (("scores", scores), ("values", values)):
        if array.shape != (KEYS,):
            return f"`{name}` should be a row of {KEYS} numbers, but has shape {array.shape}."
        if np.abs(array).max() > LARGEST:
            return f"Keep all {name} between −{LARGEST} and {LARGEST}."
    return None


forgetful = Counterexample(
    id="cost.forgetful",
    prompt="Four scores and values for which an online softmax goes wrong if it never rescales.",
    faulty=_forgetful,
    reference=_right,
    invalid=_invalid,
    why=(
        "The running sum was computed with the old maximum, so when a later block has a larger one, the earlier part must "
        "be rescaled."
    ),
    hints=(
        "The program forgets the factor exp(old largest − new largest). When is this factor 1, so that nothing is missed?",
        "So the larger score must be in the second block. Then the first two keys get too much weight. And when does that "
        "make no difference?",
        "More weight for the first two keys changes the output only if the weighted averages of the two blocks differ.",
    ),
    mistakes={
        "the largest in the first block": known(
            "Your largest score is in the first block. So the largest score so far never changes, the factor is 1, and leaving it out does "
            "no harm.",
            "Which block must have the largest score?",
            ([4.0, 0.0, 1.0, 3.0], [1.0, 2.0, 3.0, 4.0]),
            ([0.0, 0.0, 0.0, 0.0], [1.0, 2.0, 3.0, 4.0]),
            ([2.0, 1.0, 2.0, 0.0], [0.0, 5.0, 1.0, 2.0]),
            recognise=lambda scores, values: scores[:2].max() >= scores[2:].max(),
        ),
        "all values the same": known(
            "The weights are wrong here, but all values are the same. A weighted average of equal values is that value, whatever the weights.",
            "Choose values that differ.",
            ([1.0, 2.0, 3.0, 4.0], [5.0, 5.0, 5.0, 5.0]),
            ([0.0, 0.0, 0.0, 9.0], [0.0, 0.0, 0.0, 0.0]),
            recognise=lambda scores, values: bool((values == values[0]).all()),
        ),
        "both blocks have the same average": known(
            "The weights are wrong, and the values differ. But the weighted average of the first block is the same as that of the second, "
            "so it does not matter how much weight each block gets.",
            "Let the values of the first block differ from those of the second.",
            ([1.0, 1.0, 3.0, 3.0], [2.0, 4.0, 2.0, 4.0]),
            ([0.0, 1.0, 4.0, 5.0], [-1.0, 3.0, -1.0, 3.0]),
            ([0.0, 0.0, 2.0, 2.0], [0.0, 6.0, 2.0, 4.0]),
            recognise=lambda scores, values: bool(
                np.isclose(_right(scores[:2], values[:2]), _right(scores[2:], values[2:]), rtol=1e-3, atol=1e-3)
            ),
        ),
        "too small to see": known(
            "The output is wrong here, but by no more than a rounding error, because the scores or the values hardly differ.",
            "Make the largest score of the second block larger by at least 1, and let the values differ by at least 1.",
            ([0.0, 0.0, 1e-6, 1e-6], [0.0, 0.0, 1.0, 1.0]),
            ([0.0, 1.0, 1.00001, 1.0], [1.0, 1.0, 2.0, 2.0]),
            recognise=lambda scores, values: True,
        ),
    },
)
