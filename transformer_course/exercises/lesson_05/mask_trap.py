"""Sheet 05: an input on which a published program goes wrong without a word."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Counterexample
from ..lesson_02.softmax import softmax


def right_weights(scores, mask):
    return softmax(np.where(mask[:, None] != 0, scores, -np.inf))


def published(scores, mask):
    return softmax(np.where(mask != 0, scores, -np.inf))


def _silently(scores, mask):
    """What the published program gives. Where it raises, or the shape betrays it, nobody is misled: that counts as right."""
    right = right_weights(scores, mask)
    try:
        given = published(scores, mask)
    except ValueError:
        return right
    return given if given.shape == right.shape else right


def _invalid(scores, mask):
    if scores.ndim != 4 or scores.size == 0:
        return f"`scores` should have the four axes (b, h, n, m), none of them empty, and has shape {scores.shape}."
    if max(scores.shape) > 8:
        return f"Small sizes will do: at most 8 along each axis. `scores` has shape {scores.shape}."
    b, _, n, m = scores.shape
    if mask.shape != (b, n, m):
        return (
            f"For scores of shape {scores.shape}, `mask` should have shape (b, n, m) = {(b, n, m)}: a table for each sample, "
            f"without an axis for the heads. It has shape {mask.shape}."
        )
    if not np.isin(mask, (0, 1)).all():
        return "`mask` should hold True and False, or 1 and 0, and nothing else."
    if not mask.any(-1).all():
        return (
            "In `mask`, at least one row is False throughout: that query may attend to nothing, and then neither program has "
            "an answer. Leave each query at least one key."
        )
    if np.abs(scores).max() > 1000:
        return "Please keep all scores between −1000 and 1000."
    return None


def _same_for_all(mask):
    return (mask == mask[:1]).all()


def _example(b, h, masks, scores=None):
    """A mistaken answer: one query, two keys, and a mask for each sample."""
    return np.zeros((b, h, 1, 2)) if scores is None else np.array(scores, float), np.array(masks, float)[:, None]


mask_trap = Counterexample(
    id="heads.mask_trap",
    answer="trap",
    asks="Scores and a mask on which a published program raises nothing, gives the right shape, and wrong weights.",
    minutes=8,
    faulty=_silently,
    reference=right_weights,
    invalid=_invalid,
    hints=(
        "Axes are matched from the last one on, and a missing axis in front is added: a mask (b, n, m) becomes (1, b, n, m). "
        "Which axis of the scores does b then meet?",
        "It meets the heads. Nothing is raised where b = h; then head i gets the mask of sample i, in every sample. When "
        "does that make a difference?",
        "Take b = h = 2, one query and two keys, and scores of 0. Let sample 0 see both keys, and sample 1 only one.",
    ),
    mistakes=(
        Mistake(
            "masks without effect",
            "Your mask is True throughout: it forbids nothing, for whichever sample. So even where the shapes fit, the numbers are "
            "right.",
            "Put a False somewhere, not in the same place for all samples.",
            _example(2, 2, [[1, 1], [1, 1]]),
            also=(_example(1, 1, [[1, 1]]), _example(2, 3, [[1, 1], [1, 1]])),
            recognise=lambda scores, mask: mask.all(),
        ),
        Mistake(
            "one sample",
            "With a single sample there is one mask, and it goes to every head, as it should. The published program is right "
            "here.",
            "Take at least two samples.",
            _example(1, 2, [[1, 0]]),
            also=(_example(1, 1, [[1, 0]]),),
            recognise=lambda scores, mask: len(scores) == 1,
        ),
        Mistake(
            "one head",
            "With one head and several samples, the mask is stretched over both: the published program returns a shape that "
            "nobody asked for, (b, b, n, m). That is wrong, but it shows, and does not count as silent here.",
            "Let it have several heads too. How many, so that the shape is right?",
            _example(2, 1, [[1, 1], [1, 0]]),
            recognise=lambda scores, mask: scores.shape[1] == 1,
        ),
        Mistake(
            "an error",
            "Here the published program stops with an error: the mask's b meets the scores' h, and the two differ. That is "
            "annoying and does no harm. Wanted is an input on which it says nothing.",
            "For which numbers of samples and heads do the shapes fit by accident?",
            _example(2, 3, [[1, 1], [1, 0]]),
            recognise=lambda scores, mask: scores.shape[0] != scores.shape[1],
        ),
        Mistake(
            "one mask for all samples",
            "The shapes fit by accident, which is the trap. But all your samples have the same mask, so it does no harm that "
            "each head takes another sample's.",
            "Let the masks of two samples differ.",
            _example(2, 2, [[1, 0], [1, 0]]),
            recognise=lambda scores, mask: _same_for_all(mask),
        ),
        Mistake(
            "weights too small to show",
            "Shapes and masks are well chosen: samples get masks that are not theirs. But the keys in question score so far "
            "below the others that their weight is 0, or too small to tell from it, masked or not.",
            "Scores of 0 everywhere will do.",
            _example(2, 2, [[1, 1], [1, 0]], [[[[0, -1000]]] * 2] * 2),
            recognise=lambda scores, mask: True,
        ),
    ),
)
