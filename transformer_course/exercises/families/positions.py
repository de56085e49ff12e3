"""What goes wrong in sinusoids and in rotary positions: the turns of the hands, their angles, and the rotation of pairs.

The pieces are ``turn(i, d)`` for the numbers i of the hands, ``angles(positions, d)`` with a row for each position and a
column for each hand, and ``rotate(x, positions)``.
"""

import numpy as np

from . import adapted


def turn(i, d):
    """By how much hand i turns with each token."""
    return 1 / 10000 ** (2 * i / d)


def angles_by(turn):
    """The angles of all hands, which turn in this way; of an odd width, half a hand is one too."""
    return lambda positions, d: np.asarray(positions)[:, None] * turn(np.arange((d + 1) // 2), d)


angles = angles_by(turn)

SPEEDS = {
    "the exponent halved": (
        "Your exponent is i/d, where i is the number of the {hand}. So your {hand}s slow down only half as fast.",
        "At d = 8, the second {hand} turns by 0.1 radians per token.",
        lambda i, d: 1 / 10000 ** (i / d),
    ),
    "the exponent doubled": (
        "Your exponent is 4i/d, so your {hand}s slow down too fast. That happens if i already counts 0, 2, 4, … and is then "
        "doubled again.",
        "At d = 8, the second {hand} turns by 0.1 radians per token.",
        lambda i, d: 1 / 10000 ** (4 * i / d),
    ),
    "divided by d − 1": (
        "You divide the exponent by d − 1 somewhere, so all {hand}s but the first turn too slowly.",
        "At d = 8, the second {hand} turns by exactly 0.1 radians per token.",
        lambda i, d: 1 / 10000 ** (2 * i / (d - 1)),
    ),
    "the last one at 1/10000": (
        "Your {hand}s are spread so that the last one turns by exactly 1/10000 per token. Some well-known programs do that, "
        "but the formula does not: its last exponent is (d − 2)/d.",
        "At d = 8, the last {hand} turns by 1/1000 per token.",
        lambda i, d: 1 / 10000 ** (i / (d / 2 - 1)),
        lambda i, d: 1 / 10000 ** (i / max(d // 2 - 1, 1)),
        lambda i, d: np.logspace(0, -4, len(i)),
    ),
    "10000 without its power": (
        "You divided by 10000 itself{printed}. So the second {hand} is 1,000 times too slow at d = 8.",
        "10000 to the power 2/8 is 10.",
        lambda i, d: np.where(i == 0, 1, 1 / 10000),
        lambda i, d: 1 / 10000.0**i,
    ),
    "another base": (
        "The first {hand} is right, but the others turn at a different rate: the base of your power is not 10000.",
        "At d = 8, the second {hand} turns by 0.1 radians per token.",
        *(lambda i, d, base=base: 1.0 / base ** (2 * i / d) for base in (1000, 100_000, 500_000, 1_000_000, 10, 2)),
    ),
    "all at one speed": (
        "All your {hand}s turn at the same rate. The division by 10000^(2i/d) should make each one slower than the one "
        "before. With `//`, the exponent is rounded down to 0 for every {hand}.",
        "Each {hand} has its own exponent, the fraction 2i/d.",
        lambda i, d: np.ones(len(i)),
    ),
    "multiplied, not divided": (
        "You multiplied the position by 10000, or by a power of it, so your {hand}s are too fast. The formula divides by "
        "10000^(2i/d).",
        "At d = 8, the second {hand} turns by 0.1 radians per token, not by 10.",
        lambda i, d: 10000.0 ** (2 * i / d),
        lambda i, d: 10000 * turn(i, d),
    ),
    "brackets around the exponent": (
        "`**` binds more tightly than `*` and `/`: without brackets, only the 2 (or 2 * i) is the exponent, and the rest is "
        "multiplied or divided afterwards.",
        "Write 10000 ** (2 * i / d), with the whole fraction in brackets.",
        lambda i, d: 1 / 10000**2 * i / d,
        lambda i, d: 1 / (10000**2 * i / d),
        lambda i, d: 1 / 10000.0 ** (2 * i) / d,
        lambda i, d: 1 / (10000.0 ** (2 * i) / d),
    ),
    "i counted from 1": (
        "Your first {hand} is slower than it should be, because i begins with 1.",
        "np.arange(n) begins with 0.",
        lambda i, d: turn(i + 1, d),
    ),
    "the slow ones first": (
        "Your {hand}s are in reverse order, with the slowest first.",
        "i = 0 gives 10000 to the power 0, which is a turn of 1 radian per token.",
        lambda i, d: turn(i, d)[::-1],
    ),
}


def _by_dimension(turn):
    """An angle for each dimension."""
    return lambda positions, d: np.asarray(positions)[:, None] * turn(np.arange(d + d % 2), d)


ANGLES = {
    "every dimension with a turn of its own": (
        "The two numbers of a {hand} have different angles, because you used each dimension's own number in the exponent. So "
        "they do not form a {hand}.",
        "k // 2 gives 0, 0, 1, 1, 2, 2, … for the dimensions k.",
        _by_dimension(lambda k, d: turn(k / 2, d)),
        _by_dimension(turn),
    ),
    "positions from 1": (
        "You added 1 to each position: what you give for position 0 belongs to position 1.",
        "At position 0, all angles are 0.",
        lambda positions, d: angles(positions + 1, d),
    ),
    "degrees": (
        "You converted the angles between degrees and radians. They are in radians already, and np.sin and np.cos expect "
        "radians.",
        "Leave out the conversion.",
        lambda positions, d: np.deg2rad(angles(positions, d)),
        lambda positions, d: np.rad2deg(angles(positions, d)),
    ),
    "a factor of 2π": (
        "There is a factor of 2π in your angles. The formula has none: the first {hand} turns by 1 radian per token.",
        "The angle is the position divided by 10000^(2i/d), and nothing else.",
        lambda positions, d: 2 * np.pi * angles(positions, d),
    ),
    "turned the other way": (
        "All your {hand}s turn the other way, as if positions were negative.{same}",
        "{forwards}",
        lambda positions, d: angles(-positions, d),
    ),
}


def by_pairs(x):
    """(…, d) to both numbers of each pair, (…, d/2)."""
    return x[..., 0::2], x[..., 1::2]


def side_by_side(first, second):
    return np.stack([first, second], axis=-1).reshape(*first.shape[:-1], -1)


def by_halves(x):
    return x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]


def one_after_another(first, second):
    return np.concatenate([first, second], axis=-1)


def of_both(found, d):
    """The angles of the first and of the second number of each pair."""
    return by_pairs(found) if found.shape[-1] >= d else (found, found)


def rotate_by(angles=angles, split=by_pairs, how=lambda x, y, c, s: (x * c - y * s, x * s + y * c), join=side_by_side):
    """Rotary positions with one of their steps replaced, such as how a pair turns by the angle with cosine c and sine s."""

    def rotate(x, positions):
        turned = [
            how(*split(x), np.cos(a), np.sin(a)) for a in of_both(angles(np.asarray(positions), x.shape[-1]), x.shape[-1])
        ]
        return join(turned[0][0], turned[1][1])

    return rotate


rotate = rotate_by()


def _halves_by_angles_of_pairs(x, positions):
    """Half a vector is turned against the other half, as in `transformers`, by angles that are repeated for neighbours."""
    turns, (first, second) = np.repeat(angles(positions, x.shape[-1]), 2, axis=-1)[:, : x.shape[-1]], by_halves(x)
    return x * np.cos(turns) + np.concatenate([-second, first], axis=-1) * np.sin(turns)


def _all(*ways):
    """Rotary positions with each of these wrong ways to turn a pair."""
    return [rotate_by(how=way) for way in ways]


ROTARY = {
    "pairs of halves": (
        "You paired number i with number i + d/2, and not neighbours 2i and 2i + 1. Some well-known programs do the same, but "
        "a model trained in one way does not work in the other.",
        "Use x[..., 0::2] and x[..., 1::2].",
        rotate_by(split=by_halves, join=one_after_another),
    ),
    "halves and pairs mixed": (
        "You split the vectors in one way and put them together in another: neighbours in one step, halves in the other.",
        "Put what came from columns 2i and 2i + 1 back into these columns.",
        rotate_by(join=one_after_another),
        rotate_by(split=by_halves),
        rotate_by(lambda positions, d: np.tile(angles(positions, d), 2)),
        _halves_by_angles_of_pairs,
    ),
    "no minus, or two": (
        "Both lines have the same sign, so this is not a rotation: it changes lengths.",
        "One line needs a minus and the other a plus: x · cos − y · sin, and x · sin + y · cos.",
        *_all(lambda x, y, c, s: (x * c + y * s, x * s + y * c), lambda x, y, c, s: (x * c - y * s, y * c - x * s)),
    ),
    "a mirror": (
        "You reflected each pair instead of rotating it: one of the signs in your second number is wrong.",
        "At position 0 nothing should change. Check that [x, y] stays [x, y].",
        *_all(lambda x, y, c, s: (x * c - y * s, -x * s - y * c), lambda x, y, c, s: (x * c + y * s, x * s - y * c)),
    ),
    "sine and cosine swapped": (
        "You swapped sine and cosine. At position 0 the cosine is 1 and the sine is 0, and nothing should change.",
        "The first number is x · cos − y · sin.",
        *_all(lambda x, y, c, s: (x * s - y * c, x * c + y * s)),
    ),
    "the second line used what the first had written": (
        "The first number of each pair is right. But you computed the second one from the first number's *new* value.",
        "Compute both new numbers from the old x and y before you store either of them.",
        *_all(lambda x, y, c, s: (x * c - y * s, (x * c - y * s) * s + y * c)),
    ),
    "only the cosine": (
        "You computed each new number from only one of the two old ones, so this is not a rotation.",
        "Compute each new number from both old ones.",
        *_all(lambda x, y, c, s: (x * c, y * c), lambda x, y, c, s: (x * c, y * s), lambda x, y, c, s: (x * s, y * c)),
    ),
    "added, not turned": (
        "You added the sines and cosines of the positions. That is the encoding of lesson 07. Rotary positions add nothing.",
        "Do what the lesson's function `rotated` does, for each pair.",
        *_all(lambda x, y, c, s: (x + s, y + c), lambda x, y, c, s: (x + c, y + s)),
    ),
    "the place in the list": (
        "You counted the rows of x, and did not use all of `positions`. Positions may begin anywhere, and come in any order.",
        "The position of row j is positions[j].",
        rotate_by(lambda positions, d: angles(np.arange(len(positions)), d)),
        rotate_by(lambda positions, d: angles(positions[0] + np.arange(len(positions)), d)),
    ),
    **adapted(SPEEDS, lambda turn: rotate_by(angles_by(turn)), hand="pair", printed=""),
    **adapted(
        ANGLES,
        rotate_by,
        hand="pair",
        same=" The scores between queries and keys would be the same, but the result asked for here is not.",
        forwards="The first number of a pair is x · cos − y · sin.",
    ),
}
