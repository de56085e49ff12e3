"""Stage B12: pass@k of a table that says which of the sampled answers were right."""

import numpy as np

from ..families import adapted
from ..families.rewards import PASS_AT_K, passed
from ..kinds.on_tensors import OnTensors
from ..lesson_27_learning_from_rewards.pass_at_k import each
from ..lesson_27_learning_from_rewards.pass_at_k import pass_at_k as of_counts


def _counted(piece):
    return lambda right, k: each(piece)(np.asarray(right).sum(1), np.shape(right)[1], k)


def _draw(rng):
    def table(counts, samples, k):
        return [np.stack([rng.permutation(samples) < count for count in counts]), k]

    return [table(*question) for question in of_counts.draw(rng)]


pass_at_k = OnTensors(
    id="build.pass_at_k",
    answer_name="pass_at_k",
    prompt="For each prompt, the probability that k of its sampled answers hold a right one.",
    reference=_counted(passed),
    draw=_draw,
    why="Each set of k of the n answers is as probable as another, so the estimate is right on average and uses all n.",
    hints=(
        "How many answers in each row are right? `right.sum(1)` counts them.",
        "Of comb(n, k) sets of k answers, comb(n − c, k) hold only wrong ones. Take their share from 1.",
        "`math.comb` needs integers: `[… for c in right.sum(1).tolist()]`. `torch.tensor` makes one row of the list.",
    ),
    mistakes={
        **adapted(PASS_AT_K, _counted),
        "the first k answers": (
            "You looked at the first k answers only. That is right on average, but it drops what the others say, so it varies "
            "far more.",
            "Count the right ones among all n answers of a row, then think of all sets of k.",
            lambda right, k: np.asarray(right)[:, :k].any(1).astype(float),
        ),
        "the wrong axis": (
            "You counted down the columns, over the prompts, or took their number for n.",
            "Each row holds the n answers to one prompt: `right.sum(1)`, and n is `right.shape[1]`.",
            lambda right, k: each(passed)(np.asarray(right).sum(0), max(np.shape(right)), k),
            lambda right, k: each(passed)(np.asarray(right).sum(0), np.shape(right)[1], k),
            lambda right, k: each(passed)(np.asarray(right).sum(1), len(right), k),
        ),
        "one number for all prompts": (
            "You took the mean over the prompts. Each prompt's own number is needed, so that the table can have an interval.",
            "Return a row with one number for each prompt.",
            lambda right, k: _counted(passed)(right, k).mean(),
        ),
    },
)
