"""Sheet 07: three positions on which a published sentence about the fast hand is wrong."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Counterexample

FACTOR, LARGEST = 200, 800  # so that no round number of hundreds passes with p = 0 and q = 1
ROUND = 2 * np.pi


def tips_apart(p, q):
    """How far apart the tips of the fast hand are at two positions."""
    return 2 * np.abs(np.sin((np.asarray(p) - np.asarray(q)) / 2))


def as_published(p, q, r):
    return np.asarray(np.abs(r - p) > np.abs(q - p))


def measured(p, q, r):
    return np.asarray(tips_apart(p, r) > tips_apart(p, q))


def _invalid(p, q, r):
    for name, position in (("p", p), ("q", q), ("r", r)):
        if position.shape != ():
            return f"`{name}` should be one number, and has shape {position.shape}."
        if position != np.round(position) or not 0 <= position <= LARGEST:
            return f"`{name}` should be a position: a whole number from 0 to {LARGEST}. It is {position:g}."
    if q == p:
        return "`q` should be another position than `p`."
    if np.abs(r - p) < FACTOR * np.abs(q - p):
        return f"`r` should be at least {FACTOR} times as far from `p` as `q` is: {abs(r - p):g} is not {FACTOR} × {abs(q - p):g}."
    return None


def _rounds(p, r):
    """By how many radians the hand at r is short of a whole round, or beyond it."""
    return np.abs((r - p + ROUND / 2) % ROUND - ROUND / 2)


far_and_near = Counterexample(
    id="positions.far_and_near",
    answer_name="trap",
    prompt="Three positions of which the far one is nearer, in the fast hand, than the near one.",
    faulty=as_published,
    reference=measured,
    invalid=_invalid,
    why=(
        "One pair of sine and cosine repeats after each turn, so it alone cannot tell a position from one that is whole "
        "turns away."
    ),
    hints=(
        "Put p at 0 and q at 1. The fast hand turns by 1 a token: for which positions has it come back to nearly where it began?",
        "It is back after 2π = 6.283 tokens, and after every multiple of that. Which multiples lie near a whole number, at 200 or "
        "beyond?",
        "32 rounds are 201.06, 33 rounds 207.35, 34 rounds 213.63. Position 201 is 0.06 radians short of a whole round.",
    ),
    mistakes=(
        Mistake(
            "rounds of 6 tokens",
            "You counted a round as 6 tokens. It is 6.283, and over many rounds the rest adds up: so far away, the hand is somewhere "
            "else altogether.",
            "Look for integers next to multiples of 2π.",
            (0, 1, 204),
            recognise=lambda p, q, r: np.abs(r - p) % 6 == 0 and np.abs(r - p) % 100 != 0,
        ),
        Mistake(
            "the hand opposite",
            "At r, the hand points nearly the opposite way: half a round, which is as far apart as two tips can be.",
            "Look for a *whole* number of rounds, 2π each.",
            (0, 1, 305),
            recognise=lambda p, q, r: _rounds(p, r) > 2.8,
        ),
        Mistake(
            "the hand not back yet",
            "At r, the hand is still further from where it was at p than it is at q, your near one. Its place depends on what is left "
            "over after whole rounds of 2π, and not on how far r is.",
            "For a difference of r − p, what is left after dividing by 2π? It should be near 0, or near 2π. For 300 tokens, for example, "
            "47 turns are 295.3 tokens, and 4.7 radians are left.",
            (0, 1, 200),
            variants=((5, 6, 220), (230, 229, 0)),
            recognise=lambda p, q, r: True,
        ),
    ),
)
