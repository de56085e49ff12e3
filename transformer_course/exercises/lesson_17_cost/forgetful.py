"""Sheet 17: scores and values on which a softmax in two blocks that never rescales goes wrong."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Counterexample

LARGEST, KEYS = 20, 4


def _forgetful(scores, values):
    largest, total, mixture = -np.inf, 0.0, 0.0
    for block in (slice(0, 2), slice(2, 4)):
        largest = np.maximum(largest, scores[block].max())
        exponentials = np.exp(scores[block] - largest)
        total = total + exponentials.sum()
        mixture = mixture + exponentials @ values[block]
    return mixture / total


def _right(scores, values):
    exponentials = np.exp(scores - scores.max())
    return exponentials @ values / exponentials.sum()


def _invalid(scores, values):
    for name, array in (("scores", scores), ("values", values)):
        if array.shape != (KEYS,):
            return f"`{name}` should be a row of {KEYS} numbers, and has shape {array.shape}."
        if np.abs(array).max() > LARGEST:
            return f"Please keep all {name} between −{LARGEST} and {LARGEST}."
    return None


forgetful = Counterexample(
    id="cost.forgetful",
    answer_name="trap",
    prompt="Four scores and values on which an online softmax that never rescales goes wrong.",
    faulty=_forgetful,
    reference=_right,
    invalid=_invalid,
    why=(
        "The running sum was computed with the old maximum, so when a later block has a larger one, the earlier part must "
        "be rescaled."
    ),
    hints=(
        "What is forgotten is the factor exp(old largest − new largest). When is it 1, so that nothing is missed?",
        "So the second block must hold the larger score. Then the first two keys get too large a share. When does even that not "
        "matter?",
        "A larger share for the first two keys changes a mixture only if the blocks' own mixtures differ.",
    ),
    mistakes=(
        Mistake(
            "the largest in the first block",
            "The largest score stands in the first block. So the largest so far never changes, the factor is 1, and nothing is missed by "
            "leaving it out.",
            "Where must the largest score stand?",
            ([4.0, 0.0, 1.0, 3.0], [1.0, 2.0, 3.0, 4.0]),
            variants=(([0.0, 0.0, 0.0, 0.0], [1.0, 2.0, 3.0, 4.0]), ([2.0, 1.0, 2.0, 0.0], [0.0, 5.0, 1.0, 2.0])),
            recognise=lambda scores, values: scores[:2].max() >= scores[2:].max(),
        ),
        Mistake(
            "all values alike",
            "The weights are wrong here, but all values are the same. A mixture of equal values is that value, whatever the weights.",
            "Choose values that differ.",
            ([1.0, 2.0, 3.0, 4.0], [5.0, 5.0, 5.0, 5.0]),
            variants=(([0.0, 0.0, 0.0, 9.0], [0.0, 0.0, 0.0, 0.0]),),
            recognise=lambda scores, values: bool((values == values[0]).all()),
        ),
        Mistake(
            "both blocks give the same mixture",
            "The weights are wrong, and the values differ. But the first two keys alone mix to what the last two mix to, so that it does not matter how "
            "large a share each block gets.",
            "Let the values of the first block differ from those of the second.",
            ([1.0, 1.0, 3.0, 3.0], [2.0, 4.0, 2.0, 4.0]),
            variants=(([0.0, 1.0, 4.0, 5.0], [-1.0, 3.0, -1.0, 3.0]), ([0.0, 0.0, 2.0, 2.0], [0.0, 6.0, 2.0, 4.0])),
            recognise=lambda scores, values: bool(
                np.isclose(_right(scores[:2], values[:2]), _right(scores[2:], values[2:]), rtol=1e-3, atol=1e-3)
            ),
        ),
        Mistake(
            "too little to be seen",
            "The fault is there, but it moves the output by less than rounding: the scores or the values hardly differ.",
            "Let the second block's score be larger by 1 at least, and the values differ by 1.",
            ([0.0, 0.0, 1e-6, 1e-6], [0.0, 0.0, 1.0, 1.0]),
            variants=(([0.0, 1.0, 1.00001, 1.0], [1.0, 1.0, 2.0, 2.0]),),
            recognise=lambda scores, values: True,
        ),
    ),
)
