"""Sheet 05: heads concatenated again."""

import numpy as np

from ..families import adapted
from ..families.heads import MERGE, MERGED_TO_OTHER_SHAPES
from ..families.heads import merge as merge_heads
from ..kinds import Implement
from ..toolkit import normal


def _draw_heads(rng):
    places = np.array([[[11.0, 12.0], [21.0, 22.0]], [[13.0, 14.0], [23.0, 24.0]]])
    return [
        [places[None]],
        [normal(rng, 2, 3, 5, 4)],
        [normal(rng, 5, 2, 4, 3)],
        [normal(rng, 3, 1, 2, 5)],
        [normal(rng, 3, 4, 2, 1)],  # a single column for each head
        [normal(rng, 2, 3, 1, 4)],
        [normal(rng, 1, 2, 3, 7)],
    ]


merge = Implement(
    id="heads.merge",
    answer_name="merge_heads",
    prompt="Concatenate the heads again: (b, h, n, d) becomes (b, n, h·d).",
    reference=merge_heads,
    draw=_draw_heads,
    alternatives=(lambda x: np.concatenate([x[:, i] for i in range(x.shape[1])], axis=-1),),
    why="The swap brings each token's heads back next to each other, so the reshape can concatenate them.",
    hints=(
        "Undo what split did, beginning with its last step.",
        "A reshape can join neighbouring axes. You want to join heads and columns, but the tokens are between them.",
        "x.swapaxes(1, 2) has shape (b, n, h, d). Now reshape to (b, n, h * d), which concatenates each token's heads.",
    ),
    mistakes=adapted({**MERGE, **MERGED_TO_OTHER_SHAPES}, lambda merge: merge),
)
