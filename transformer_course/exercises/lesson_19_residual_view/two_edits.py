"""Sheet 19: a short edit that changes the answer, and a long one that does not."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Construct

STREAM = np.array([2.0, 1.0, -1.0, -2.0])
TABLE = np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 3.6, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])  # rows: A, B, C
SHORT, LONG, MOVED = 0.3, 6.0, 0.01


def read(stream):
    """The probabilities of A, B and C, behind a norm without γ and β."""
    normed = (stream - stream.mean()) / np.sqrt(stream.var() + 1e-5)
    shares = np.exp(TABLE @ normed - (TABLE @ normed).max())
    return shares / shares.sum()


def _best(stream):
    return "ABC"[read(stream).argmax()]


def _violation(stream, short, long):
    moved = np.abs(read(stream + long) - read(stream)).max()
    wrong = (
        (np.linalg.norm(short) > SHORT, f"`short` has length {np.linalg.norm(short):.2f}; at most {SHORT} is allowed"),
        (_best(stream + short) == "A", "after `short`, A is still the likeliest letter"),
        (np.linalg.norm(long) < LONG, f"`long` has length {np.linalg.norm(long):.2f}; it should be at least {LONG:.0f}"),
        (moved >= MOVED, f"`long` moves a probability by {moved:.3f}; it should be less than {MOVED}"),
    )
    complaints = [sentence for missed, sentence in wrong if missed]
    return f"Not yet: {complaints[0]}." if complaints else None


def _long_is(condition):
    """Recognised where the short edit is right, and the long one has this fault."""
    return lambda short, long: np.linalg.norm(short) <= SHORT and _best(STREAM + short) != "A" and condition(long)


GOOD_SHORT, GOOD_LONG = np.array([-0.1, 0.2, 0.0, 0.0]), np.full(4, 4.0)

two_edits = Construct(
    id="residual.two_edits",
    answer_name="edits",
    prompt="Two edits to a stream: a short one that changes the likeliest letter, and a long one that changes next to nothing.",
    shapes={"short": (4,), "long": (4,)},
    draw=lambda rng: [STREAM],
    violation=_violation,
    largest=1000,
    why="The final LayerNorm removes any equal shift, so what counts is an edit's direction and not its length.",
    hints=(
        "For the short one: which two numbers of the stream decide between A and B? Move each a little, so that B gains on A.",
        "For the long one: it goes through the norm together with the stream. What does a norm not see?",
        "A norm takes the mean off, and divides by the spread. So it does not see the same number added everywhere, nor a stream that "
        "has become longer and otherwise stayed as it was.",
    ),
    mistakes=(
        Mistake(
            "the short one too long",
            "Your short edit is longer than allowed. Length is the root of the sum of squares; and it takes very little, since A and B lie "
            "close together.",
            "Move the second number up by 0.2, and see what `read` says.",
            (np.array([-1.0, 1.0, 0.0, 0.0]), GOOD_LONG),
            variants=((np.array([0.3, 0.3, 0.0, 0.0]), GOOD_LONG), (np.array([-3.0, 0.0, 0.0, 0.0]), np.zeros(4))),
            recognise=lambda short, long: np.linalg.norm(short) > SHORT,
        ),
        Mistake(
            "the short one points elsewhere",
            "Your short edit has the right length, and A is still the likeliest. It must take from A's logit or add to B's, and these hang on "
            "the first and the second number.",
            "Rows of `table`: A reads the first number, B the second.",
            (np.array([0.1, -0.1, 0.0, 0.0]), GOOD_LONG),
            variants=((np.array([0.0, 0.0, 0.2, 0.2]), GOOD_LONG), (np.zeros(4), GOOD_LONG), (np.full(4, 0.1), GOOD_LONG)),
            recognise=lambda short, long: _best(STREAM + short) == "A",
        ),
        Mistake(
            "the long one too short",
            "The short edit does it. Your long one is not long enough.",
            "What you have may be right in its direction: make it longer.",
            (GOOD_SHORT, np.full(4, 1.0)),
            variants=((GOOD_SHORT, np.zeros(4)), (GOOD_SHORT, STREAM)),
            recognise=_long_is(lambda long: np.linalg.norm(long) < LONG),
        ),
        Mistake(
            "the stream turned round",
            "The short edit does it. Your long one is a negative multiple of the stream, so the sum points the "
            "opposite way, and the norm keeps directions.",
            "The other sign.",
            (GOOD_SHORT, -2 * STREAM),
            variants=((GOOD_SHORT, -5 * STREAM),),
            recognise=_long_is(lambda long: np.allclose(long, long @ STREAM / (STREAM @ STREAM) * STREAM, atol=0.05)),
        ),
        Mistake(
            "at a right angle",
            "The short edit does it. Your long one stands at a right angle to the stream. It does not change how much of the stream is in "
            "the sum, but the spread grows, and the norm then divides the old pattern by more.",
            "Which change leaves each number's distance from the mean as it is, or multiplies all of them alike?",
            (GOOD_SHORT, np.array([4.0, -4.0, 4.0, 0.0])),
            variants=((GOOD_SHORT, np.array([-1.0, 2.0, 2.0, -1.0]) * 3), (GOOD_SHORT, np.array([1.0, -2.0, -2.0, 1.0]) * 4)),
            recognise=_long_is(lambda long: abs(long @ STREAM) < 0.1 and long.std() > 1e-6),
        ),
        Mistake(
            "the norm sees it",
            "The short edit does it. Your long one changes the pattern that is left behind the norm, and so the probabilities.",
            "What does a norm take off, and what does it divide by?",
            (GOOD_SHORT, np.array([6.0, 0.0, 0.0, 0.0])),
            variants=((GOOD_SHORT, np.array([0.0, 0.0, -6.0, 0.0])), (GOOD_SHORT, np.array([10.0, 10.0, 0.0, 0.0]))),
            recognise=_long_is(lambda long: True),
        ),
    ),
)
