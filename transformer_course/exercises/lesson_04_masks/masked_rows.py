"""Sheet 04: what goes wrong with a row that is masked whole, and the steps of which wrong attention is put together."""

import numpy as np

from ..exercise import Mistake
from ..lesson_02_self_attention.softmax import softmax


def refuse(mask):
    if not mask.any(-1).all():
        raise ValueError("one row of the mask has no True at all")


def attend(weigh, width=lambda q, k, v: np.sqrt(q.shape[-1]), turn=lambda k: k.swapaxes(-2, -1), mix=lambda a, v: a @ v):
    """Attention with one of its steps replaced; a row masked whole is not refused."""
    return lambda query, key, value, mask: mix(weigh(query @ turn(key) / width(query, key, value), mask), value)


def _refusing(answer):
    def refusing(query, key, value, mask):
        refuse(mask)
        return answer(query, key, value, mask)

    return refusing


def both(*answers):
    return [spelling for answer in answers for spelling in (_refusing(answer), answer)]


def mistake(name, diagnosis, hint, spellings) -> Mistake:
    return Mistake(name, diagnosis, hint, spellings[0], variants=spellings[1:])


def filled(low, weigh=softmax):
    return lambda scores, mask: weigh(np.where(mask, scores, low))


def added(low):
    return lambda scores, mask: softmax(scores + np.where(mask, 0, low))


masked = filled(-np.inf)


def _refusing_keys(axis):
    def refusing(query, key, value, mask):
        if not mask.any(axis).all():
            raise ValueError("a key that no query may attend to")
        return attend(masked)(query, key, value, mask)

    return refusing


def _refusing_all_false_only(query, key, value, mask):
    if not mask.any():
        raise ValueError("nothing is allowed")
    return attend(masked)(query, key, value, mask)


_LOOK = "Look at each row of the mask before computing anything: is there a True in every one of them?"

WHOLE_ROWS = (
    mistake(
        "a row masked whole becomes NaN",
        "Everything is right but one thing: a row in which the mask allows no key comes out as NaN, and NaN spreads through all "
        "that is computed from it. Asked for is a ValueError.",
        _LOOK,
        [attend(masked), _refusing_all_false_only],
    ),
    mistake(
        "a row masked whole becomes zeros",
        "Everything is right but one thing: a row in which the mask allows no key comes out as zeros, and nobody is told. torch's "
        "own function does so; asked for is a ValueError, since such a mask is always a slip of the caller.",
        _LOOK,
        [
            attend(lambda s, mask: np.nan_to_num(masked(s, mask))),
            attend(lambda s, mask: filled(-1e9)(s, mask) * mask),
        ],
    ),
    mistake(
        "a row masked whole shares evenly",
        "Everything is right but one thing: in a row in which the mask allows no key, all scores are the same low number, so every "
        "forbidden key gets the same weight, and nobody is told. Asked for is a ValueError.",
        _LOOK,
        [attend(filled(low)) for low in (-1e9, -1e4)],
    ),
    mistake(
        "a row masked whole as if unmasked",
        "Everything is right but one thing: a row in which the mask allows no key comes out as if there were no mask. The same low "
        "number was added to all of its scores, and that changes no weight; or such a row was left as it was. Asked for is a "
        "ValueError.",
        _LOOK,
        [
            *(attend(added(low)) for low in (-1e9, -1e4)),
            attend(lambda s, mask: masked(s, mask | ~mask.any(-1, keepdims=True))),
        ],
    ),
    mistake(
        "keys that nobody may attend to refused",
        "You raise ValueError for a key that no query may attend to. That is allowed, and every padding token is such a key. "
        "What must be refused is a query that may attend to no key.",
        "Queries are rows: look for a True along the last axis, -1.",
        [_refusing_keys(axis) for axis in (-2, 0, 1)],
    ),
)
