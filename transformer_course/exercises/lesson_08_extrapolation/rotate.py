"""Sheet 08: rotary positions, for any even width and any number of leading axes."""

import numpy as np

from ..kinds import Implement, Property
from ..toolkit import mistake, normal
from .turning import by_complex_numbers, by_halves, by_matrices, by_repeated_angles, one_after_another, rotate, rotate_by, turn


def _draw(rng):
    def places(n):
        return rng.choice(np.arange(1, 60), n, replace=False)  # in no order

    return [
        [rng.integers(1, 4, (2, 2)).astype(float), np.array([0, 3])],  # small enough to be shown in a message
        [normal(rng, 3, 8, limit=2), places(3)],
        [normal(rng, 4, 8, limit=2), places(4)],  # as many tokens as pairs: what elsewhere does not fit together gives numbers
        [normal(rng, 2, 3, 5, 6, limit=2), places(5)],
        [normal(rng, 3, 4, 12, limit=2), places(4)],
        [normal(rng, 2, 4, limit=2), np.array([300, 7])],
    ]


def _overwritten(x, y, angle):
    first = x * np.cos(angle) - y * np.sin(angle)
    return first, first * np.sin(angle) + y * np.cos(angle)


def _added(x, y, angle):
    return x + np.sin(angle), y + np.cos(angle)


