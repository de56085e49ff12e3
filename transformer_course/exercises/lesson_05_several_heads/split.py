"""Sheet 05: the columns of a batch distributed among heads."""

import numpy as np

from ..families import adapted
from ..families.heads import SPLIT, SPLIT_TO_OTHER_SHAPES
from ..families.heads import split as split_heads
from ..kinds import Implement
from ..toolkit import normal


def _draw_tokens(rng):
    places = np.add.outer([10.0, 20.0], [1.0, 2.0, 3.0, 4.0])  # token 1 holds 11, 12, 13, 14
    return [
        [places[None], 2],
        [normal(rng, 2, 6, 12), 3],
        [normal(rng, 4, 3, 10), 2],
        [normal(rng, 3, 2, 5), 1],
        [normal(rng, 3, 5, 4), 4],  # a single column for each head
        [normal(rng, 2, 1, 6), 3],
        [normal(rng, 1, 4, 14), 2],
    ]


def _in_slices(x, num_heads):
    width = x.shape[-1] // num_heads
    return [[sample[:, i * width : (i + 1) * width].tolist() for i in range(num_heads)] for sample in x]


split = Implement(
    id="heads.split",
    answer_name="split_heads",
    prompt="Give each head its own consecutive columns: (b, n, d) becomes (b, h, n, d/h).",
    reference=split_heads,
    draw=_draw_tokens,
    alternatives=(_in_slices, lambda x, h: np.stack(np.split(x.swapaxes(1, 2), h, axis=1), axis=1).swapaxes(2, 3)),
    why=(
        "The reshape splits the last axis into heads and keeps each token's numbers together, and the swap then moves "
        "the axis of the heads in front of the axis of the tokens."
    ),
    hints=(
        "Take two steps. First split each token's row into num_heads pieces. That adds an axis, and every number stays in its "
        "place. What shape does this give?",
        "After reshape(b, n, num_heads, d // num_heads), axis 2 counts the heads. It should be axis 1.",
        "Call x.reshape(…) with these four sizes, and then swapaxes(1, 2), which swaps tokens and heads.",
    ),
    mistakes=adapted({**SPLIT, **SPLIT_TO_OTHER_SHAPES}, lambda split: split),
)
