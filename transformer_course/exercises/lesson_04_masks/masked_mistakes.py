"""Sheet 04: what goes wrong in attention with a mask."""

from functools import partial

import numpy as np

from ..families import adapted
from ..families.attention import BETWEEN, attention, hide, root, turned
from ..families.mask import MASK, added, filled, overflowing_late
from ..families.scale import ELSEWHERE, SCALE
from ..families.softmax import SOFTMAX, by_rows, over
from ..toolkit import softmax


def refuse(mask):
    if not mask.any(-1).all():
        raise ValueError("one row of the mask has no True at all")


def _refusing(attend=attention, unless=lambda mask: mask.any(-1).all()):
    def refusing(query, key, value, mask, **holes):
        if not unless(mask):
            raise ValueError("the mask allows too little")
        return attend(query, key, value, mask, **holes)

    return refusing


# Each mistake can reject a row in which everything is masked, or not. What it returns for such a row then depends on how it
# hides scores.
_rejecting = _refusing()
_EACH = (_rejecting, attention, partial(attention, hide=filled(-1e9)))


def _with(hole, attends=_EACH):
    """Builds of an attention with this step replaced."""
    return [lambda piece, attend=attend: partial(attend, **{hole: piece}) for attend in attends]


def _inverted(query, key, value, mask):
    """In the check of the rows too."""
    return _rejecting(query, key, value, ~mask)


def _by_index(scores, mask):
    scores = scores.copy()
    scores[~mask] = -np.inf
    return scores


def _row(what, *answers):
    return (
        f"Everything is right except one case: {what} The exercise asks for a ValueError.",
        "Look at each row of the mask before computing anything: is there a True in every one of them?",
        *answers,
    )


MISTAKES = {
    **adapted(
        MASK,
        *_with("weigh_masked", _EACH[:2]),
        more={"mask inverted": (_inverted, _refusing(_inverted))},
    ),
    "only a mask of the scores' shape": (
        "Your function is right only if the mask has exactly the shape of the scores. Indexing with a mask, as in "
        "`scores[~mask]`, does not broadcast. So a mask (b, 1, m) for all queries, or (n, m) for a whole batch, does not fit.",
        "np.where(mask, …, …) broadcasts the mask by itself.",
        *(partial(attend, hide=_by_index) for attend in _EACH[:2]),
    ),
    "one sequence only": (
        "Your function is right only for one sequence (n, d) with a mask (n, m). Something in it assumes exactly two "
        "axes: `.T` also reverses a batch axis, `np.dot` does not multiply a batch matrix by matrix, and axis=1 or a "
        "loop over rows mean something else in a batch.",
        "Multiply with @, swap only the last two axes, key.swapaxes(-2, -1) (torch: key.transpose(-2, -1)), and "
        "count axes from the end.",
        *(partial(attend, score=lambda q, k: turned(q, k) / root(q, k)) for attend in _EACH),
        *(build(weigh) for weigh in (*over(1), by_rows[0], by_rows[2]) for build in _with("weigh")),
    ),
    **adapted(SCALE, *_with("score")),
    **adapted({**ELSEWHERE, **BETWEEN}, *(lambda change, attend=attend: change(attend) for attend in _EACH)),
    **adapted(
        SOFTMAX,
        *_with("weigh"),
        but=("axis counted from the front", "right for a single matrix only", "the smallest score or the mean subtracted"),
        more={"exp overflows": tuple(build(overflowing_late) for build in _with("weigh_masked", _EACH[:2]))},
        axis="-1",
        keepdims="keepdims=True (torch calls it keepdim)",
    ),
    "a row masked whole becomes NaN": _row(
        "a row in which the mask allows no key comes out as NaN, and NaN spreads to everything that is computed from it.",
        attention,
        _refusing(unless=np.any),
    ),
    "a row masked whole becomes zeros": _row(
        "a row in which the mask allows no key silently comes out as zeros, as torch's own function does it. But such a mask is "
        "always the caller's mistake.",
        partial(attention, weigh=lambda scores: np.nan_to_num(softmax(scores))),
        partial(attention, weigh_masked=lambda scores, mask: softmax(filled(-1e9)(scores, mask)) * mask),
    ),
    "a row masked whole shares evenly": _row(
        "in a row in which the mask allows no key, all scores are the same low number, so every forbidden key silently gets "
        "the same weight.",
        *(partial(attention, hide=filled(low)) for low in (-1e9, -1e4)),
    ),
    "a row masked whole as if unmasked": _row(
        "a row in which the mask allows no key comes out as if there were no mask. Either you added the same low number to all "
        "of its scores, which changes no weight, or you left such a row as it was.",
        *(partial(attention, hide=added(low)) for low in (-1e9, -1e4)),
        partial(attention, hide=lambda scores, mask: hide(scores, mask | ~mask.any(-1, keepdims=True))),
    ),
    "a row masked whole in a batch": _row(
        "your check overlooks a row of a batch in which the mask allows no key. A loop over the first axis of such a mask, for "
        "example, sees whole sequences.",
        *(_refusing(each, lambda mask: all(map(np.any, mask))) for each in (*_EACH[1:], partial(attention, hide=added(-1e9)))),
    ),
    "keys that no query may attend to rejected": (
        "You raise ValueError for a key that no query may attend to. But that is allowed: every padding token is "
        "such a key. Only reject a query that may attend to no key.",
        "Queries are rows: look for a True along the last axis, -1.",
        *(_refusing(each, lambda mask, axis=axis: mask.any(axis).all()) for axis in (-2, 0, 1) for each in _EACH[1:]),
    ),
}
