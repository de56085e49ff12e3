"""The recurrence that sheet 01 asks for, and the same with one of its parts replaced."""

from collections.abc import Callable

import numpy as np


def states(x, w_h, w_x):
    h, found = np.zeros(len(w_h)), []
    for t in range(x.shape[-2]):
        h = np.tanh(h @ w_h + x[..., t, :] @ w_x)
        found.append(h)
    return np.stack(found, axis=-2)


def step(h, token, w_h, w_x):
    return np.tanh(h @ w_h + token @ w_x)


def as_rows(found):
    return np.stack(found, axis=-2)


def recur(step: Callable = step, gather: Callable = as_rows, order: Callable = range) -> Callable:
    """The recurrence with another step, another way to put the states together, or another order of the tokens."""

    def answer(x, w_h, w_x):
        h, found = np.zeros((*x.shape[:-2], len(w_h))), []
        for t in order(x.shape[-2]):
            h = step(h, x[..., t, :], w_h, w_x)
            found.append(h)
        return gather(found)

    return answer
