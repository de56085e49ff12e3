"""Sheet 04: what goes wrong with a row in which everything is masked."""

import numpy as np

from ..toolkit import mistake
from .masked_steps import added, attend, filled, masked, refusing_all_false_only, refusing_keys

_LOOK = "Look at each row of the mask before computing anything: is there a True in every one of them?"

WHOLE_ROWS = (
    mistake(
        "a row masked whole becomes NaN",
        "Everything is right but one thing: a row in which the mask allows no key comes out as NaN, and NaN spreads through all "
        "that is computed from it. The exercise asks for a ValueError.",
        _LOOK,
        attend(masked),
        refusing_all_false_only,
    ),
    mistake(
        "a row masked whole becomes zeros",
        "Everything is right but one thing: a row in which the mask allows no key comes out as zeros, and nobody is told. torch's "
        "own function does so; asked for is a ValueError, since such a mask is always a slip of the caller.",
        _LOOK,
        attend(lambda s, mask: np.nan_to_num(masked(s, mask))),
        attend(lambda s, mask: filled(-1e9)(s, mask) * mask),
    ),
    mistake(
        "a row masked whole shares evenly",
        "Everything is right but one thing: in a row in which the mask allows no key, all scores are the same low number, so every "
        "forbidden key gets the same weight, and nobody is told. The exercise asks for a ValueError.",
        _LOOK,
        *(attend(filled(low)) for low in (-1e9, -1e4)),
    ),
    mistake(
        "a row masked whole as if unmasked",
        "Everything is right but one thing: a row in which the mask allows no key comes out as if there were no mask. The same low "
        "number was added to all of its scores, and that changes no weight; or such a row was left as it was. The exercise asks for a "
        "ValueError.",
        _LOOK,
        *(attend(added(low)) for low in (-1e9, -1e4)),
        attend(lambda s, mask: masked(s, mask | ~mask.any(-1, keepdims=True))),
    ),
    mistake(
        "keys that nobody may attend to refused",
        "You raise ValueError for a key that no query may attend to. That is allowed, and every padding token is such a key. "
        "What must be refused is a query that may attend to no key.",
        "Queries are rows: look for a True along the last axis, -1.",
        *(refusing_keys(axis) for axis in (-2, 0, 1)),
    ),
)
