"""Sheet 08: a query and a key of two numbers with which rotary positions find the token before."""

import numpy as np

from ..families.positions import rotate
from ..kinds import Construct
from ..toolkit import known

FURTHEST, MARGIN = 19, 3.0


def scores(q, k, position=FURTHEST):
    """The scores of the query at a position with the key 0, 1, … 19 tokens back."""
    distances = np.arange(FURTHEST + 1)
    query = rotate(np.array([q]), [position])[0]
    return rotate(np.tile(k, (FURTHEST + 1, 1)), position - distances) @ query


def _violation(position, q, k):
    found = scores(q, k, position)
    other = int(np.delete(found, 1).argmax())
    other += other >= 1
    if (margin := found[1] - found[other]) >= MARGIN - 1e-9:
        return None
    gap = f"{abs(margin):.2f} {'above' if margin > 0 else 'below'}"
    return f"The score of the key 1 token back is {gap} that of the key {other} tokens back. It should be at least {MARGIN:.0f} above."


def _angle(q, k):
    """The angle from the query to the key, anticlockwise, from −π to π."""
    return np.arctan2(q[0] * k[1] - q[1] * k[0], q @ k)


def _near(*angles):
    """Whether neither is zero, and the angle from the query to the key is one of these."""
    return lambda q, k: bool(q.any() and k.any() and min(abs(_angle(q, k) - angle) for angle in angles) < 0.004)


def _pair(angle, size=10.0):
    return [size, 0.0], [size * np.cos(angle), size * np.sin(angle)]


previous = Construct(
    id="positions.previous",
    answer_name="hands",
    prompt="A query and a key of two numbers with which rotary positions score highest one token back.",
    shapes={"q": (2,), "k": (2,)},
    largest=100.0,
    draw=lambda rng: [FURTHEST, *map(int, rng.integers(FURTHEST, 1000, 3))],
    violation=_violation,
    why=(
        "The angle between query and key changes with their distance, so a key that starts ahead by a fixed angle "
        "scores highest at the distance that makes up for it."
    ),
    hints=(
        "A dot product is largest if two hands point in the same direction *after* the rotation. A query that is one token "
        "further on than the key is rotated by 1 radian more.",
        "So let the key start 1 radian ahead of the query. If q points along the first axis, [a, 0], where does k point, 1 "
        "radian anticlockwise from it?",
        "Take k = [a · cos 1, a · sin 1]. The scores are then a² · cos(distance − 1). The one at distance 7 is nearly as high "
        "as the one at distance 1. How large must a be?",
    ),
    mistakes={
        "no hand at all": known(
            "Your query or your key is [0, 0]. Then the scores are 0 at all distances.",
            "Make both hands fairly long.",
            ([0.0, 0.0], [1.0, 1.0]),
            recognise=lambda q, k: not (q.any() and k.any()),
        ),
        "the same direction": known(
            "Your query and key point in the same direction before the rotation. Then the score is highest at distance 0, and "
            "each token finds itself.",
            "A query is rotated by 1 radian more than the key one token back. What does that key need beforehand?",
            _pair(0.0),
            _pair(0.0, 1.0),
            ([3.0, 4.0], [3.0, 4.0]),
            recognise=_near(0.0),
        ),
        "degrees": known(
            "The angle between your query and key is 1 degree. But each token rotates them by 1 radian, about 57 degrees.",
            "np.cos and np.sin expect radians, so pass 1.",
            _pair(np.deg2rad(1)),
            recognise=_near(np.deg2rad(1), -np.deg2rad(1)),
        ),
        "behind, not ahead": known(
            "The angle between your query and key is 1 radian, but in the wrong direction: the score would be highest one "
            "token *ahead*.",
            "Anticlockwise is the direction of rotation. Should the key start ahead of the query, or behind it?",
            _pair(-1.0),
            _pair(-1.0, 30.0),
            recognise=_near(-1.0),
        ),
        "opposite": known(
            "One token back, your hands point in opposite directions. There the score is lowest, not highest.",
            "Change the signs of one of the two hands.",
            _pair(1.0 - np.pi),
            recognise=_near(1.0 - np.pi),
        ),
        "at a right angle": known(
            "One token back, your hands are at a right angle, so the score is 0.",
            "A dot product is largest if both point in the same direction.",
            _pair(1.0 + np.pi / 2),
            _pair(1.0 - np.pi / 2),
            recognise=_near(1.0 + np.pi / 2, 1.0 - np.pi / 2),
        ),
        "too close": known(
            "The score is highest one token back, but not by 3. Longer hands make all differences larger. A slightly "
            "different angle between them can help as well.",
            "Print the scores and find the second highest. Then make a hand longer.",
            _pair(1.0, 1.0),
            _pair(1.0, 8.0),
            _pair(0.9, 10.0),
            recognise=lambda q, k: scores(q, k).argmax() == 1,
        ),
    },
)
