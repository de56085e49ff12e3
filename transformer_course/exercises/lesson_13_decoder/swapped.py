"""Sheet 13: a target and a source of different lengths on which a swapped cross-attention is wrong without a word."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Counterexample
from ..toolkit import softmax


def attend(queries_from, keys_and_values_from):
    scores = queries_from @ keys_and_values_from.T / np.sqrt(queries_from.shape[1])
    return softmax(scores) @ keys_and_values_from


def right_sum(x, memory):
    return x + attend(x, memory)


def swapped_sum(x, memory):
    return x + attend(memory, x)


def _silently(x, memory):
    """What the swapped program gives. Where it raises, or the shape betrays it, nobody is misled: that counts as right."""
    try:
        given = swapped_sum(x, memory)
    except ValueError:
        return right_sum(x, memory)
    return given if given.shape == x.shape else right_sum(x, memory)


def _invalid(x, memory):
    for name, array in (("x", x), ("memory", memory)):
        if array.ndim != 2 or array.size == 0:
            return f"`{name}` should have two axes, a row for each token, none of them empty, and has shape {array.shape}."
        if max(array.shape) > 6 or np.abs(array).max() > 10:
            return f"Small arrays will do: in `{name}`, at most 6 along each axis, and numbers between −10 and 10."
    if x.shape[1] != memory.shape[1]:
        return f"Both need one width. `x` is {x.shape[1]} wide, `memory` {memory.shape[1]}."
    if len(x) == len(memory):
        return (
            "With n = m you have seen it in the lesson. Here the target is to have another number of tokens than the source."
        )
    return None


def _example(n, m, x=None):
    target = np.arange(2.0 * n).reshape(n, 2) if x is None else x
    return [target, np.arange(2.0 * m).reshape(m, 2) - 1]


trap = Counterexample(
    id="decoder.swapped",
    answer_name="trap",
    prompt="A target and a source of different lengths on which a swapped cross-attention is wrong without a word.",
    faulty=_silently,
    reference=right_sum,
    invalid=_invalid,
    why="A source of length 1 makes the wrong result stretch to the right shape by broadcasting, so no error warns you.",
    hints=(
        "The swapped program adds a table of m rows to one of n rows. When does Python add two such tables although m and n differ?",
        "Axes of length 1 are stretched to fit (lesson 05). Which of the two lengths must be 1, so that the sum has the target's shape?",
    ),
    mistakes=(
        Mistake(
            "an error",
            "Here the swapped program stops with an error: m rows cannot be added to n. You are looking for an input "
            "on which it fails silently.",
            "Which length lets a table be added to one of any length?",
            _example(3, 2),
            variants=(_example(2, 5),),
            recognise=lambda x, memory: len(x) > 1 and len(memory) > 1,
        ),
        Mistake(
            "the target stretched",
            "Here the swapped program raises no error, but its result has as many rows as the source, where the target has one. That is "
            "wrong, and it shows.",
            "It is the other side that must be stretched.",
            _example(1, 3),
            recognise=lambda x, memory: len(x) == 1,
        ),
        Mistake(
            "the same numbers",
            "The lengths are well chosen: the program says nothing, and the shape is right. But on this input the numbers happen to be right "
            "too, since what the swapped attention mixes is the memory's only row.",
            "Let the target's tokens differ from the source's.",
            [np.ones((3, 2)), np.ones((1, 2))],
            recognise=lambda x, memory: True,
        ),
    ),
)
