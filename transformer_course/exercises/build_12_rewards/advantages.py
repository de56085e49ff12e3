"""Stage B12: the advantages of answers in one row, in which those to the same prompt are neighbours."""

import numpy as np

from ..families import adapted
from ..families.rewards import ADVANTAGES, scores
from ..kinds import Implement
from ..lesson_27_learning_from_rewards.advantages import advantages as of_rows


def _flat(piece, groups=lambda rewards, group: rewards.reshape(-1, group), row=np.ravel):
    return lambda rewards, group: row(piece(groups(np.asarray(rewards), group)))


def _draw(rng):
    def in_one_row(rewards):
        return [rewards.ravel(), rewards.shape[1]]

    wide = np.stack([rng.permutation([0.0, 0.0, 1.0, 1.0, 1.0, 0.5]) - row for row in range(4)])  # more groups than in a group
    return [in_one_row(rewards) for [rewards] in of_rows.draw(rng)[:-2]] + [in_one_row(wide[:, 2:]), in_one_row(wide)]


advantages = Implement(
    id="build.advantages",
    answer_name="advantages",
    prompt="How much better each answer is than the others to the same prompt, in deviations of its group.",
    reference=_flat(scores),
    draw=_draw,
    alternatives=tuple(map(_flat, of_rows.alternatives)),
    why="The mean of a group is what the model earns for this prompt anyway, so only better answers become more probable.",
    hints=(
        "`rewards.view(-1, group)` has a row for each prompt, since the answers to one prompt are neighbours.",
        "Subtract each row's mean, and divide by its standard deviation: `dim=1, keepdim=True` keeps the axis, and "
        "`correction=0` divides by the number of answers.",
        "Where all rewards of a row are equal, the deviation is 0. `deviation.clamp(min=1e-8)` makes 0 / 0 into 0. At the "
        "end, `.flatten()` gives one row again.",
    ),
    mistakes={
        **adapted(ADVANTAGES, _flat),
        "groups across the row": (
            "Your groups are made of answers to different prompts: you took every so many-th answer, where neighbours belong "
            "together.",
            "`rewards.view(-1, group)` puts `group` neighbours into each row.",
            _flat(scores, lambda rewards, group: rewards.reshape(group, -1)),
            _flat(scores, lambda rewards, group: rewards.reshape(group, -1).T),
            _flat(scores, lambda rewards, group: rewards.reshape(group, -1).T, lambda found: found.T.ravel()),
        ),
        "still in rows": (
            "Your advantages have a row for each prompt. They should be one row again, as the rewards were.",
            "End with `.flatten()`.",
            _flat(scores, row=lambda found: found),
        ),
    },
)
