"""Sheet 08: rotary positions, for any even width and any number of leading axes."""

import numpy as np

from ..families.positions import ROTARY, rotate, turn
from ..kinds import Implement, Property
from ..toolkit import normal, tiny


def _draw(rng):
    def places(n):
        return rng.choice(np.arange(1, 60), n, replace=False)  # in no order

    return [
        [rng.integers(1, 4, (2, 2)).astype(float), np.array([0, 3])],  # small enough to be shown in a message
        [normal(rng, 3, 8, limit=2), places(3)],
        [normal(rng, 4, 8, limit=2), places(4)],  # as many tokens as pairs: what elsewhere does not fit together gives numbers
        [normal(rng, 2, 1, 5, 6, limit=2), places(5)],
        [normal(rng, 3, 4, 12, limit=2), places(4)],
        [normal(rng, 2, 4, limit=2), np.array([300, 7])],
        *([tiny(rng, len(rows), d), np.array(rows)] for d, rows in ((4, [3, 1]), (6, [1, 0, 1]), (8, [2, 0]))),
    ]


def _by_complex_numbers(x, positions):
    """Each pair as a complex number."""
    hands = x[..., 0::2] + 1j * x[..., 1::2]
    hands = hands * np.exp(1j * np.outer(positions, turn(np.arange(x.shape[-1] // 2), x.shape[-1])))
    return np.stack([hands.real, hands.imag], axis=-1).reshape(x.shape)


def _by_repeated_angles(x, positions):
    """x · cos + (the pairs' numbers swapped, with a minus) · sin."""
    d = x.shape[-1]
    angles = np.repeat(np.outer(positions, np.exp(-np.log(10000.0) * np.arange(0, d, 2) / d)), 2, axis=-1)
    across = np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)
    return x * np.cos(angles) + across * np.sin(angles)


positions_rotate = Implement(
    id="positions.rotate",
    answer_name="rotate",
    prompt="Rotary positions: each pair of each row rotated by its own angle, for any even width and any leading axes.",
    reference=rotate,
    draw=_draw,
    sensitive=lambda x, positions: np.abs(x).max() > 1 / 32,
    alternatives=(_by_complex_numbers, _by_repeated_angles),
    properties=(
        Property(
            "A rotation does not change the length of a vector, but some of yours have changed.",
            lambda seen, x, positions: np.allclose(np.linalg.norm(seen, axis=-1), np.linalg.norm(x, axis=-1), rtol=1e-3),
        ),
    ),
    why=(
        "Each pair is rotated by an angle proportional to its position, so a dot product depends only on the difference "
        "between two positions."
    ),
    hints=(
        "First compute the angles, with one row per token and one column per pair: multiply the column positions[:, None] by "
        "the row 1 / 10000 ** (2 * i / d), for i from 0 to d/2 − 1.",
        "x[..., 0::2] contains the first number of every pair, and x[..., 1::2] the second. Their last two axes have the "
        "shape of the angles, so the lesson's formula for one pair works for all pairs at once.",
        "Put the two results back side by side with np.stack([first, second], axis=-1).reshape(x.shape), or write them into "
        "the even and the odd columns of np.zeros(x.shape).",
    ),
    mistakes=ROTARY,
)
