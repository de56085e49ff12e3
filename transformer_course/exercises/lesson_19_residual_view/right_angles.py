"""Sheet 19, by hand: edits at right angles to a stream, with pre-norm and with a norm that brings every sum back to its length."""

import math

from ..exercise import Mistake
from ..kinds import Number
from ..toolkit import number_at

E, FIRST, SECOND = 3, 4, 12
MIDDLE, TOP = math.hypot(E, FIRST), math.hypot(E, FIRST, SECOND)  # 5 and 13
KEPT = E / MIDDLE  # what one norm leaves of the embedding
RIGHT = [TOP, FIRST / E, SECOND / MIDDLE, 1, KEPT**2]


def _with(**places):
    """The right numbers but for some: ``n2=…`` is the second."""
    return [places.get(f"n{place}", value) for place, value in enumerate(RIGHT, 1)]


right_angles = Number(
    id="residual.right_angles",
    answer_name="measured",
    prompt="How long a stream becomes by edits at right angles, how large these are beside it, and what is left of the embedding.",
    value=RIGHT,
    atol=0.006,
    labels=(
        "the length of the final stream",
        "the first edit",
        "the second edit",
        "what is left of the embedding",
        "the same with post-norm",
    ),
    why=(
        "Edits at right angles add up as in the theorem of Pythagoras, and a norm after each sum shrinks whatever was "
        "there before."
    ),
    hints=(
        "At right angles lengths add up as the sides of a right-angled triangle do: 3 and 4 make 5.",
        "The second edit meets a stream of length 5. And the fourth number: nothing that stands at a right angle to e changes s · e.",
        "With the norm: the sum has length 5, and is brought back to 3. By which factor is all that it holds multiplied? Then again.",
    ),
    mistakes=(
        Mistake(
            "lengths added up",
            "You added lengths. That is right for edits that all point the same way; at right angles, squares add up.",
            "What is the longest side of a triangle with sides of 3 and 4 and a right angle between them?",
            _with(n1=E + FIRST + SECOND, n3=SECOND / (E + FIRST)),
            variants=(_with(n1=E + FIRST + SECOND),),
            recognise=number_at(0, E + FIRST + SECOND, atol=0.006),
        ),
        Mistake(
            "the square of the length",
            "Your first number is the sum of the squares, and not yet a length.",
            "9 + 16 + 144, and then?",
            _with(n1=TOP**2),
            recognise=number_at(0, TOP**2, atol=0.006),
        ),
        Mistake(
            "only the last edit",
            "Your first number leaves out part of what the stream holds.",
            "Three sides at right angles: 3, 4 and 12.",
            _with(n1=math.hypot(FIRST, SECOND)),
            variants=(_with(n1=SECOND), _with(n1=MIDDLE)),
            recognise=number_at(0, math.hypot(FIRST, SECOND), SECOND, MIDDLE, atol=0.006),
        ),
        Mistake(
            "beside the stream above",
            "You divided by the length of the stream *after* the edit. The lesson divides by that of the stream that the edit is added "
            "to.",
            "The first edit meets a stream of length 3.",
            _with(n2=FIRST / MIDDLE, n3=SECOND / TOP),
            recognise=number_at(1, FIRST / MIDDLE, atol=0.006),
        ),
        Mistake(
            "turned over",
            "You divided the stream by the edit. It is the other way: the edit as a share of the stream, so more than 1 where it is the "
            "longer of the two.",
            "4 beside 3.",
            _with(n2=E / FIRST, n3=MIDDLE / SECOND),
            recognise=number_at(1, E / FIRST, atol=0.006),
        ),
        Mistake(
            "beside the embedding",
            "The third number compares the second edit with the embedding, or with the first edit. It is added to a stream that holds both.",
            "How long is the stream when the second edit comes?",
            _with(n3=SECOND / E),
            variants=(_with(n3=SECOND / FIRST), _with(n3=SECOND / (E + FIRST))),
            recognise=number_at(2, SECOND / E, SECOND / FIRST, SECOND / (E + FIRST), atol=0.006),
        ),
        Mistake(
            "its share of the length",
            "You gave the embedding's share of the whole length. How much of it is in the stream is another question: s · e / e · e. The "
            "stream has grown round it, and it stands there whole.",
            "s = e + edits; what is s · e, if each edit · e is 0?",
            _with(n4=E / TOP),
            variants=(_with(n4=E**2 / TOP**2), _with(n4=E / (E + FIRST + SECOND))),
            recognise=number_at(3, E / TOP, E**2 / TOP**2, E / (E + FIRST + SECOND), atol=0.006),
        ),
        Mistake(
            "wiped out",
            "You let the embedding vanish from the pre-norm stream. In the lesson's model it did, since edits contained its opposite. "
            "These stand at right angles to it.",
            "What is s · e, if each edit · e is 0?",
            _with(n4=0),
            recognise=number_at(3, 0, atol=0.006),
        ),
        Mistake(
            "one norm only",
            "The last number is what the first norm leaves. The second one shortens it again.",
            "Times which factor, twice?",
            _with(n5=KEPT),
            recognise=number_at(4, KEPT, atol=0.006),
        ),
        Mistake(
            "a norm too many",
            "The last number is what three norms leave. There are two edits, so there are two sums, and two norms.",
            "How often is the sum shortened from 5 to 3?",
            _with(n5=KEPT**3),
            recognise=number_at(4, KEPT**3, atol=0.006),
        ),
        Mistake(
            "nothing rescaled",
            "The last number is as with pre-norm. But here each sum is shortened from 5 to 3, and with it all that it holds.",
            "What becomes of a summand if the whole sum is multiplied by a factor?",
            _with(n5=1),
            recognise=number_at(4, 1, atol=0.006),
        ),
        Mistake(
            "shortened once, at the end",
            "You rescaled only once, after both edits.",
            "After the first edit the sum has length 5, and is brought back to 3 before the second one comes.",
            _with(n5=E / math.hypot(E, FIRST, FIRST)),
            variants=(_with(n5=E / TOP),),
            recognise=number_at(4, E / math.hypot(E, FIRST, FIRST), E / TOP, atol=0.006),
        ),
        Mistake(
            "the factor subtracted twice",
            "You took off the same amount twice. A norm multiplies: the second one takes its share of what the first has left.",
            "0.6 of 0.6.",
            _with(n5=1 - 2 * (1 - KEPT)),
            recognise=number_at(4, 1 - 2 * (1 - KEPT), atol=0.006),
        ),
    ),
)
