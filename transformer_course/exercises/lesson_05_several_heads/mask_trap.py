"""Sheet 05: an input on which a mask whose axis for the heads is in the wrong place goes wrong silently."""

import numpy as np

from ..families.attention import hide
from ..kinds import Counterexample
from ..toolkit import known, softmax


def right_weights(scores, mask):
    return softmax(hide(scores, mask[:, None] != 0))


def misplaced(scores, mask):
    return softmax(hide(scores, mask[:, :, None] != 0))


def _silently(scores, mask):
    """What the misplaced axis gives. Where it raises, or the shape betrays it, nobody is misled: that counts as right."""
    right = right_weights(scores, mask)
    try:
        given = misplaced(scores, mask)
    except ValueError:
        return right
    return given if given.shape == right.shape else right


def _invalid(scores, mask):
    if scores.ndim != 4 or scores.size == 0:
        return f"`scores` should have the four axes (b, h, n, m), none of them empty, but has shape {scores.shape}."
    if max(scores.shape) > 8:
        return f"Use small sizes, at most 8 along each axis. `scores` has shape {scores.shape}."
    b, _, n, m = scores.shape
    if mask.shape != (b, n, m):
        return (
            f"For scores of shape {scores.shape}, `mask` should have shape (b, n, m) = {(b, n, m)}: one matrix per "
            f"sequence, without an axis for the heads. It has shape {mask.shape}."
        )
    if not np.isin(mask, (0, 1)).all():
        return "`mask` should hold True and False, or 1 and 0, and nothing else."
    if not mask.any(-1).all():
        return (
            "In `mask`, at least one row is all False. A query with such a row may attend to nothing, so neither "
            "program has an answer. Leave each query at least one key."
        )
    if np.abs(scores).max() > 1000:
        return "Please keep all scores between −1000 and 1000."
    return None


def _example(h, rows, scores=0.0):
    """A mistaken answer: one sequence, two keys, and a row of the mask for each query."""
    mask = np.array([rows], float)
    return np.zeros((1, h, *mask.shape[1:])) + scores, mask


mask_trap = Counterexample(
    id="heads.mask_trap",
    prompt="Scores and a mask for which an axis in the wrong place raises no error and gives the right shape, but "
    "wrong weights.",
    faulty=_silently,
    reference=right_weights,
    invalid=_invalid,
    why=(
        "With as many queries as heads, the shapes fit by accident, so each head silently gets one row of the mask "
        "for all of its queries."
    ),
    hints=(
        "`mask[:, :, None]` has shape (b, n, 1, m). Align it with scores of shape (b, h, n, m). Which axis of the scores does "
        "n meet?",
        "It meets the heads. There is no error if n = h, and head i then gets row i of the mask for every query. When does "
        "that make a difference?",
        "One sequence, two heads, two queries, two keys and scores of 0 are enough. Let the two rows of the mask differ.",
    ),
    mistakes={
        "masks without effect": known(
            "Your mask is True everywhere, so it forbids nothing. Even if the shapes fit, the numbers are right.",
            "Put a False somewhere, but not in the same place for all queries.",
            _example(2, [[1, 1], [1, 1]]),
            _example(1, [[1, 1]]),
            _example(3, [[1, 1], [1, 1]]),
            recognise=lambda scores, mask: mask.all(),
        ),
        "one query": known(
            "You gave a single query, so the mask has one row per sequence. Wherever you put the new axis, this row is "
            "stretched over all heads, as it should be.",
            "Take at least two queries.",
            _example(2, [[1, 0]]),
            _example(1, [[1, 0]]),
            recognise=lambda scores, mask: mask.shape[1] == 1,
        ),
        "one head": known(
            "You gave one head and several queries. Scores and mask are then stretched to fit each other, and the result has "
            "a shape that nobody wants, (b, n, n, m). That is wrong, but it shows, so it does not count as silent here.",
            "Use several heads. How many, so that the shape is right?",
            _example(1, [[1, 0], [1, 1]]),
            recognise=lambda scores, mask: scores.shape[1] == 1,
        ),
        "an error": known(
            "The program stops with an error here, because the mask's axis of queries lines up with the scores' axis of "
            "heads, and the two have different lengths. An error is annoying but does no harm. Look for an input without one.",
            "For which numbers of queries and heads do the shapes fit by accident?",
            _example(3, [[1, 0], [1, 1]]),
            recognise=lambda scores, mask: scores.shape[1] != scores.shape[2],
        ),
        "one row for all queries": known(
            "The shapes fit by accident, which is the trap. But in your mask, all queries of a sequence have the same row, as "
            "with padding. So it does no harm that each head takes the row of a different query.",
            "In lesson 04, which kind of mask has rows that differ?",
            _example(2, [[1, 0], [1, 0]]),
            recognise=lambda scores, mask: (mask == mask[:, :1]).all(),
        ),
        "weights too small to show": known(
            "You chose good shapes and a good mask: queries get rows that are not theirs. But the keys in question score so "
            "far below the others that their weight is 0, or too small to tell from 0, masked or not.",
            "Use scores of 0 everywhere.",
            _example(2, [[1, 0], [1, 1]], scores=np.array([0, -1000])),
            recognise=lambda scores, mask: True,
        ),
    },
)
