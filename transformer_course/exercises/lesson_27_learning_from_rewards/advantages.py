"""Sheet 27: the advantages of answers within their group."""

import numpy as np

from ..kinds import Implement, Property
from ..toolkit import mistake


def scores(rewards, centre=None, spread=None, guard=True):
    """(rewards − centre) / spread for each group; 0 where the spread is 0, if guarded."""
    rewards = np.asarray(rewards, float)
    centre = rewards.mean(1, keepdims=True) if centre is None else centre(rewards)
    spread = rewards.std(1, keepdims=True) if spread is None else spread(rewards)
    with np.errstate(all="ignore"):
        found = (rewards - centre) / spread
    return np.where(np.isfinite(found), found, 0.0) if guard else found


def _row(of):
    return lambda rewards: np.apply_along_axis(of, 1, rewards)[:, None]


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
    ]


def _in_loops(rewards):
    result = []
    for group in rewards:
        mean = sum(group) / len(group)
        deviation = (sum((r - mean) ** 2 for r in group) / len(group)) ** 0.5
        result.append([(r - mean) / deviation if deviation else 0.0 for r in group])
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
    properties=(Property("In each group, advantages above and below 0 cancel: their sum is 0.", _sums_to_zero),),
    why="The mean of a group is the baseline: what the model would have earned for this prompt anyway.",
    hints=(
        "Each row is a group. Compute its mean and its standard deviation along the last axis, with `keepdims=True`.",
        "Subtract the mean from each reward of the group, then divide by the deviation.",
        "Where all rewards of a group are equal, the deviation is 0. Use `np.where`, or add a tiny number such as 1e-8 to the "
        "deviation before you divide. In torch, `std` needs `correction=0`.",
    ),
    mistakes=(
        mistake(
            "without the mean",
            "You did not subtract the group's mean. Then with rewards of 0 and 1, no answer ever becomes less probable, and a "
            "prompt that is easy pushes as hard as one that is not.",
            "What does the model earn on average for this prompt? Compare each answer with that.",
            lambda rewards: scores(rewards, centre=lambda r: 0.0),
        ),
        mistake(
            "not divided by the deviation",
            "You subtracted the mean, but did not divide. Then a reward in cents pushes a hundred times as hard as one in euros.",
            "Divide each difference by the standard deviation of its group.",
            lambda rewards: scores(rewards, spread=lambda r: 1.0),
        ),
        mistake(
            "divided by the variance",
            "You divided by the variance, which is in squares of rewards.",
            "Take the square root of the variance first.",
            lambda rewards: scores(rewards, spread=_row(np.var)),
        ),
        mistake(
            "divided by g − 1",
            "Your deviation divides the squares by g − 1, as an estimate from a sample does. Here the g answers are all there "
            "are.",
            "NumPy's `std` divides by g. In torch, pass `correction=0`.",
            lambda rewards: scores(rewards, spread=lambda r: r.std(1, keepdims=True, ddof=1)),
        ),
        mistake(
            "the deviation of all groups",
            "You divided by one deviation for all groups together. It mixes the differences between prompts with those between "
            "answers.",
            "Compute the deviation of each row by itself.",
            lambda rewards: scores(rewards, spread=lambda r: r.std()),
        ),
        mistake(
            "the mean of all groups",
            "You subtracted one mean for all groups. Then every answer to an easy prompt looks good, and every answer to a hard "
            "one looks bad.",
            "Compute the mean of each row by itself.",
            lambda rewards: scores(rewards, centre=lambda r: r.mean()),
        ),
        mistake(
            "the mean and deviation of all groups",
            "You treated all groups as one. An answer has to be compared with other answers to the *same* prompt.",
            "Which axis holds the answers to one prompt? Take the mean and the deviation along that one.",
            lambda rewards: scores(rewards, centre=lambda r: r.mean(), spread=lambda r: r.std()),
        ),
        mistake(
            "across prompts",
            "You compared answers to different prompts: your mean and deviation go down the columns.",
            "Which axis holds the answers to one prompt?",
            lambda rewards: scores(np.asarray(rewards).T).T,
        ),
        mistake(
            "the sign",
            "Your signs are the wrong way round: answers that are better than their group get negative advantages.",
            "Subtract the mean from the reward.",
            lambda rewards: -scores(rewards),
        ),
        mistake(
            "nan for equal rewards",
            "Where all rewards of a group are equal, you divide 0 by 0. One such group turns the whole loss into nan.",
            "No answer of such a group is better than another. What should their advantages be?",
            lambda rewards: scores(rewards, guard=False),
        ),
        mistake(
            "the mean of the others",
            "You compared each answer with the mean of the *other* answers. Some methods do (leave-one-out), but here the mean is "
            "over the whole group.",
            "Take the mean over all g rewards of a row.",
            lambda rewards: scores(rewards) * np.shape(rewards)[1] / (np.shape(rewards)[1] - 1),
        ),
        mistake(
            "the best as the baseline",
            "You subtracted the largest reward of the group. Then no answer is ever made more probable.",
            "Subtract the mean of the group.",
            lambda rewards: scores(rewards, centre=_row(np.max)),
        ),
        mistake(
            "divided by the range",
            "You divided by the difference between the largest and the smallest reward.",
            "Use the standard deviation: the root of the mean squared difference from the mean.",
            lambda rewards: scores(rewards, spread=_row(np.ptp)),
        ),
        mistake(
            "the mean absolute difference",
            "You divided by the mean absolute difference from the mean.",
            "Square the differences, take their mean, then the square root.",
            lambda rewards: scores(rewards, spread=_row(lambda row: np.abs(row - row.mean()).mean())),
        ),
    ),
)
