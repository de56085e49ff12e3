"""Sheet 04: what goes wrong with a row in which everything is masked."""

import numpy as np

from ..toolkit import mistake
from .masked_steps import added, attend, filled, masked, refusing_all_false_only, refusing_keys

_LOOK = "Look at each row of the mask before computing anything: is there a True in every one of them?"

WHOLE_ROWS = (
    mistake(
        "a row masked whole becomes NaN",
        "Everything is right except one case: a row in which the mask allows no key comes out as NaN, and NaN "
        "spreads to everything that is computed from it. The exercise asks for a ValueError.",
        _LOOK,
        attend(masked),
        refusing_all_false_only,
    ),
    mistake(
        "a row masked whole becomes zeros",
        "Everything is right except one case: a row in which the mask allows no key silently comes out as zeros. "
        "torch's own function does that too. But the exercise asks for a ValueError, because such a mask is always "
        "the caller's mistake.",
        _LOOK,
        attend(lambda s, mask: np.nan_to_num(masked(s, mask))),
        attend(lambda s, mask: filled(-1e9)(s, mask) * mask),
    ),
    mistake(
        "a row masked whole shares evenly",
        "Everything is right except one case: in a row in which the mask allows no key, all scores are the same low "
        "number, so every forbidden key silently gets the same weight. The exercise asks for a ValueError.",
        _LOOK,
        *(attend(filled(low)) for low in (-1e9, -1e4)),
    ),
    mistake(
        "a row masked whole as if unmasked",
        "Everything is right except one case: a row in which the mask allows no key comes out as if there were no "
        "mask. Either you added the same low number to all of its scores, which changes no weight, or you left such "
        "a row as it was. The exercise asks for a ValueError.",
        _LOOK,
        *(attend(added(low)) for low in (-1e9, -1e4)),
        attend(lambda s, mask: masked(s, mask | ~mask.any(-1, keepdims=True))),
    ),
    mistake(
        "keys that no query may attend to rejected",
        "You raise ValueError for a key that no query may attend to. But that is allowed: every padding token is "
        "such a key. Only reject a query that may attend to no key.",
        "Queries are rows: look for a True along the last axis, -1.",
        *(refusing_keys(axis) for axis in (-2, 0, 1)),
    ),
)
