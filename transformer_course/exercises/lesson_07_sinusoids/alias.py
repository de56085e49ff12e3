"""Sheet 07: three positions on which a published sentence about the fast hand is wrong."""

import numpy as np

from ..kinds import Counterexample
from ..toolkit import known

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
            return f"`{name}` should be one number, but has shape {position.shape}."
        if position != np.round(position) or not 0 <= position <= LARGEST:
            given = f"{position:g}".replace("-", "−")
            return f"`{name}` should be a position: an integer from 0 to {LARGEST}. It is {given}."
    if q == p:
        return "`q` should be a different position from `p`."
    if np.abs(r - p) < FACTOR * np.abs(q - p):
        return (
            f"`r` should be at least {FACTOR} times as far from `p` as `q` is, but {abs(r - p):g} is less than "
            f"{FACTOR} × {abs(q - p):g}."
        )
    return None


far_and_near = Counterexample(
    id="positions.far_and_near",
    prompt="Three positions p, q and r: r is much further from p than q is, but the tip of the fast hand is closer.",
    faulty=as_published,
    reference=measured,
    invalid=_invalid,
    why=(
        "One pair of sine and cosine repeats after each turn, so it alone cannot tell apart two positions that are a whole "
        "number of turns apart."
    ),
    hints=(
        "Take p = 0 and q = 1. The fast hand turns by 1 radian per token. At which positions is it nearly back where "
        "it started?",
        "It is back after 2π = 6.283 tokens, and after every multiple of that. Which of these multiples are close to "
        "an integer, and at least 200?",
        "32 turns take 201.06 tokens, 33 turns 207.35, and 34 turns 213.63. At position 201, the hand is 0.06 "
        "radians short of a full turn.",
    ),
    mistakes={
        "turns of 360 tokens": known(
            "You counted a full turn as 360, in degrees. The fast hand turns by 1 radian per token, so a full turn takes 2π = 6.283 "
            "tokens.",
            "Look for integers next to multiples of 2π.",
            (0, 1, 360),
            (100, 101, 460),
            recognise=lambda p, q, r: np.abs(r - p) % 360 == 0,
        ),
        "rounds of 6 tokens": known(
            "Did you take a full turn to be 6 tokens? It is 6.283, and the difference adds up over many turns. At your r, "
            "the hand points somewhere else altogether.",
            "Look for integers next to multiples of 2π.",
            (0, 1, 204),
            recognise=lambda p, q, r: np.abs(r - p) % 6 == 0 and np.abs(r - p) % 100 != 0,
        ),
        "the hand opposite": known(
            "At r, the hand points nearly the opposite way. It is about half a turn off, which is as far apart as "
            "two tips can be.",
            "Look for a *whole* number of turns, of 2π each.",
            (0, 1, 305),
            recognise=lambda p, q, r: np.abs((r - p + ROUND / 2) % ROUND - ROUND / 2) > 2.8,
        ),
        "the hand not back yet": known(
            "At r, the tip is still further from the tip at p than the tip at q is. Where the hand points depends on "
            "what is left over after full turns of 2π, and not on how far away r is.",
            "Divide r − p by 2π. What is the remainder? It should be close to 0 or to 2π. In 300 tokens, for "
            "example, 47 full turns take 295.3 tokens, and 4.7 radians are left.",
            (0, 1, 200),
            (5, 6, 220),
            (230, 229, 0),
            recognise=lambda p, q, r: True,
        ),
    },
)
