"""Sheet 10: a sublayer that replaces what stood in the stream, although it can only add."""

import numpy as np

from ..kinds import Construct

MOVE = np.roll(np.eye(3), 1, axis=1)  # x @ MOVE is x moved on by one place, the last number to the front
ONE = np.eye(3)


def _violation(x, w):
    seen, wanted = x + x @ w, np.roll(x, 1)
    if np.abs(seen - wanted).max() <= 1e-3:
        return None
    stream = ", ".join(f"{value:g}" for value in seen.round(3) + 0.0)
    return f"For x = {x.astype(int).tolist()}, the stream becomes [{stream}], but should become {wanted.astype(int).tolist()}."


replace = Construct(
    id="residual.replace",
    answer_name="w",
    prompt="A linear sublayer after which the three numbers of the stream have moved on by one place.",
    shapes={"w": (3, 3)},
    draw=lambda rng: [np.array(x, float) for x in ([1, 2, 3], [1, 0, 0], [0, 1, 0], [0, 0, 1])] + [rng.integers(-9, 10, 3)],
    violation=_violation,
    why="The residual connection keeps everything, so a sublayer that wants to replace a number has to add its negative.",
    hints=(
        "The sublayer outputs x @ w, which is added to x. What should it output for [1, 2, 3], so that the sum is [3, 1, 2]?",
        "It should output the difference, [2, −1, −1]. So it must add a copy of each number in the next place, and "
        "subtract the number in its own place.",
        "Row 1 of w is the output for [1, 0, 0]. The stream should become [0, 1, 0], so the output must be [−1, 1, 0].",
    ),
    mistakes={
        "what stood there is still there": (
            "Your x @ w is already the moved vector. But it is *added* to x, which is still there: for [1, 2, 3], "
            "the stream becomes [4, 3, 5].",
            "What else must the sublayer output, so that the old numbers disappear?",
            MOVE,
        ),
        "the other way round": (
            "You moved the numbers in the wrong direction: [1, 2, 3] should become [3, 1, 2], not [2, 3, 1].",
            "x is to the left of w, so row 1 of w says where the first number is added.",
            MOVE.T - ONE,
            MOVE.T,
        ),
        "added once more": (
            "Your sublayer adds the old numbers. They are in the stream already, so now they are there twice.",
            "Which numbers should be subtracted, and which should be added?",
            MOVE + ONE,
            ONE - MOVE,
        ),
        "wiped out, and nothing more": (
            "The stream becomes zero: you wiped out the old numbers, but put nothing in their place.",
            "Add the numbers that should be there afterwards.",
            -ONE,
        ),
    },
)
