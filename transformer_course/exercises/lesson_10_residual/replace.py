"""Sheet 10: a sublayer that replaces what stood in the stream, although it can only add."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Construct

MOVE = np.roll(np.eye(3), 1, axis=1)  # x @ MOVE is x moved on by one place, the last number to the front
ONE = np.eye(3)


def _violation(x, w):
    seen, wanted = x + x @ w, np.roll(x, 1)
    if np.abs(seen - wanted).max() <= 1e-3:
        return None
    stream = ", ".join(f"{value:g}" for value in seen.round(3) + 0.0)
    return f"For x = {x.astype(int).tolist()}, the stream becomes [{stream}], and should become {wanted.astype(int).tolist()}."


replace = Construct(
    id="residual.replace",
    answer_name="w",
    prompt="A linear sublayer after which the three numbers of the stream have moved on by one place.",
    shapes={"w": (3, 3)},
    draw=lambda rng: [np.array(x, float) for x in ([1, 2, 3], [1, 0, 0], [0, 1, 0], [0, 0, 1])] + [rng.integers(-9, 10, 3)],
    violation=_violation,
    why="The residual connection keeps everything, so a sublayer that wants to replace a number has to add its negative.",
    hints=(
        "The sublayer makes x @ w, and that is added. What would it have to make of [1, 2, 3], so that the sum is [3, 1, 2]?",
        "The difference: [2, −1, −1]. So of each number it must make a copy in the next place, and its negative in its own.",
        "Row 1 of w is what it makes of [1, 0, 0]: the stream should become [0, 1, 0], so it makes [−1, 1, 0].",
    ),
    mistakes=(
        Mistake(
            "what stood there is still there",
            "x @ w alone is the moved vector. But that is *added* to x, which is still there: for [1, 2, 3] the stream becomes [4, 3, 5].",
            "What else must the sublayer make, so that the old numbers go?",
            MOVE,
        ),
        Mistake(
            "the wrong sign",
            "You took away the new numbers and added the old ones once more.",
            "Which part should the sum lose, and which should it gain?",
            ONE - MOVE,
        ),
        Mistake(
            "the other way round",
            "The old numbers go, as they should, but the new ones have moved backwards: [1, 2, 3] becomes [2, 3, 1].",
            "x stands on the left of w: row 1 of w is what becomes of the first number.",
            MOVE.T - ONE,
            variants=(MOVE.T,),
        ),
        Mistake(
            "added once more",
            "Your sublayer outputs the old numbers and the moved ones. The old ones are in the stream already, so now"
            " they are there twice.",
            "It should take them away.",
            MOVE + ONE,
        ),
        Mistake(
            "wiped out, and nothing more",
            "The stream becomes zero: all that stood there is wiped out, and nothing takes its place.",
            "Add what should stand there afterwards.",
            -ONE,
        ),
    ),
)
