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
    prompt="Rotary positions: each pair of each row turned by its own angle, for any even width and any leading axes.",
    reference=rotate,
    draw=_draw,
    alternatives=(by_complex_numbers, by_matrices, by_repeated_angles),
    properties=(
        Property(
            "To turn a vector does not change its length, and here some have another length than before.",
            lambda seen, x, positions: np.allclose(np.linalg.norm(seen, axis=-1), np.linalg.norm(x, axis=-1), rtol=1e-3),
        ),
    ),
    why=(
        "Each pair is rotated by an angle proportional to its position, so a dot product depends only on the difference "
        "between positions."
    ),
    hints=(
        "First the angles, a row for each token and a column for each pair: positions as a column, positions[:, None], times the turns "
        "1 / 10000 ** (2 * i / d) as a row.",
        "x[..., 0::2] are the first numbers of all pairs, x[..., 1::2] the second ones. Both have the angles' shape at the end, so the "
        "lesson's two lines for one pair work for all of them at once.",
        "The two results belong side by side again: np.stack([first, second], axis=-1), then .reshape(x.shape). Or write them into the "
        "even and the odd columns of np.zeros(x.shape).",
    ),
    mistakes=(
        mistake(
            "pairs of halves",
            "You pair number i with number i + d/2. Here pairs stand side by side: 2i and 2i + 1. Some well-known programs do take "
            "halves; a model trained with the one does not work with the other.",
            "x[..., 0::2] and x[..., 1::2].",
            rotate_by(split=by_halves, join=one_after_another),
        ),
        mistake(
            "halves and pairs mixed",
            "You split the vectors in one way and put them together in another: pairs side by side on one side, "
            "halves on the other.",
            "What came from columns 2i and 2i + 1 belongs there again.",
            rotate_by(join=one_after_another),
            rotate_by(split=by_halves),
        ),
        mistake(
            "turned the other way",
            "All your pairs turn clockwise. Scores between queries and keys would not change, but the outputs do.",
            "The first number of a pair is x · cos − y · sin.",
            rotate_by(how=lambda x, y, a: (x * np.cos(a) + y * np.sin(a), y * np.cos(a) - x * np.sin(a))),
        ),
        mistake(
            "no minus, or two",
            "Both lines have the same sign, so this is not a rotation: it changes lengths.",
            "One line has the minus and the other the plus: x · cos − y · sin, and x · sin + y · cos.",
            rotate_by(how=lambda x, y, a: (x * np.cos(a) + y * np.sin(a), x * np.sin(a) + y * np.cos(a))),
            rotate_by(how=lambda x, y, a: (x * np.cos(a) - y * np.sin(a), y * np.cos(a) - x * np.sin(a))),
        ),
        mistake(
            "a mirror",
            "This mirrors each pair in place of turning it: the second line has its signs exchanged.",
            "At position 0 nothing should change: [x, y] stays [x, y].",
            rotate_by(how=lambda x, y, a: (x * np.cos(a) - y * np.sin(a), -x * np.sin(a) - y * np.cos(a))),
            rotate_by(how=lambda x, y, a: (x * np.cos(a) + y * np.sin(a), x * np.sin(a) - y * np.cos(a))),
        ),
        mistake(
            "sine and cosine exchanged",
            "Sine and cosine have changed places. At position 0 the cosine is 1 and the sine 0, and nothing should turn.",
            "The first number is x · cos − y · sin.",
            rotate_by(how=lambda x, y, a: (x * np.sin(a) - y * np.cos(a), x * np.cos(a) + y * np.sin(a))),
        ),
        mistake(
            "the second line used what the first had written",
            "The first numbers are right. The second ones are computed from numbers that the first line had already changed.",
            "Keep both, x and y, before you write either.",
            rotate_by(how=_overwritten),
        ),
        mistake(
            "only the cosine",
            "Each number is multiplied by the cosine, and the other one of its pair takes no part. Then it is no turn.",
            "Each of the two new numbers needs both old ones.",
            rotate_by(how=lambda x, y, a: (x * np.cos(a), y * np.cos(a))),
            rotate_by(how=lambda x, y, a: (x * np.cos(a), y * np.sin(a))),
            rotate_by(how=lambda x, y, a: (x * np.sin(a), y * np.cos(a))),
        ),
        mistake(
            "added, not turned",
            "You add the sines and cosines of the positions. That is the encoding of lesson 07. Here nothing is added: each pair is turned.",
            "The lesson's `turned`, for each pair.",
            rotate_by(how=_added),
            rotate_by(how=lambda x, y, a: (x + np.cos(a), y + np.sin(a))),
        ),
        mistake(
            "all pairs at one speed",
            "All pairs turn by the same angle, the position itself. Only the first pair should.",
            "At d = 8, the second pair turns by 0.1 a token.",
            rotate_by(by=lambda i, d: np.ones(len(i))),
        ),
        mistake(
            "the exponent halved",
            "Your exponent is i/d, with i for the pair, so the pairs slow down only half as fast.",
            "At d = 8, the second pair turns by 0.1 a token.",
            rotate_by(by=lambda i, d: 1 / 10000 ** (i / d)),
        ),
        mistake(
            "the exponent doubled",
            "Your exponent is 4i/d. That happens when i already runs 0, 2, 4, … and is then doubled once more.",
            "At d = 8, the second pair turns by 0.1 a token.",
            rotate_by(by=lambda i, d: 1 / 10000 ** (4 * i / d)),
        ),
        mistake(
            "another base",
            "The first pair is right, and the others turn at another rate: the number below the line is not 10000.",
            "At d = 8, the second pair turns by 0.1 a token.",
            *(rotate_by(by=lambda i, d, base=base: 1.0 / base ** (2 * i / d)) for base in (1000, 100_000, 500_000)),
        ),
        mistake(
            "the last pair at 1/10000",
            "Your speeds are spread so that the last pair turns by exactly 1/10000, which the formula's last pair does not.",
            "At d = 8, the last pair turns by 1/1000 a token.",
            rotate_by(by=lambda i, d: 1 / 10000 ** (i / max(d // 2 - 1, 1))),
        ),
        mistake(
            "multiplied, not divided",
            "You multiplied the position by 10000^(2i/d), so each pair is faster than the one before.",
            "At d = 8, the second pair turns by 0.1 a token, not by 10.",
            rotate_by(by=lambda i, d: 10000.0 ** (2 * i / d)),
        ),
        mistake(
            "the slow pairs first",
            "Your speeds are in reverse order, with the slowest pair first.",
            "Pair 0 turns by 1 a token.",
            rotate_by(by=lambda i, d: turn(i, d)[::-1]),
        ),
        mistake(
            "pairs counted from 1",
            "Your first pair is slower than it should be, because i begins with 1.",
            "np.arange(d // 2) begins with 0.",
            rotate_by(by=lambda i, d: turn(i + 1, d)),
        ),
        mistake(
            "the place in the list",
            "You count the rows of x, and never read `positions`. They may begin anywhere, and come in any order.",
            "Row j stands at positions[j].",
            rotate_by(read=lambda positions: np.arange(len(positions))),
            rotate_by(read=lambda positions: positions[0] + np.arange(len(positions))),
        ),
        mistake(
            "positions from 1",
            "You add 1 to each position. A row at position 0 should come out as it went in.",
            "The angle is position times turn, and nothing else.",
            rotate_by(read=lambda positions: positions + 1),
        ),
        mistake(
            "degrees",
            "The angles were taken for degrees. They are radians, and np.sin and np.cos expect radians.",
            "No conversion is needed.",
            *(rotate_by(read=read) for read in (np.deg2rad, np.rad2deg)),
        ),
        mistake(
            "a factor of 2π",
            "There is a factor of 2π in your angles. The first pair turns by 1 radian a token.",
            "The angle is position times turn, and nothing else.",
            rotate_by(read=lambda positions: 2 * np.pi * positions),
        ),
    ),
)
