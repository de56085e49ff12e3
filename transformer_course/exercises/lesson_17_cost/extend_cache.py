"""Sheet 17: extend a cache of keys and values by those of new tokens."""

from dataclasses import replace

import numpy as np

from ..exercise import Verdict, an_object, as_array, close
from ..families import adapted
from ..families import cache as cache_of
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


def _joined(extend):
    """Return a pair, because answers are compared as pairs."""
    return lambda cache, key, value: list(extend((cache["key"], cache["value"]), (key, value)))


def extend_cache(cache, key, value):
    return dict(zip(PARTS, _joined(cache_of.extend)(cache, key, value), strict=True))


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


def _appended(cache, key, value):
    return {name: np.append(cache[name], new, axis=-2) for name, new in (("key", key), ("value", value))}


extend = ImplementCache(
    id="decoding.extend_cache",
    answer_name="extend_cache",
    prompt="A cache extended by the keys and values of new tokens, for a batch and all heads.",
    reference=extend_cache,
    draw=_draw,
    alternatives=(_appended,),
    why=(
        "The tokens are on the second-to-last axis, and keys and values of earlier tokens never change, so new ones are "
        "simply appended."
    ),
    hints=(
        "Old and new arrays have shape (b, h, n, d), with a different n. Which axis counts the tokens?",
        "np.concatenate([old, new], axis=2) joins two arrays along axis 2, old before new. In torch, use torch.cat with "
        "dim=2.",
        'Do it once for the keys and once for the values, and return both in a new mapping: {"key": …, "value": …}.',
    ),
    mistakes=adapted(cache_of.CACHE, _joined),
)
