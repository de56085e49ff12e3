"""Sheet 07: one matrix that leads from any position to the one three tokens earlier."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Construct
from ..toolkit import known
from .sinusoidal import interleaved

WIDTH, BACK = 4, 3
TURNS = np.array([1.0, 0.01])  # of the two hands, each token
HANDS = slice(0, 2), slice(2, 4)  # their numbers in a row


def rows(positions):
    angles = np.asarray(positions, float)[:, None] * TURNS
    return interleaved(angles, angles)


def _matrix(first=BACK * TURNS[0], second=BACK * TURNS[1]):
    """Rows times this turn each hand back by its angle."""
    m = np.zeros((WIDTH, WIDTH))
    for at, angle in zip(HANDS, (first, second), strict=True):
        c, s = np.cos(angle), np.sin(angle)
        m[at, at] = [[c, s], [-s, c]]
    return m


def _violation(positions, m):
    (p,) = positions
    (seen,), (right,) = rows(positions) @ m, rows(positions - BACK)
    place = int(np.abs(seen - right).argmax())
    if abs(seen[place] - right[place]) < 2e-3:
        return None
    return (
        f"From position {p}, number {place} of the row comes out as {seen[place]:.4f}, but at position {p - BACK} it is "
        f"{right[place]:.4f}."
    )


def _like(*examples):
    return lambda m: any(np.allclose(m, example, atol=2e-3) for example in examples)


def _turns(diagnosis, hint, *examples) -> Mistake:
    """A mistake that is recognised by a matrix that is nearly one of these."""
    return known(diagnosis, hint, *examples, recognise=_like(*examples))


def _in_halves(m):
    """The same turns, for rows that hold all sines first."""
    order = [0, 2, 1, 3]
    return m[np.ix_(order, order)]


three_back = Construct(
    id="positions.three_back",
    answer_name="m",
    prompt="The matrix that turns the row of any position into the row three tokens earlier.",
    shapes={"m": (WIDTH, WIDTH)},
    draw=lambda rng: [np.array([p]) for p in (3, 4, 10, 57, 300, *rng.integers(5, 1000, 4))],
    violation=_violation,
    why="Moving back by three positions turns every pair by a fixed angle, so one matrix does it at all positions.",
    hints=(
        "There are two hands. Each turns back by its own angle, whatever the position. By what angle does each turn "
        "in three tokens?",
        "The two hands do not affect each other. So m has one 2 × 2 block in the upper left, one in the lower right, "
        "and zeros elsewhere.",
        "The lesson's block, for columns on the right, turns forwards: [[cos b, sin b], [−sin b, cos b]]. To turn "
        "back, replace b by −b. For a row on the left, transpose the block. What do you get if you do both?",
        "The upper left block is [[cos 3, sin 3], [−sin 3, cos 3]]; the lower right one has a different angle.",
    ),
    mistakes={
        "three forwards": _turns(
            "Your matrix moves three tokens forwards, not back. The lesson multiplies a block by a column. Here, a row is "
            "multiplied by the matrix, which transposes the block. Turning back transposes it again, so in the end the block "
            "is the lesson's.",
            "Which position does the row row(10) @ m belong to?",
            _matrix(-3, -0.03),
        ),
        "a different number of tokens": _turns(
            "Your matrix moves every position by the same number of tokens, as it should. But it moves by one token, by two as "
            "in the lesson, or by some other number. Here it should be three.",
            "By what angle does each hand turn in three tokens?",
            *(_matrix(k, k / 100) for k in (1, 2, *range(4, 11), -1, -2, *range(-10, -3))),
        ),
        "one hand back, one forwards": _turns(
            "One hand turns back, as it should. The other one turns by the right angle, but forwards.",
            "Both blocks have their minus sign in the same place.",
            _matrix(3, -0.03),
            _matrix(-3, 0.03),
        ),
        "both hands by the same angle": _turns(
            "Both hands turn by the same angle. But the second is slower.",
            "The first turns by 3. At width 4, the second turns by 1/100 per token.",
            _matrix(3, 3),
            _matrix(-3, -3),
            _matrix(0.03, 0.03),
            _matrix(-0.03, -0.03),
        ),
        "the second hand as at another width": _turns(
            "The first hand is right. The second turns by an angle that belongs to a different width.",
            "At d = 4 its exponent is 2/4, and 10000 to that power is 100. So three tokens turn it by 3/100.",
            _matrix(3, 0.3),
            _matrix(3, 0.003),
            _matrix(-3, -0.3),
            _matrix(-3, -0.003),
        ),
        "the second hand left where it is": _turns(
            "The first hand is right. The second is not turned as it should be: it is slow, but it does turn.",
            "Three tokens turn it by 0.03. The lower right block is a rotation like the upper left one.",
            _matrix(3, 0),
            _matrix(3, 3 / 10000),
            _matrix() * [1, 1, 0, 0],
        ),
        "degrees": _turns(
            "You treated the angles as degrees. They are radians: three tokens turn the first hand by 3 radians, "
            "nearly half a turn.",
            "np.cos and np.sin expect radians.",
            _matrix(np.deg2rad(3), np.deg2rad(0.03)),
            _matrix(-np.deg2rad(3), -np.deg2rad(0.03)),
        ),
        "all sines first": known(
            "Your matrix would be right for rows with both sines first, and then both cosines. Here sines and "
            "cosines alternate.",
            "The first hand is in numbers 0 and 1.",
            _in_halves(_matrix()),
            recognise=lambda m: _like(_matrix(), _matrix(-3, -0.03))(_in_halves(m)),
        ),
        "the hands swapped": _turns(
            "You put the slow hand's turn in the upper left block, and the fast hand's in the lower right.",
            "Numbers 0 and 1 of a row are the fast hand.",
            _matrix(0.03, 3),
            _matrix(-0.03, -3),
        ),
        "a mirror": known(
            "You made a reflection instead of a rotation: in one of your blocks, both entries off the diagonal have "
            "the same sign. In a rotation, they have opposite signs.",
            "The block [[cos b, sin b], [−sin b, cos b]] has a single minus sign.",
            _matrix() * [1, -1, 1, -1],
            recognise=lambda m: (
                np.allclose(m @ m.T, np.eye(WIDTH), atol=0.01) and min(np.linalg.det(m[at, at]) for at in HANDS) < 0
            ),
        ),
        "rounded to one decimal": _turns(
            "Your numbers are nearly right, but rounded too much. The smallest of them became 0, so the slow hand does not "
            "turn at all.",
            "Give three or four decimal places, or let NumPy compute the sines and cosines.",
            _matrix().round(1),
            np.trunc(10 * _matrix()) / 10,
        ),
        "right for a single position": known(
            "Your matrix is right for one position, but not for others. Perhaps you computed it from the rows of "
            "that position. The matrix must not depend on p.",
            "By what angle does each hand turn, whatever p is?",
            rows([10]).T @ rows([7]) / 2,
            rows([3]).T @ rows([0]) / 2,
            recognise=lambda m: any(np.allclose(rows([p]) @ m, rows([p - BACK]), atol=2e-3) for p in range(3, 1000)),
        ),
        "one hand right": known(
            "One of the hands turns back as it should, but the other does not.",
            "The two blocks differ only in the angle: 3 for the fast hand, 0.03 for the slow one.",
            _matrix(3, 1.5),
            _matrix(2.5, 0.03),
            recognise=lambda m: sum(np.allclose(m[at, at], _matrix()[at, at], atol=2e-3) for at in HANDS) == 1,
        ),
    },
)
