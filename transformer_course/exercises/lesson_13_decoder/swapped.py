"""Sheet 13: a target and a source of different lengths for which a swapped cross-attention is silently wrong."""

import numpy as np

from ..kinds import Counterexample
from ..toolkit import known, softmax


def attend(queries_from, keys_and_values_from):
    scores = queries_from @ keys_and_values_from.T / np.sqrt(queries_from.shape[1])
    return softmax(scores) @ keys_and_values_from


def right_sum(x, memory):
    return x + attend(x, memory)


def swapped_sum(x, memory):
    return x + attend(memory, x)


def _silently(x, memory):
    """Return what the swapped program gives, or the right sum where an error or the shape would reveal the mistake."""
    try:
        given = swapped_sum(x, memory)
    except ValueError:
        return right_sum(x, memory)
    return given if given.shape == x.shape else right_sum(x, memory)


def _invalid(x, memory):
    for name, array in (("x", x), ("memory", memory)):
        if array.ndim != 2 or array.size == 0:
            return f"`{name}` should be a non-empty array of two axes, with one row per token, but has shape {array.shape}."
        if max(array.shape) > 6 or np.abs(array).max() > 10:
            return f"`{name}` should have at most 6 rows and columns, and numbers between −10 and 10."
    if x.shape[1] != memory.shape[1]:
        return f"Both arrays need the same width, but `x` has width {x.shape[1]} and `memory` has width {memory.shape[1]}."
    if len(x) == len(memory):
        return "The lesson already shows the case n = m. Here, give the target and the source different numbers of tokens."
    return None


def _example(n, m, x=None):
    target = np.arange(2.0 * n).reshape(n, 2) if x is None else x
    return [target, np.arange(2.0 * m).reshape(m, 2) - 1]


trap = Counterexample(
    id="decoder.swapped",
    prompt="A target and a source of different lengths for which a swapped cross-attention is wrong but raises no error.",
    faulty=_silently,
    reference=right_sum,
    invalid=_invalid,
    why="If the source has length 1, broadcasting stretches the wrong result to the right shape, so no error warns you.",
    hints=(
        "The swapped program adds an array of m rows to one of n rows. When can NumPy add two such arrays even though m and n "
        "differ?",
        "Broadcasting stretches axes of length 1 (lesson 05). Which of the two lengths must be 1 for the sum to have the target's shape?",
    ),
    mistakes={
        "an error": known(
            "Here the swapped program stops with an error: m rows cannot be added to n. You are looking for an input "
            "on which it fails silently.",
            "How many rows must an array have so that it can be added to one with any other number of rows?",
            _example(3, 2),
            _example(2, 5),
            recognise=lambda x, memory: len(x) > 1 and len(memory) > 1,
        ),
        "the target stretched": known(
            "Here the swapped program raises no error, but its result has as many rows as the source, while the target has only one. "
            "So the shape gives the bug away.",
            "What happens if you swap the two lengths?",
            _example(1, 3),
            recognise=lambda x, memory: len(x) == 1,
        ),
        "the same numbers": known(
            "Your lengths work: there is no error, and the shape is right. But on this input, the numbers happen to be right "
            "as well, because the swapped attention's average of your target rows is the same as the memory's only row.",
            "Use different numbers in the target and in the source.",
            [np.ones((3, 2)), np.ones((1, 2))],
            recognise=lambda x, memory: True,
        ),
    },
)
