"""Sheet 17: a cache of keys and values, extended by those of new tokens."""

from dataclasses import replace

import numpy as np

from ..exercise import Mistake, Verdict, as_array, close
from ..kinds import Implement
from ..toolkit import normal

PARTS = "key", "value"


class ImplementCache(Implement):
    """Write a function that returns a mapping with "key" and "value"."""

    def judge(self, seed, outcomes):
        verdict = super().judge(seed, [replace(outcome, value=_pair(outcome.value)) for outcome in outcomes])
        if verdict.passed and not isinstance(outcomes[0].value, dict):
            message = f"The arrays are right. But a mapping was expected, and your function returned {outcomes[0].type}."
            return Verdict(False, "type", message, 'return {"key": …, "value": …}', score=0.5)
        return verdict

    def _problem(self, question, outcome, expected):
        if outcome.error:
            return super()._problem(question, outcome, expected)
        given = self._described(question, shapes=True)
        pair = outcome.value
        if not isinstance(pair, list) or len(pair) != 2:
            if isinstance(pair, dict):
                has = f"a mapping with {', '.join(map('`{:.40}`'.format, pair)) or 'nothing in it'} came back"
            else:
                has = "nothing came back" if outcome.type == "NoneType" else f"{outcome.type} came back"
            message = f'For {given}, a mapping with "key" and "value" was expected, and {has}.'
            return Verdict(False, "type", message, 'return {"key": …, "value": …}')
        for name, value, right in zip(PARTS, pair, _pair(expected.value), strict=True):
            seen = as_array(value)
            if seen is None:
                return Verdict(False, "type", f'For {given}, "{name}" is no array of numbers.')
            if seen.shape != right.shape:
                message = f'For {given}, "{name}" should have shape {right.shape}, and has {seen.shape}.'
                return Verdict(False, "shape", message)
            if not close(seen, right):
                token = int(np.argwhere(~np.isclose(seen, right))[0][2])
                message = (
                    f'For {given}, "{name}" has the right shape, and other numbers than expected, first at token {token}.'
                )
                return Verdict(False, "value", message)
        return None


def _pair(value):
    """A mapping with both parts as a list of the two; one array that holds both, likewise; all else as it is."""
    if isinstance(value, dict) and set(value) == set(PARTS):
        return [value[name] for name in PARTS]
    if isinstance(value, np.ndarray) and value.ndim == 5 and len(value) == 2:
        return list(value)
    return value


def _by(join_key, join_value=None):
    """Both parts from what becomes of (old, new) keys and values. As a pair: that is how answers are compared."""
    return lambda cache, key, value: [
        join_key(cache["key"], key),
        (join_value or join_key)(cache["value"], value),
    ]


def _along(axis):
    return lambda old, new: np.concatenate([old, new], axis=axis)


def extend_cache(cache, key, value):
    return dict(zip(PARTS, _by(_along(2))(cache, key, value), strict=True))


def _draw(rng):
    def sized(b, h, old, new, d):
        return [{name: normal(rng, b, h, old, d) for name in PARTS}, normal(rng, b, h, new, d), normal(rng, b, h, new, d)]

    return [
        sized(1, 2, 3, 1, 4),
        sized(2, 3, 5, 1, 4),
        sized(3, 2, 0, 4, 5),  # the first call brings all that is read at once
        sized(2, 2, 2, 2, 2),  # along each axis they can be joined
        sized(2, 4, 3, 6, 5),  # several tokens at once, and more of them than before
    ]


def _filled(cache, key, value):
    result = {}
    for name, new in zip(PARTS, (key, value), strict=True):
        old = np.asarray(cache[name])
        whole = np.empty((*old.shape[:2], old.shape[2] + new.shape[2], old.shape[3]))
        whole[:, :, : old.shape[2]], whole[:, :, old.shape[2] :] = old, new
        result[name] = whole
    return result


def _in_lists(cache, key, value):
    def behind(old, new):
        return [[[*o.tolist(), *n.tolist()] for o, n in zip(*heads, strict=True)] for heads in zip(old, new, strict=True)]

    return {"value": behind(cache["value"], value), "key": behind(cache["key"], key)}


def _appended(cache, key, value):
    return {name: np.append(cache[name], new, axis=-2) for name, new in (("key", key), ("value", value))}


