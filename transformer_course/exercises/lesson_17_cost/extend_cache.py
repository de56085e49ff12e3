"""Sheet 17: extend a cache of keys and values by those of new tokens."""

from dataclasses import replace

import numpy as np

from ..exercise import Mistake, Verdict, an_object, as_array, close
from ..kinds import Implement
from ..toolkit import normal

PARTS = "key", "value"
RETURN = 'Write `return {"key": …, "value": …}`.'


class ImplementCache(Implement):
    """Write a function that returns a mapping with "key" and "value"."""

    def judge(self, seed, outcomes):
        verdict = super().judge(seed, [replace(outcome, value=_pair(outcome.value)) for outcome in outcomes])
        if verdict.passed and not isinstance(outcomes[0].value, dict):
            returned = an_object(outcomes[0].type)
            message = f"Your arrays are right. But the function should return a mapping, and yours returned {returned}."
            return Verdict(False, "type", message, RETURN, score=0.5)
        return verdict

    def _problem(self, question, outcome, expected):
        if outcome.error:
            return super()._problem(question, outcome, expected)
        given = self._described(question, shapes=True)
        pair = outcome.value
        if not isinstance(pair, list) or len(pair) != 2:
            if isinstance(pair, dict):
                has = f"it returned a mapping with {', '.join(map('`{:.40}`'.format, pair)) or 'nothing in it'}"
            else:
                has = f"it returned {an_object(outcome.type)}"
            message = f'For {given}, the function should return a mapping with "key" and "value", but {has}.'
            return Verdict(False, "type", message, RETURN)
        for name, value, right in zip(PARTS, pair, _pair(expected.value), strict=True):
            seen = as_array(value)
            if seen is None:
                return Verdict(False, "type", f'For {given}, "{name}" is not an array of numbers.')
            if seen.shape != right.shape:
                message = f'For {given}, "{name}" should have shape {right.shape}, but has {seen.shape}.'
                return Verdict(False, "shape", message)
            if not close(seen, right):
                token = int(np.argwhere(~np.isclose(seen, right))[0][2])
                message = f'For {given}, "{name}" has the right shape but wrong numbers, first at token {token}.'
                return Verdict(False, "value", message)
        return None


def _pair(value):
    """Turn a mapping with both parts, or one array that holds both, into a list of the two; leave everything else."""
    if isinstance(value, dict) and set(value) == set(PARTS):
        return [value[name] for name in PARTS]
    if isinstance(value, np.ndarray) and value.ndim == 5 and len(value) == 2:
        return list(value)
    return value


def _by(join_key, join_value=None):
    """Join (old, new) keys and values; return a pair, because answers are compared as pairs."""
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
    prompt="A cache extended by the keys and values of new tokens, for a batch and all heads.",
    reference=extend_cache,
    draw=_draw,
    alternatives=(_filled, _in_lists, _appended),
    why=(
        "The tokens are on the second-to-last axis, and keys and values of earlier tokens never change, so new ones are "
        "simply appended."
    ),
    hints=(
        "Old and new arrays have shape (b, h, n, d), with a different n. Which axis counts the tokens?",
        "np.concatenate([old, new], axis=2) joins two arrays along axis 2, old before new. In torch, use torch.cat with dim=2.",
        'Do it once for the keys and once for the values, and return both in a new mapping: {"key": …, "value": …}.',
    ),
    mistakes=(
        Mistake(
            "joined along the width",
            "You concatenated along the last axis, the numbers of a key. That makes wider keys, not more of them, and"
            " fails if there are fewer new tokens than old ones.",
            "In (b, h, n, d), the tokens are along axis 2.",
            _by(_along(-1)),
        ),
        Mistake(
            "joined along the heads",
            "You concatenated along axis 1, which gives more heads.",
            "In (b, h, n, d), the tokens are along axis 2.",
            _by(_along(1)),
        ),
        Mistake(
            "joined along the batch",
            "You concatenated along axis 0, as if the new tokens were more texts. This is the default of np.concatenate and "
            "torch.cat.",
            "Pass axis=2 (in torch, dim=2).",
            _by(_along(0)),
            variants=(_by(lambda old, new: np.vstack([old, new])),),
        ),
        Mistake(
            "new ones in front",
            "You put the new tokens before the old ones. Attention without positions would not notice, but rotary positions and masks "
            "count from the first token.",
            "A text grows at its end.",
            _by(lambda old, new: np.concatenate([new, old], axis=2)),
        ),
        Mistake(
            "only the new ones",
            "The old tokens are gone, so the new one could attend only to itself.",
            "Join the old tokens and the new ones.",
            _by(lambda old, new: new),
        ),
        Mistake(
            "nothing new",
            "You returned the cache unchanged. The new token should be in it, because a token also attends to itself.",
            "Join the old tokens and the new ones.",
            _by(lambda old, new: old),
        ),
        Mistake(
            "key and value swapped",
            "You joined everything, but the keys and values have swapped places.",
            'Which array belongs to "key"?',
            lambda cache, key, value: _by(_along(2))(cache, key, value)[::-1],
            variants=(lambda cache, key, value: _by(_along(2))(cache, value, key),),
        ),
        Mistake(
            "only keys",
            "You extended the keys, but not the values. So the new token gets a weight, but there is no value for it.",
            "Do the same for the values.",
            _by(_along(2), lambda old, new: old),
            variants=(_by(_along(2), lambda old, new: new),),
        ),
        Mistake(
            "only values",
            "You extended the values, but not the keys. So no query can find the new token.",
            "Do the same for the keys.",
            _by(lambda old, new: old, _along(2)),
            variants=(_by(lambda old, new: new, _along(2)),),
        ),
        Mistake(
            "keys twice",
            "You put the keys in both places.",
            'Which array belongs to "value"?',
            lambda cache, key, value: [_along(2)(cache["key"], key)] * 2,
            variants=(lambda cache, key, value: _by(_along(2))(cache, key, key),),
        ),
        Mistake(
            "the oldest dropped",
            "There are as many tokens as before: for each new one, you dropped an old one. That is a sliding window, which forgets the beginning of "
            "the text.",
            "Keep all the old tokens.",
            _by(lambda old, new: np.concatenate([old, new], axis=2)[:, :, new.shape[2] :]),
        ),
        Mistake(
            "one of the new tokens",
            "You added only one of several new tokens. When a prompt is read, all of its tokens come in one call.",
            "Add all tokens of `key` and `value`, however many there are.",
            _by(lambda old, new: np.concatenate([old, new[:, :, -1:]], axis=2)),
            variants=(_by(lambda old, new: np.concatenate([old, new[:, :, :1]], axis=2)),),
        ),
        Mistake(
            "added",
            "You added the new keys to the old ones, number by number, so that neither can be recovered. They should come one after "
            "the other.",
            "`+` joins lists, but it adds arrays. Use np.concatenate to join arrays.",
            _by(lambda old, new: old + new),
        ),
    ),
)
