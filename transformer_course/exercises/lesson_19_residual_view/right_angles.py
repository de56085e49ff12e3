"""Sheet 19, by hand: edits at right angles to a stream, with pre-norm and with a norm that brings every sum back to its length."""

import math

from ..kinds import Number

E, FIRST, SECOND = 3, 4, 12
MIDDLE, TOP = math.hypot(E, FIRST), math.hypot(E, FIRST, SECOND)  # 5 and 13
KEPT = E / MIDDLE  # what one norm leaves of the embedding
RIGHT = [TOP, FIRST / E, SECOND / MIDDLE, 1, KEPT**2]


right_angles = Number(
    id="residual.right_angles",
    answer_name="measured",
    prompt="How long a stream becomes when edits at right angles are added, how long these are relative to it, and what is left of e.",
    value=RIGHT,
    atol=0.006,
    labels=(
        "the length of the final stream",
        "the first edit",
        "the second edit",
        "what is left of the embedding",
        "what is left of it with post-norm",
    ),
    why=(
        "The squares of lengths at right angles add up (Pythagoras), and a norm after each sum shrinks everything that was "
        "there before."
    ),
    hints=(
        "For two vectors at a right angle, the sum is the longest side of a right-angled triangle: lengths 3 and 4 give 5.",
        "The second edit is added to a stream of length 5. For the fourth number: an edit at a right angle to e does not "
        "change s · e.",
        "With post-norm, the sum has length 5 and is shortened to 3. By which factor is everything in it multiplied? This "
        "happens twice.",
    ),
    mistakes={
        "lengths added up": (
            "You added the lengths. That is right for vectors that all point in the same direction. These are at right "
            "angles.",
            "What is the longest side of a triangle with sides of 3 and 4 and a right angle between them?",
            {0: E + FIRST + SECOND},
        ),
        "the square of the length": (
            "Your first number is the sum of the squares, not the length.",
            "Take the square root of 9 + 16 + 144.",
            {0: TOP**2},
        ),
        "only the last edit": (
            "Your first number leaves out part of the stream. It contains the embedding and both edits.",
            "Three lengths at right angles belong in it: 3, 4 and 12.",
            {0: (math.hypot(FIRST, SECOND), SECOND, MIDDLE)},
        ),
        "beside the stream above": (
            "You divided by the length of the stream *after* the edit. The exercise asks you to divide by its length before "
            "the edit.",
            "The first edit is added to a stream of length 3. How long is the stream when the second is added?",
            {1: FIRST / MIDDLE, 2: SECOND / TOP},
        ),
        "turned over": (
            "You divided the stream's length by the edit's. The exercise asks for the edit relative to the stream, which is "
            "more than 1 if the edit is longer.",
            "Divide 4 by the length of the stream that it is added to.",
            {1: E / FIRST},
        ),
        "beside the embedding": (
            "Your third number is 12/3: you divided by the length of the embedding. By then, the stream also contains the "
            "first edit.",
            "How long is the stream just before the second edit is added?",
            {2: SECOND / E},
        ),
        "beside something else": (
            "Your third number divides the second edit by the length of the first, or by the sum of two lengths.",
            "How long is the stream just before the second edit is added?",
            {2: (SECOND / FIRST, SECOND / (E + FIRST))},
        ),
        "its share of the length": (
            "You compared the embedding's length with that of the stream. The exercise measures something else, (s · e) / (e "
            "· e): the stream has grown, but the embedding may still be in it.",
            "Write s as e plus the edits. What is s · e if each edit · e is 0?",
            {3: (E / TOP, E**2 / TOP**2, E / (E + FIRST + SECOND))},
        ),
        "not divided by e · e": (
            "You gave s · e itself. The exercise divides it by e · e.",
            "What is e · e, if e has length 3?",
            {3: E**2, 4: (E * KEPT) ** 2},
        ),
        "wiped out": (
            "You say that nothing of the embedding is left with pre-norm. In the lesson's trained model that was nearly so, "
            "because its edits contained the opposite of the embedding. These edits are at right angles to it.",
            "What is s · e, if each edit · e is 0?",
            {3: 0},
        ),
        "one norm only": (
            "Your last number is what is left after the first norm. There is a second one.",
            "Which factor does one norm multiply by? Apply it once more.",
            {4: KEPT},
        ),
        "a norm too many": (
            "Your last number is what is left after three norms. There are two edits, so there are two sums and two norms.",
            "How many times is a sum shortened from 5 to 3?",
            {4: KEPT**3},
        ),
        "nothing rescaled": (
            "Your last number is that of pre-norm. Here, a norm shortens each sum, together with everything in it.",
            "The sum has length 5 and is shortened to 3. What does that do to each part of it?",
            {4: 1},
        ),
        "the second edit of the other model": (
            "For your last number, the second edit has length 12. That is the model with pre-norm; here both edits have length 4.",
            "How long is each sum before it is shortened to 3?",
            {4: KEPT * E / math.hypot(E, SECOND)},
        ),
        "shortened once, at the end": (
            "You rescaled only once, after both edits. This model rescales after each edit.",
            "After the first edit, the sum has length 5. It is shortened to 3 before the second edit is added.",
            {4: (E / math.hypot(E, FIRST, FIRST), E / TOP)},
        ),
        "the factor subtracted twice": (
            "You subtracted the same amount twice. A norm multiplies instead of subtracting.",
            "The first norm leaves 0.6. The second leaves 0.6 of that.",
            {4: 1 - 2 * (1 - KEPT)},
        ),
    },
)
