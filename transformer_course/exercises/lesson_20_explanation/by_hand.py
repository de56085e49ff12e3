"""Sheet 20, by hand: what three tokens add, and what hiding one of them does."""

import numpy as np

from ..kinds import Number
from ..toolkit import known

WEIGHTS, VALUES = np.array([0.6, 0.3, 0.1]), np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 9.0]])
LENGTHS = np.linalg.norm(VALUES, axis=1)
ADDED = WEIGHTS * LENGTHS
BEFORE = WEIGHTS @ VALUES
AFTER = WEIGHTS[1:] @ VALUES[1:] / WEIGHTS[1:].sum()
RIGHT = [*ADDED, np.linalg.norm(AFTER - BEFORE)]


def _begins(diagnosis, hint, first, *lasts):
    """A mistake that is recognised by the first three numbers, whatever the last is, such as the right one."""
    answers = ([*first, last] for last in (RIGHT[3], *lasts))
    return known(diagnosis, hint, *answers, recognise=lambda seen: np.abs(seen[:3] - first).max() < 0.006)


by_hand = Number(
    id="explain.by_hand",
    answer_name="numbers",
    prompt="The contributions of three tokens, and how far the output moves when the first one is hidden.",
    value=RIGHT,
    atol=0.006,
    labels=("token 1", "token 2", "token 3", "the change of the output"),
    why="A contribution is the weight times the length of the value, whereas hiding a token also gives its weight to the others.",
    hints=(
        "A contribution is the weight times the length of the value. The three values have lengths 0, 4 and 9.",
        "A hidden token gets the weight 0. The other weights have to sum to 1 again, in the same proportion as before.",
        "Without token 1, the weights are 0.3/0.4 and 0.1/0.4. Compute the output before and after, then the length of the "
        "difference.",
    ),
    mistakes={
        "the weights as contributions": _begins(
            "Your first three numbers are the weights. They do not say how long the values are, and a large weight on a "
            "short value contributes little.",
            "Multiply each weight by the length of its value.",
            WEIGHTS,
        ),
        "the lengths alone": _begins(
            "Your first three numbers are the lengths of the values. The head adds only a fraction of each value.",
            "Multiply each length by the token's weight.",
            LENGTHS,
        ),
        "the contributions after hiding": _begins(
            "Your first three numbers are the contributions *after* token 1 is hidden. The exercise asks for those with the "
            "weights of the table.",
            "Only your fourth number needs the weights after hiding.",
            [0.0, 3.0, 2.25],
            0.0,
        ),
        "it adds nothing, so nothing changes": (
            "The contributions are right. But token 1 has 0.6 of the weight. When it is hidden, the other two weights grow.",
            "What do the weights of tokens 2 and 3 become when they sum to 1 on their own?",
            [*ADDED, 0.0],
        ),
        "the output itself": (
            "The contributions are right. Your last number is the length of one output, before or after. The exercise asks "
            "for the length of the difference.",
            "Subtract one output from the other first, number by number.",
            [*ADDED, np.linalg.norm(AFTER)],
            [*ADDED, np.linalg.norm(BEFORE)],
        ),
        "shared out evenly": (
            "The contributions are right. But you did not keep the proportion between the weights of tokens 2 and 3. Softmax "
            "does, because their scores stay the same.",
            "Divide each of the two weights by their sum.",
            [*ADDED, np.linalg.norm([0.3 * 4, 0.3 * 9])],
            [*ADDED, np.linalg.norm([0.2 * 4, 0.4 * 9])],
        ),
        "the root forgotten": (
            "The contributions are right, and so are both outputs. Your last number is the square of the length.",
            "Take the square root.",
            [*ADDED, RIGHT[3] ** 2],
        ),
        "a sum in place of a length": (
            "The contributions are right, and so are both outputs. But you gave one of the two numbers of the difference, or "
            "their sum, and that is not its length.",
            "The length of [p, q] is √(p² + q²).",
            *([*ADDED, given] for given in (np.abs(AFTER - BEFORE).sum(), *np.abs(AFTER - BEFORE))),
        ),
    },
)
