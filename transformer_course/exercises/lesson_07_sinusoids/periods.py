"""Sheet 07, by hand: after how many tokens a hand has been once round."""

import numpy as np

from ..exercise import Mistake
from ..families import adapted, named
from ..families.positions import SPEEDS
from ..kinds import Number
from ..toolkit import known

ROUND = 2 * np.pi
TURNS = "the exponent halved", "divided by d − 1", "another base", "all at one speed"


def _periods(first, second, third, once_round=ROUND):
    """Periods of three hands whose turns per token are 1 over 10000 to these powers."""
    return [once_round * 10000**exponent for exponent in (first, second, third)]


RIGHT = _periods(4 / 12, 8 / 12, 2 / 4)  # pairs 2 and 4 of width 12, pair 1 of width 4


def _wrong(diagnosis, hint, *answers, place=0) -> Mistake:
    """A mistake that is recognised by the number in one place, rounded to a whole number or to three digits."""

    def recognise(seen):
        return any(np.isclose(seen[place], answer[place], rtol=0.005, atol=0.55) for answer in answers)

    return known(diagnosis, hint, *answers, recognise=recognise)


def _with(place, *exponents):
    return [[*RIGHT[:place], ROUND * 10000**exponent, *RIGHT[place + 1 :]] for exponent in exponents]


def _by(turn):
    """The periods of the three hands if they turn in this way."""
    turns = *turn(np.arange(6), 12)[[2, 4]], turn(np.arange(2), 4)[1]
    return [ROUND / each for each in turns]


periods = Number(
    id="positions.periods",
    answer_name="periods",
    prompt="After how many tokens three hands have made a full turn.",
    value=RIGHT,
    atol=2.5,
    labels=("dimensions 4 and 5", "dimension 9", "width 4"),
    why="Pair i turns by 10000^(−2i/d) radians per token, so a full turn takes 2π · 10000^(2i/d) tokens.",
    hints=(
        "Find i first, the number of the hand: dimensions 0 and 1 are hand 0, dimensions 2 and 3 are hand 1, and so on.",
        "A full turn takes 2π · 10000^(2i/d) tokens. At d = 12, dimensions 4 and 5 are hand 2, and dimension 9 "
        "belongs to hand 4.",
        "The exponents are 4/12, 8/12 and 2/4. In Python: 2 * math.pi * 10000 ** (4 / 12).",
    ),
    mistakes={
        **{
            each.name: _wrong(each.diagnosis, each.hint, each.answer)
            for each in adapted(named(SPEEDS, *TURNS), _by, hand="hand", printed="")
        },
        "2π left out": _wrong(
            "These are 10000^(2i/d). After that many tokens, a hand has turned by 1 radian, which is not yet a full turn.",
            "How many radians are there in a full circle?",
            _periods(4 / 12, 8 / 12, 2 / 4, once_round=1),
        ),
        "π in place of 2π": _wrong(
            "These are half turns: after π radians, a hand points the opposite way.",
            "How many radians are there in a full circle?",
            _periods(4 / 12, 8 / 12, 2 / 4, once_round=np.pi),
        ),
        "degrees": _wrong(
            "You took a full turn to be 360. That is right in degrees, but the formula's angles are in radians.",
            "How many radians are there in a full circle?",
            _periods(4 / 12, 8 / 12, 2 / 4, once_round=360),
        ),
        "turns for periods": (
            "You gave the angles by which the hands turn per token, or the fraction of a turn that they make per "
            "token. The exercise asks how many tokens a full turn takes.",
            "A hand that turns by 1/10 per token needs 10 tokens for 1 radian. How many does it need for 2π radians?",
            [10000 ** -(4 / 12), 10000 ** -(8 / 12), 10000 ** -(2 / 4)],
            [1 / period for period in RIGHT],
        ),
        "the dimension put for i": _wrong(
            "You put the number of the dimension in for i, and doubled it. i counts hands: dimensions 4 and 5 are i = 2.",
            "Divide the dimension by 2, and drop the remainder.",
            _periods(8 / 12, 18 / 12, 4 / 4),
            _periods(8 / 12, 16 / 12, 4 / 4),
            _periods(8 / 12, 18 / 12, 6 / 4),
            _periods(8 / 12, 18 / 12, 2 / 4),
        ),
        "hand 3, or width 8": _wrong(
            "Your first number belongs to hand 3, or to hand 2 at width 8. But dimensions 4 and 5 are hand 2, and here the width "
            "is 12.",
            "Hands are counted from 0: dimensions 0 and 1 are hand 0. And the exponent is divided by the width.",
            _periods(6 / 12, 10 / 12, 4 / 4),
            _periods(6 / 12, 10 / 12, 2 / 4),
            _periods(4 / 8, 8 / 8, 2 / 4),
        ),
        "dimension 9 on its own": _wrong(
            "For dimension 9 you used the exponent 9/12. But this dimension is a cosine, and has the same angle as "
            "its sine, dimension 8: both belong to hand 4.",
            "Which dimension is the other half of this hand?",
            *_with(1, 9 / 12),
            place=1,
        ),
        "dimension 9 in the next pair": _wrong(
            "You paired dimension 9 with dimension 10. Pairs begin with even dimensions: 8 and 9 are one hand.",
            "Which dimension is the other half of this hand?",
            *_with(1, 10 / 12),
            place=1,
        ),
        "the last hand reaches 10000": _wrong(
            "The last number is for a model of width 4. The period of its slower hand is not 2π · 10000: that would "
            "need an exponent of 1.",
            "At d = 4 there are hands 0 and 1. What is 2i/d for the second?",
            *_with(2, 1),
            place=2,
        ),
        "the slowest hand of width 12, or of width 8": _wrong(
            "The last number is for a model of width 4, but yours is the period of the slowest hand of a different width.",
            "At d = 4 there are two hands. What is 2i/d for the second one?",
            *_with(2, 10 / 12, 3 / 4),
            place=2,
        ),
        "the fastest hand": _wrong(
            "Your last number is the period of hand 0, the fast one. The exercise asks for the slower of the two.",
            "At d = 4 there are two hands. What is 2i/d for the second one?",
            *_with(2, 0),
            place=2,
        ),
    },
)
