"""Sheet 27: the advantages of answers within their group."""

import numpy as np

from ..families import adapted
from ..families.rewards import ADVANTAGES, scores
from ..kinds import Implement, Property


def _draw(rng):
    def group(size, scale=8):
        """Different numbers of eighths, whose deviation is far from 1 and from 0."""
        return rng.permutation(np.cumsum(rng.integers(1, 6, size))) / scale

    def groups(b, g, *, offset=0.0, scale=8):
        return np.stack([group(g, scale) + offset + row for row in range(b)])

    def paid(b, g):
        """Rewards of 0 and 1, with different numbers of ones, neither none nor all."""
        counts = rng.permutation(np.arange(1, g))[:b]
        return np.stack([rng.permutation(np.arange(g) < count) for count in counts]).astype(float)

    equal = groups(4, 5)
    equal[1], equal[3] = 0.0, 1.0
    return [
        [np.array([[1.0, 0.0, 0.0, 0.0]])],
        [paid(3, 7)],
        [groups(3, 4)],
        [groups(2, 6, offset=-5.0, scale=2)],
        [equal],
        [np.ones((2, 3))],
        [np.full((1, 3), 0.1)],  # whose deviation NumPy does not find to be 0
        [np.full((1, 5), 1.9e-10)],  # nor does torch of these, in float32
    ]


def _in_loops(rewards):
    result = []
    for group in rewards:
        mean = sum(group) / len(group)
        deviation = (sum((r - mean) ** 2 for r in group) / len(group)) ** 0.5
        result.append([(r - mean) / deviation if deviation > 1e-8 else 0.0 for r in group])
    return np.array(result)


def _with_a_small_number(rewards):
    difference = rewards - rewards.mean(axis=1, keepdims=True)
    return difference / (rewards.std(axis=1, keepdims=True) + 1e-8)


def _sums_to_zero(result, rewards):
    return np.allclose(result.sum(1), 0, atol=1e-4)


advantages = Implement(
    id="rewards.advantages",
    answer_name="advantages",
    prompt="How much better each answer is than its group, in deviations of the group.",
    reference=scores,
    draw=_draw,
    alternatives=(_in_loops, _with_a_small_number),
    properties=(
        Property("In each group, advantages sum to 0. (Equal rewards may have a deviation of 1e-17.)", _sums_to_zero),
    ),
    sensitive=lambda rewards: np.isin(rewards, (0.1, 1.9e-10)).all(),
    why="The mean of a group is the baseline: what the model would have earned for this prompt anyway.",
    hints=(
        "Each row is a group. Compute its mean and its standard deviation along the last axis, with `keepdims=True`.",
        "Subtract the mean from each reward of the group, then divide by the deviation.",
        "Where all rewards of a group are equal, the deviation is 0, or almost: three times 0.1 leave a rounding error. Use "
        "`np.where(deviation > 1e-8, …)`, or add 1e-8 to it before you divide. In torch, `std` needs `correction=0`.",
    ),
    mistakes=adapted(ADVANTAGES, lambda piece: piece),
)
