"""Attention with a mask, and the wrong steps that its mistakes are put together from."""

import numpy as np

from ..toolkit import softmax


def refuse(mask):
    if not mask.any(-1).all():
        raise ValueError("one row of the mask has no True at all")


def attend(weigh, width=lambda q, k, v: np.sqrt(q.shape[-1]), turn=lambda k: k.swapaxes(-2, -1), mix=lambda a, v: a @ v):
    """Attention with one of its steps replaced. A row in which everything is masked is not rejected.

    ``weigh(scores, mask)`` returns the weights.
    """
    return lambda query, key, value, mask: mix(weigh(query @ turn(key) / width(query, key, value), mask), value)


def _refusing(answer):
    def refusing(query, key, value, mask):
        refuse(mask)
        return answer(query, key, value, mask)

    return refusing


def both(*answers):
    """Each answer twice: rejecting a row in which everything is masked, and not."""
    return [variant for answer in answers for variant in (_refusing(answer), answer)]


def filled(low, weigh=softmax):
    """Weights with ``low`` in place of the forbidden scores."""
    return lambda scores, mask: weigh(np.where(mask, scores, low))


def added(low):
    """Weights with ``low`` added to the forbidden scores."""
    return lambda scores, mask: softmax(scores + np.where(mask, 0, low))


masked = filled(-np.inf)


def renormalised(tiny=0.0):
    """Weights masked after softmax, then divided by their sum."""

    def weigh(scores, mask):
        weights = softmax(scores) * mask
        return weights / (weights.sum(-1, keepdims=True) + tiny)

    return weigh


def causal_too(low, given):
    """Weights with a causal mask, alone or with the ``given`` one."""

    def weigh(scores, mask):
        causal = np.tril(np.ones(scores.shape[-2:], bool))
        return softmax(np.where(causal & mask if given else causal, scores, low))

    return weigh


def overflowing_late(scores, mask):
    return np.exp(scores) * mask / (np.exp(scores) * mask).sum(-1, keepdims=True)


def minus_infinite_exponentials(scores, mask):
    exponentials = np.where(mask, np.exp(scores - scores.max(-1, keepdims=True)), -np.inf)
    return exponentials / exponentials.sum(-1, keepdims=True)


def by_index(query, key, value, mask):
    scores = query @ key.swapaxes(-2, -1) / np.sqrt(query.shape[-1])
    scores[~mask] = -np.inf
    return softmax(scores) @ value


def by_row_and_column(query, key, value, mask):
    output = []
    for i in range(len(query)):
        scores = [query[i] @ key[j] / np.sqrt(query.shape[1]) if mask[i, j] else -np.inf for j in range(len(key))]
        output.append(softmax(np.array(scores)) @ value)
    return np.array(output)


def with_dot(query, key, value, mask):
    return np.dot(masked(np.dot(query, key.T) / np.sqrt(query.shape[1]), mask), value)


def refusing_keys(axis):
    def refusing(query, key, value, mask):
        if not mask.any(axis).all():
            raise ValueError("a key that no query may attend to")
        return attend(masked)(query, key, value, mask)

    return refusing


def refusing_all_true(query, key, value, mask):
    """The mask read the other way round, in the check of its rows too."""
    refuse(~mask)
    return attend(masked)(query, key, value, ~mask)


def refusing_all_false_only(query, key, value, mask):
    if not mask.any():
        raise ValueError("nothing is allowed")
    return attend(masked)(query, key, value, mask)


WRONG_WIDTHS = (
    lambda q, k, v: q.shape[-1],
    lambda q, k, v: 1 / np.sqrt(q.shape[-1]),
    lambda q, k, v: np.sqrt(v.shape[-1]),
    lambda q, k, v: np.sqrt(k.shape[-2]),
    lambda q, k, v: np.sqrt(q.shape[-2]),
    lambda q, k, v: np.sqrt(q.shape[1]),
    lambda q, k, v: np.sqrt(len(q)),
    lambda q, k, v: np.sqrt(len(k)),
)