extend = ImplementCache(
    id="decoding.extend_cache",
    answer_name="extend_cache",
    prompt="Keys and values of new tokens joined to those in a cache, for a batch and all heads.",
    reference=extend_cache,
    draw=_draw,
    alternatives=(_filled, _in_lists, _appended),
    why=(
        "The tokens are on the second-to-last axis, and keys and values of earlier tokens never change, so new ones are "
        "simply appended."
    ),
    hints=(
        "Old and new have the shape (b, h, n, d), with another n. Along which axis do tokens lie?",
        "np.concatenate([old, new], axis=2) joins two arrays along axis 2, the old ones first. In torch: torch.cat with dim=2.",
        'Once for keys, once for values, and both into a new mapping: return {"key": …, "value": …}.',
    ),
    mistakes=(
        Mistake(
            "joined along the width",
            "You concatenated along the last axis, the numbers of a key. That makes wider keys, not more of them, and"
            " fails if there are fewer new tokens than old ones.",
            "Tokens lie along axis 2 of (b, h, n, d).",
            _by(_along(-1)),
        ),
        Mistake(
            "joined along the heads",
            "You concatenated along axis 1, which gives more heads.",
            "Tokens are along axis 2: the shape is (b, h, n, d).",
            _by(_along(1)),
        ),
        Mistake(
            "joined along the batch",
            "Old and new are joined along axis 0, as if the new tokens were other texts. That is what np.concatenate and torch.cat do if "
            "nothing is said.",
            "Say axis=2 (in torch, dim=2).",
            _by(_along(0)),
            variants=(_by(lambda old, new: np.vstack([old, new])),),
        ),
        Mistake(
            "new ones in front",
            "The new tokens stand in front of the old ones. Attention alone would not notice, as long as nobody asks for positions; but keys and "
            "queries with positions, and masks, count from the first token.",
            "The text goes on at its end.",
            _by(lambda old, new: np.concatenate([new, old], axis=2)),
        ),
        Mistake(
            "only the new ones",
            "What was in the cache is gone: the new token would look at itself alone.",
            "Old and new, joined.",
            _by(lambda old, new: new),
        ),
        Mistake(
            "nothing new",
            "The cache came back as it was. The new token should be among the keys: a token attends to itself as well.",
            "Old and new, joined.",
            _by(lambda old, new: old),
        ),
        Mistake(
            "key and value exchanged",
            "All is joined, but keys and values have changed places.",
            'What belongs to "key"?',
            lambda cache, key, value: _by(_along(2))(cache, key, value)[::-1],
            variants=(lambda cache, key, value: _by(_along(2))(cache, value, key),),
        ),
        Mistake(
            "keys alone",
            "The keys are extended, the values are not. A weight for a token without a value can mix nothing.",
            "The same once more, for values.",
            _by(_along(2), lambda old, new: old),
            variants=(_by(_along(2), lambda old, new: new),),
        ),
        Mistake(
            "values alone",
            "The values are extended, the keys are not: nobody finds the new token.",
            "The same once more, for keys.",
            _by(lambda old, new: old, _along(2)),
            variants=(_by(lambda old, new: new, _along(2)),),
        ),
        Mistake(
            "keys twice",
            "The keys went into both places.",
            'What belongs to "value"?',
            lambda cache, key, value: [_along(2)(cache["key"], key)] * 2,
            variants=(lambda cache, key, value: _by(_along(2))(cache, key, key),),
        ),
        Mistake(
            "the oldest dropped",
            "There are no more tokens than before: for each new one an old one is gone. That is a window, which forgets the beginning of "
            "the text.",
            "A cache grows by the new tokens.",
            _by(lambda old, new: np.concatenate([old, new], axis=2)[:, :, new.shape[2] :]),
        ),
        Mistake(
            "one of the new tokens",
            "Of several new tokens only one has gone in. When a text is read first, all of its tokens come in one call.",
            "Look at a question in which the new part has more than one token.",
            _by(lambda old, new: np.concatenate([old, new[:, :, -1:]], axis=2)),
            variants=(_by(lambda old, new: np.concatenate([old, new[:, :, :1]], axis=2)),),
        ),
        Mistake(
            "added",
            "New keys are added to the old ones, number by number. Then neither can be told apart any more; they should stand one behind "
            "the other.",
            "`+` joins lists, but adds arrays. np.concatenate joins arrays.",
            _by(lambda old, new: old + new),
        ),
    ),
)
