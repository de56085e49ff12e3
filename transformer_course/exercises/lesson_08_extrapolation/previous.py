"""Sheet 08: a query and a key of two numbers with which rotary positions find the token before."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Construct
from .turning import rotate

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
    return f"The score of the key 1 token back lies {gap} that of the key {other} back; it should lie at least {MARGIN:.0f} above."


def _angle(q, k):
    """By how much the key is turned against the query, anticlockwise, from −π to π."""
    return np.arctan2(q[0] * k[1] - q[1] * k[0], q @ k)


def _near(*angles):
    """Whether both have a length, and the key is turned against the query by one of these angles."""
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
        "Rotary positions add an angle for the distance, so a fixed lead between query and key makes the score largest at "
        "the distance that undoes it."
    ),
    hints=(
        "A dot product is largest where two hands point the same way. Before they are turned, query and key need not do so. When the "
        "query stands one token further on, it has been turned by 1 radian more than the key.",
        "So the key has to be 1 radian ahead of the query beforehand. Let q point along the first axis, [a, 0]. Where does k point, "
        "if it is turned against it by 1 radian anticlockwise?",
        "k = [a · cos 1, a · sin 1]. Now the scores are a² · cos(distance − 1). One of them, at a distance of 7, is nearly as high: how "
        "large must a be?",
    ),
    mistakes=(
        Mistake(
            "no hand at all",
            "One of them is [0, 0]. Then all scores are 0, at whatever distance.",
            "Both need a length, and a rather large one.",
            ([0.0, 0.0], [1.0, 1.0]),
            recognise=lambda q, k: not (q.any() and k.any()),
        ),
        Mistake(
            "the same direction",
            "Query and key point the same way before they are turned. Then the score is highest at a distance of 0: each token finds "
            "itself.",
            "One token back, the query has been turned by 1 radian more than the key. What must the key have been given beforehand?",
            _pair(0.0),
            variants=(_pair(0.0, 1.0), ([3.0, 4.0], [3.0, 4.0])),
            recognise=_near(0.0),
        ),
        Mistake(
            "degrees",
            "Your key is turned against the query by 1 degree. A token turns it by 1 radian, about 57 degrees.",
            "np.cos and np.sin expect radians.",
            _pair(np.deg2rad(1)),
            recognise=_near(np.deg2rad(1), -np.deg2rad(1)),
        ),
        Mistake(
            "behind, not ahead",
            "Your key is turned against the query by 1 radian, but the other way: it would be found one token *ahead*.",
            "The query stands further on, and has been turned by more than the key. So the key needs a lead.",
            _pair(-1.0),
            variants=(_pair(-1.0, 30.0),),
            recognise=_near(-1.0),
        ),
        Mistake(
            "opposite",
            "One token back, your hands point opposite ways: there the score is lowest, not highest.",
            "Change the signs of one of the two.",
            _pair(1.0 - np.pi),
            recognise=_near(1.0 - np.pi),
        ),
        Mistake(
            "at a right angle",
            "One token back, your hands stand at a right angle, and the score is 0.",
            "A dot product is largest where both point the same way.",
            _pair(1.0 + np.pi / 2),
            variants=(_pair(1.0 - np.pi / 2),),
            recognise=_near(1.0 + np.pi / 2, 1.0 - np.pi / 2),
        ),
        Mistake(
            "too close",
            "The direction is right: the score is highest one token back. But it is not 3 points higher than all others.",
            "Look at the runners-up first: the token 7 back, and the two neighbours. Scores grow with the lengths of "
            "both hands, and the lead depends on the angle of k: it should be 1 radian.",
            _pair(1.0, 1.0),
            variants=(_pair(1.0, 8.0), _pair(0.9, 10.0)),
            recognise=lambda q, k: scores(q, k).argmax() == 1,
        ),
    ),
)