positions_rotate = Implement(
    id="positions.rotate",
    answer_name="rotate",
    prompt="Rotary positions: each pair of each row rotated by its own angle, for any even width and any leading axes.",
    reference=rotate,
    draw=_draw,
    alternatives=(by_complex_numbers, by_matrices, by_repeated_angles),
    properties=(
        Property(
            "A rotation does not change the length of a vector, but some of yours have changed.",
            lambda seen, x, positions: np.allclose(np.linalg.norm(seen, axis=-1), np.linalg.norm(x, axis=-1), rtol=1e-3),
        ),
    ),
    why=(
        "Each pair is rotated by an angle proportional to its position, so a dot product depends only on the difference between two "
        "positions."
    ),
    hints=(
        "First compute the angles, with one row per token and one column per pair: multiply the column positions[:, None] by the row "
        "1 / 10000 ** (2 * i / d), for i from 0 to d/2 − 1.",
        "x[..., 0::2] contains the first number of every pair, and x[..., 1::2] the second. Their last two axes have the shape of the "
        "angles, so the lesson's formula for one pair works for all pairs at once.",
        "Put the two results back side by side with np.stack([first, second], axis=-1).reshape(x.shape), or write them into the even and "
        "the odd columns of np.zeros(x.shape).",
    ),
    mistakes=(
        mistake(
            "pairs of halves",
            "You paired number i with number i + d/2, and not neighbours 2i and 2i + 1. Some well-known programs do the same, but a model "
            "trained in one way does not work in the other.",
            "Use x[..., 0::2] and x[..., 1::2].",
            rotate_by(split=by_halves, join=one_after_another),
        ),
        mistake(
            "halves and pairs mixed",
            "You split the vectors in one way and put them together in another: neighbours in one step, halves in the other.",
            "Put what came from columns 2i and 2i + 1 back into these columns.",
            rotate_by(join=one_after_another),
            rotate_by(split=by_halves),
        ),
        mistake(
            "turned the other way",
            "All your pairs are rotated clockwise. The scores between queries and keys would be the same, but the result asked for here is "
            "not.",
            "The first number of a pair is x · cos − y · sin.",
            rotate_by(how=lambda x, y, a: (x * np.cos(a) + y * np.sin(a), y * np.cos(a) - x * np.sin(a))),
        ),
        mistake(
            "no minus, or two",
            "Both lines have the same sign, so this is not a rotation: it changes lengths.",
            "One line needs a minus and the other a plus: x · cos − y · sin, and x · sin + y · cos.",
            rotate_by(how=lambda x, y, a: (x * np.cos(a) + y * np.sin(a), x * np.sin(a) + y * np.cos(a))),
            rotate_by(how=lambda x, y, a: (x * np.cos(a) - y * np.sin(a), y * np.cos(a) - x * np.sin(a))),
        ),
        mistake(
            "a mirror",
            "You reflected each pair instead of rotating it: one of the signs in your second number is wrong.",
            "At position 0 nothing should change. Check that [x, y] stays [x, y].",
            rotate_by(how=lambda x, y, a: (x * np.cos(a) - y * np.sin(a), -x * np.sin(a) - y * np.cos(a))),
            rotate_by(how=lambda x, y, a: (x * np.cos(a) + y * np.sin(a), x * np.sin(a) - y * np.cos(a))),
        ),
        mistake(
            "sine and cosine swapped",
            "You swapped sine and cosine. At position 0 the cosine is 1 and the sine is 0, and nothing should change.",
            "The first number is x · cos − y · sin.",
            rotate_by(how=lambda x, y, a: (x * np.sin(a) - y * np.cos(a), x * np.cos(a) + y * np.sin(a))),
        ),
        mistake(
            "the second line used what the first had written",
            "The first number of each pair is right. But you computed the second one from the first number's *new* value.",
            "Compute both new numbers from the old x and y before you store either of them.",
            rotate_by(how=_overwritten),
        ),
        mistake(
            "only the cosine",
            "You computed each new number from only one of the two old ones, so this is not a rotation.",
            "Compute each new number from both old ones.",
            rotate_by(how=lambda x, y, a: (x * np.cos(a), y * np.cos(a))),
            rotate_by(how=lambda x, y, a: (x * np.cos(a), y * np.sin(a))),
            rotate_by(how=lambda x, y, a: (x * np.sin(a), y * np.cos(a))),
        ),
        mistake(
            "added, not turned",
            "You added the sines and cosines of the positions. That is the encoding of lesson 07. Rotary positions add nothing.",
            "Do what the lesson's function `rotated` does, for each pair.",
            rotate_by(how=_added),
            rotate_by(how=lambda x, y, a: (x + np.cos(a), y + np.sin(a))),
        ),
        mistake(
            "all pairs at one speed",
            "You rotated all pairs by the same angle, the position itself. That is right only for the first pair.",
            "At d = 8, the second pair turns by 0.1 radians per token.",
            rotate_by(by=lambda i, d: np.ones(len(i))),
        ),
        mistake(
            "the exponent halved",
            "Your exponent is i/d instead of 2i/d, where i is the number of the pair. So your pairs slow down only half as fast.",
            "At d = 8, the second pair turns by 0.1 radians per token.",
            rotate_by(by=lambda i, d: 1 / 10000 ** (i / d)),
        ),
        mistake(
            "the exponent doubled",
            "Your exponent is 4i/d instead of 2i/d. This happens if i already runs over 0, 2, 4, … and you double it again.",
            "At d = 8, the second pair turns by 0.1 radians per token.",
            rotate_by(by=lambda i, d: 1 / 10000 ** (4 * i / d)),
        ),
        mistake(
            "another base",
            "The first pair is right, but the others turn at a different speed. The number that you raise to a power is not 10000.",
            "At d = 8, the second pair turns by 0.1 radians per token.",
            *(rotate_by(by=lambda i, d, base=base: 1.0 / base ** (2 * i / d)) for base in (1000, 100_000, 500_000)),
        ),
        mistake(
            "the last pair at 1/10000",
            "Your last pair turns by exactly 1/10000 per token. In the formula, the last exponent is not 1.",
            "At d = 8, the last pair turns by 1/1000 radians per token.",
            rotate_by(by=lambda i, d: 1 / 10000 ** (i / max(d // 2 - 1, 1))),
        ),
        mistake(
            "multiplied, not divided",
            "You multiplied the position by 10000^(2i/d), so each pair is faster than the one before.",
            "At d = 8, the second pair turns by 0.1 radians per token, not by 10.",
            rotate_by(by=lambda i, d: 10000.0 ** (2 * i / d)),
        ),
        mistake(
            "the slow pairs first",
            "Your speeds are in reverse order, with the slowest pair first.",
            "Pair 0 turns by 1 radian per token.",
            rotate_by(by=lambda i, d: turn(i, d)[::-1]),
        ),
        mistake(
            "pairs counted from 1",
            "Your first pair is slower than it should be, because you counted pairs from 1.",
            "Use np.arange(d // 2), which begins with 0.",
            rotate_by(by=lambda i, d: turn(i + 1, d)),
        ),
        mistake(
            "the place in the list",
            "You counted the rows of x, and did not use all of `positions`. Positions may begin anywhere, and come in any order.",
            "The position of row j is positions[j].",
            rotate_by(read=lambda positions: np.arange(len(positions))),
            rotate_by(read=lambda positions: positions[0] + np.arange(len(positions))),
        ),
        mistake(
            "positions from 1",
            "You added 1 to each position. A row at position 0 should not change.",
            "The angle is the position divided by 10000^(2i/d), and nothing else.",
            rotate_by(read=lambda positions: positions + 1),
        ),
        mistake(
            "degrees",
            "You converted the angles between degrees and radians. They are in radians already, and np.sin and np.cos expect radians.",
            "Leave out the conversion.",
            *(rotate_by(read=read) for read in (np.deg2rad, np.rad2deg)),
        ),
        mistake(
            "a factor of 2π",
            "Your angles have an extra factor of 2π. The first pair turns by 1 radian per token.",
            "The angle is the position divided by 10000^(2i/d), and nothing else.",
            rotate_by(read=lambda positions: 2 * np.pi * positions),
        ),
    ),
)
