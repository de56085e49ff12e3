"""Sheet 19: a short edit that changes the answer, and a long one that does not."""

import numpy as np

from ..kinds import Construct
from ..toolkit import known

STREAM = np.array([2.0, 1.0, -1.0, -2.0])
TABLE = np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 3.6, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])  # rows: A, B, C
SHORT, LONG, MOVED = 0.3, 6.0, 0.01


def read(stream):
    """The probabilities of A, B and C, after a LayerNorm without γ and β."""
    normed = (stream - stream.mean()) / np.sqrt(stream.var() + 1e-5)
    shares = np.exp(TABLE @ normed - (TABLE @ normed).max())
    return shares / shares.sum()


def _best(stream):
    return "ABC"[read(stream).argmax()]


def _violation(stream, short, long):
    moved = np.abs(read(stream + long) - read(stream)).max()
    lengths = np.linalg.norm(short) <= SHORT and np.linalg.norm(long) >= LONG
    return None if lengths and _best(stream + short) != "A" and moved < MOVED else "Not yet."  # always a mistake with a name


def _long_is(condition):
    """Recognise this mistake in the long edit, if the short one is right."""
    return lambda short, long: np.linalg.norm(short) <= SHORT and _best(STREAM + short) != "A" and condition(long)


GOOD_SHORT, GOOD_LONG = np.array([-0.1, 0.2, 0.0, 0.0]), np.full(4, 4.0)

two_edits = Construct(
    id="residual.two_edits",
    answer_name="edits",
    prompt="Two edits to a stream: a short one that changes the most likely word, and a long one that changes almost nothing.",
    shapes={"short": (4,), "long": (4,)},
    draw=lambda rng: [STREAM],
    violation=_violation,
    largest=1000,
    why="The final LayerNorm undoes an equal shift of all numbers and any stretching of the stream, so an edit's length "
    "alone does not say what it does to the answer.",
    hints=(
        "For the short one: which two numbers of the stream decide between A and B? Change each a little, so that B gains on "
        "A.",
        "The long one goes through the LayerNorm together with the stream. Which changes of a vector does a LayerNorm undo?",
        "A LayerNorm subtracts the mean and divides by the standard deviation. So it undoes adding the same number "
        "everywhere, and multiplying by a positive number.",
    ),
    mistakes={
        "in the other order": known(
            "You gave the two edits in the other order: the long one is first.",
            "First give `short`, then `long`.",
            (GOOD_LONG, GOOD_SHORT),
            (np.full(4, 3.0), np.array([-0.2, 0.2, 0.0, 0.0])),
            recognise=lambda short, long: _violation(STREAM, long, short) is None,
        ),
        "the streams after the edits": known(
            "You gave the stream after each edit. An edit is only what is added to it.",
            "Subtract the stream of the exercise from each of your two lists.",
            (STREAM + GOOD_SHORT, STREAM + GOOD_LONG),
            (np.array([1.8, 1.2, -1.0, -2.0]), np.array([5.0, 4.0, 2.0, 1.0])),
            recognise=lambda short, long: np.linalg.norm(short - STREAM) <= SHORT,
        ),
        "the short one too long": known(
            "Your short edit is longer than 0.3. (The length is the square root of the sum of squares.) A and B are nearly "
            "equally likely, so very little is enough.",
            "Increase the second number by 0.2, and see what `read` returns.",
            (np.array([-1.0, 1.0, 0.0, 0.0]), GOOD_LONG),
            (np.array([0.3, 0.3, 0.0, 0.0]), GOOD_LONG),
            (np.array([-3.0, 0.0, 0.0, 0.0]), np.zeros(4)),
            (np.full(4, 3.0), np.array([-0.3, 0.3, 0.0, 0.0])),  # in the other order, and too long,
            recognise=lambda short, long: np.linalg.norm(short) > SHORT,
        ),
        "the short one points elsewhere": known(
            "Your short edit is short enough, but A is still the most likely. It has to lower the logit of A or raise that "
            "of another word by enough.",
            "Look at the rows of `table`: the logit of A depends on the first number, and that of B on the second.",
            (np.array([0.1, -0.1, 0.0, 0.0]), GOOD_LONG),
            (np.array([0.0, 0.0, 0.2, 0.2]), GOOD_LONG),
            (np.zeros(4), GOOD_LONG),
            (np.full(4, 0.1), GOOD_LONG),
            recognise=lambda short, long: _best(STREAM + short) == "A",
        ),
        "the long one too short": known(
            "The short edit is right. Your long one is not long enough: its length should be at least 6.",
            "Its direction may be right. Multiply it by a number larger than 1.",
            (GOOD_SHORT, np.full(4, 1.0)),
            (GOOD_SHORT, np.zeros(4)),
            (GOOD_SHORT, STREAM),
            recognise=_long_is(lambda long: np.linalg.norm(long) < LONG),
        ),
        "the stream turned round": known(
            "The short edit is right. Your long one is a negative multiple of the stream. The sum then points in the "
            "opposite direction, and the LayerNorm does not undo that.",
            "Use the opposite sign.",
            (GOOD_SHORT, -2 * STREAM),
            (GOOD_SHORT, -5 * STREAM),
            recognise=_long_is(lambda long: np.allclose(long, long @ STREAM / (STREAM @ STREAM) * STREAM, atol=0.05)),
        ),
        "at a right angle": known(
            "The short edit is right. Your long one is at a right angle to the stream. The stream is still in the sum, but "
            "the standard deviation grows, so the LayerNorm divides the stream by more, and the edit itself reaches the "
            "logits.",
            "Which change leaves each number's distance from the mean as it is, or multiplies all of these distances by the "
            "same number?",
            (GOOD_SHORT, np.array([4.0, -4.0, 4.0, 0.0])),
            (GOOD_SHORT, np.array([-1.0, 2.0, 2.0, -1.0]) * 3),
            (GOOD_SHORT, np.array([1.0, -2.0, -2.0, 1.0]) * 4),
            recognise=_long_is(lambda long: abs(long @ STREAM) < 0.1 and long.std() > 1e-6),
        ),
        "the norm sees it": known(
            "The short edit is right. Your long one changes the output of the LayerNorm, and so the probabilities.",
            "What does a LayerNorm subtract, and what does it divide by?",
            (GOOD_SHORT, np.array([6.0, 0.0, 0.0, 0.0])),
            (GOOD_SHORT, np.array([0.0, 0.0, -6.0, 0.0])),
            (GOOD_SHORT, np.array([10.0, 10.0, 0.0, 0.0])),
            recognise=_long_is(lambda long: True),
        ),
    },
)
