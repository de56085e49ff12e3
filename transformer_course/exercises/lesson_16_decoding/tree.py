"""Sheet 16: a tree in which a beam of width 2 misses the most probable sequence."""

import numpy as np

from ..kinds import Counterexample
from ..toolkit import known

LEAST, MOST = 0.3, 0.6
WIDEST = 100  # tokens in a row of `then`


def beam(first, then, width=2):
    """Return the probability of the best sequence that a beam finds."""
    kept = np.argsort(first)[::-1][:width]
    return (first[kept, None] * then[kept]).max()


def most_probable(first, then):
    return (first[:, None] * then).max()


def _invalid(first, then):
    if first.shape != (3,) or then.ndim != 2 or len(then) != 3:
        return f"`first` should hold 3 numbers and `then` 3 rows; yours have shapes {first.shape} and {then.shape}."
    if not 2 <= then.shape[1] <= WIDEST:
        return f"Each row of `then` should hold 2 to {WIDEST} probabilities; yours hold {then.shape[1]}."
    for name, table in (("first", first[None]), ("then", then)):
        if table.min() < 0 or np.abs(table.sum(-1) - 1).max() > 1e-6:
            return f"`{name}` should hold probabilities: none below 0, and a sum of 1 in each row."
    if first.min() < LEAST - 1e-9:
        return f"Each number in `first` should be at least {LEAST}; your smallest is {first.min():.4g}."
    if then.max() > MOST + 1e-9:
        return f"No number in `then` should be above {MOST}; your largest is {then.max():.4g}."
    ordered = np.sort(first)[::-1]
    if (equal := np.flatnonzero(-np.diff(ordered) < 0.001)).size:
        pair = f"{ordered[equal[0]]:.4g} and {ordered[equal[0] + 1]:.4g}"
        return f"Two numbers in `first` are (almost) equal, {pair}, so chance would decide their order. Let them differ by at least 0.001."
    return None


tree = Counterexample(
    id="decoding.tree",
    prompt="The probabilities of a tree in which a beam of width 2 misses the most probable sequence.",
    faulty=beam,
    reference=most_probable,
    invalid=_invalid,
    why="A beam drops a prefix for good, even if its continuation would have made it the most probable sequence.",
    hints=(
        "Which first token does a beam of width 2 drop? The most probable sequence must begin with that one.",
        "Make the least probable first token only a little less probable than the other two, and its best next token much "
        "more probable than theirs.",
        "With 0.35, 0.34 and 0.31, the third token reaches 0.31 · 0.6 = 0.186. Which numbers in the other two rows keep their "
        "sequences below that?",
    ),
    mistakes={
        "greedy finds it already": known(
            "In your tree, greedy decoding already finds the most probable sequence, and so does the beam.",
            "The most probable sequence must not begin with the most probable token.",
            ([0.36, 0.33, 0.31], [[0.6, 0.2, 0.2], [0.4, 0.3, 0.3], [0.4, 0.3, 0.3]]),
            ([0.31, 0.36, 0.33], [[0.4, 0.3, 0.3], [0.5, 0.3, 0.2], [0.4, 0.4, 0.2]]),
            recognise=lambda first, then: np.isclose(beam(first, then, 1), most_probable(first, then)),
        ),
        "greedy misses it, the beam finds it": known(
            "In your tree, greedy decoding misses the most probable sequence. But that sequence begins with the *second* most probable "
            "token, which a beam of width 2 keeps.",
            "With which first token must the most probable sequence begin?",
            ([0.36, 0.33, 0.31], [[0.4, 0.3, 0.3], [0.6, 0.2, 0.2], [0.4, 0.3, 0.3]]),
            ([0.31, 0.36, 0.33], [[0.4, 0.3, 0.3], [0.4, 0.3, 0.3], [0.2, 0.6, 0.2]]),
            recognise=lambda first, then: True,
        ),
    },
)
