"""What goes wrong when keys and values of earlier tokens are kept. A piece is ``extend(old, new)``, of pairs (keys, values).

Keys and values have shape (b, h, n, d), with a different n in old and new ones.
"""

import numpy as np


def behind(old, new):
    return np.concatenate([old, new], axis=2)


def in_front(old, new):
    return np.concatenate([new, old], axis=2)


def _each(join_keys, join_values):
    return lambda old, new: (join_keys(old[0], new[0]), join_values(old[1], new[1]))


def _both(join):
    return _each(join, join)


extend = _both(behind)

CACHE = {
    "new ones in front": (
        "The new keys and values come before the old ones. A mask expects them in the order of the text.",
        "A text grows at its end: the old ones come first.",
        _both(in_front),
    ),
    "keys and values in different orders": (
        "Keys are joined in one order, and values in the other, so a weight meets the value of a different token.",
        "The old ones come first, for both.",
        _each(in_front, behind),
        _each(behind, in_front),
    ),
    "only the new ones": (
        "The keys and values of the old tokens are gone, so nobody can attend to them any more.",
        "Join the old tokens and the new ones.",
        lambda old, new: new,
    ),
    "nothing new": (
        "The new keys and values are missing. They belong there too, because a token also attends to itself.",
        "Join the old tokens and the new ones.",
        lambda old, new: old,
    ),
    "keys and values swapped": (
        "Everything is joined, but the keys and values have swapped places.",
        'Which of them belongs to "key"?',
        lambda old, new: extend(old, new)[::-1],
        lambda old, new: extend(old, new[::-1]),
    ),
    "the same twice": (
        "The same is in both places: keys as values too, or values as keys too.",
        'Look at what goes into "key" and into "value".',
        lambda old, new: (extend(old, new)[0],) * 2,
        lambda old, new: (extend(old, new)[1],) * 2,
        lambda old, new: extend(old, (new[0], new[0])),
        lambda old, new: extend(old, (new[1], new[1])),
    ),
    "new ones twice": (
        "The new tokens are there twice: something joins them with what contains them already.",
        "Join once, and keep the result.",
        _both(lambda old, new: behind(behind(old, new), new)),
    ),
    "the oldest dropped": (
        "There are as many tokens as before: for each new one, an old one was dropped. That is a sliding window, which "
        "forgets the beginning of the text.",
        "Keep all the old tokens.",
        _both(lambda old, new: behind(old, new)[:, :, new.shape[2] :]),
    ),
    "one of the new tokens": (
        "Only one of several new tokens has been added. When a prompt is read, all of its tokens come in one call.",
        "Add all new tokens, however many there are.",
        _both(lambda old, new: behind(old, new[:, :, -1:])),
        _both(lambda old, new: behind(old, new[:, :, :1])),
    ),
    "added": (
        "The new keys and values are added to the old ones, number by number, so that neither can be recovered. Each token "
        "needs its own.",
        "`+` joins lists, but it adds the numbers of arrays. np.concatenate and torch.cat join arrays, one after the other.",
        _both(lambda old, new: old + new),
    ),
    "only keys": (
        "The keys are extended, but not the values. So the new token gets a weight, but there is no value for it.",
        "Do the same for the values.",
        *(_each(behind, other) for other in (lambda old, new: old, lambda old, new: new)),
    ),
    "only values": (
        "The values are extended, but not the keys. So no query can find the new token.",
        "Do the same for the keys.",
        *(_each(other, behind) for other in (lambda old, new: old, lambda old, new: new)),
    ),
    **{
        f"joined along the {what}": (
            f"Old and new ones are joined along axis {axis}, as if the new ones were {more}.",
            "In (b, h, n, d), the tokens are along axis 2. Pass that axis; np.concatenate and torch.cat take axis 0 by "
            "default.",
            _both(lambda old, new, axis=axis: np.concatenate([old, new], axis=axis)),
        )
        for axis, what, more in ((0, "batch", "more texts"), (1, "heads", "more heads"), (3, "width", "more numbers of a key"))
    },
}
