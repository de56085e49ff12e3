"""Sheet 16: a tree in which a beam of two misses the most probable text."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Counterexample

LEAST, MOST = 0.3, 0.6


def beam(first, then, width=2):
    """The probability of the best text that a beam finds."""
    kept = np.argsort(first)[::-1][:width]
    return (first[kept, None] * then[kept]).max()


def most_probable(first, then):
    return (first[:, None] * then).max()


def _invalid(first, then):
    if first.shape != (3,) or then.shape != (3, 3):
        return f"`first` should hold 3 numbers and `then` 3 rows of 3; they have shapes {first.shape} and {then.shape}."
    for name, table in (("first", first[None]), ("then", then)):
        if table.min() < 0 or np.abs(table.sum(-1) - 1).max() > 1e-6:
            return f"`{name}` should hold probabilities: none below 0, and each row with the sum 1."
    if first.min() < LEAST - 1e-9:
        return f"Each number of `first` should be at least {LEAST}: the smallest is {first.min():.4g}."
    if then.max() > MOST + 1e-9:
        return f"No number of `then` should be above {MOST}: the largest is {then.max():.4g}."
    if np.abs(np.diff(np.sort(first))).min() < 0.001:
        return "Two numbers of `first` are equal, so that chance would decide what the beam keeps. Let them differ by 0.001 at least."
    return None


def _greedy_finds_it(first, then):
    return np.isclose(beam(first, then, 1), most_probable(first, then))


tree = Counterexample(
    id="decoding.tree",
    answer_name="trap",
    prompt="Probabilities of a tree in which a beam of two misses the most probable text.",
    faulty=beam,
    reference=most_probable,
    invalid=_invalid,
    why="A beam drops a prefix for good, even if its continuation would have made it the most probable text.",
    hints=(
        "Which first token does a beam of two never look behind? The most probable text must begin there.",
        "Let the third first token be only a little less probable than the others, and let its best next token be much more probable "
        "than theirs.",
        "With 0.35, 0.34 and 0.31: the third reaches 0.31 · 0.6 = 0.186. What may stand in the other two rows, so that they stay below?",
    ),
    mistakes=(
        Mistake(
            "greedy finds it already",
            "In your tree greedy finds the most probable text, and then the beam finds it too.",
            "The most probable text must not begin with the most probable token.",
            ([0.36, 0.33, 0.31], [[0.6, 0.2, 0.2], [0.4, 0.3, 0.3], [0.4, 0.3, 0.3]]),
            variants=(([0.31, 0.36, 0.33], [[0.4, 0.3, 0.3], [0.5, 0.3, 0.2], [0.4, 0.4, 0.2]]),),
            recognise=_greedy_finds_it,
        ),
        Mistake(
            "greedy misses it, the beam finds it",
            "In your tree greedy misses the most probable text. But that begins with the *second* most probable token, and a beam of two "
            "keeps it.",
            "With which first token must the most probable text begin?",
            ([0.36, 0.33, 0.31], [[0.4, 0.3, 0.3], [0.6, 0.2, 0.2], [0.4, 0.3, 0.3]]),
            variants=(([0.31, 0.36, 0.33], [[0.4, 0.3, 0.3], [0.4, 0.3, 0.3], [0.2, 0.6, 0.2]]),),
            recognise=lambda first, then: True,
        ),
    ),
)
