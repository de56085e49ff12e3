"""Sheet 01: all states of a recurrent network, for one sequence or a batch of them."""

import numpy as np

from ..kinds import Implement, Property
from ..toolkit import integers, normal
from .recurrence import BATCH_SLIPS, SLIPS, states


def _draw_texts(rng):
    far, w_x = integers(rng, 2, 7, 5), integers(rng, 1, 5, 4)
    far[0, 0], w_x[0, 0] = 2, 1  # not all zero
    sums = far @ w_x
    # the largest sum becomes 800 to 900, where exp overflows; all are multiples of 20, so the states are exact
    w_x *= (-1 if sums.max() < -sums.min() else 1) * 20 * (45 // np.abs(sums).max())
    return [
        [np.array([[3.0], [1.0], [-2.0]]), np.array([[0.5]]), np.array([[1.0]])],
        [normal(rng, 5, 4), normal(rng, 3, 3), normal(rng, 4, 3)],
        [normal(rng, 2, 5, 3), normal(rng, 4, 4), normal(rng, 3, 4)],
        [normal(rng, 6, 4, 2), normal(rng, 3, 3), normal(rng, 2, 3)],  # more sequences than tokens
        [normal(rng, 1, 3), normal(rng, 2, 2), normal(rng, 3, 2)],
        [normal(rng, 1, 3, 2), normal(rng, 3, 3), normal(rng, 2, 3)],  # a batch of one
        [far, 20 * integers(rng, 1, 4, 4), w_x],
    ]


def _states_time_first(x, w_h, w_x):
    h, found = np.zeros((*x.shape[:-2], len(w_h))), []
    for put in np.moveaxis(x @ w_x, -2, 0):
        found.append(h := np.tanh(h @ w_h + put))
    return np.moveaxis(np.array(found), 0, -2)


recurrence_states = Implement(
    id="recurrence.states",
    answer_name="states",
    prompt="All states of a recurrent network, for one sequence or a batch of them.",
    reference=states,
    draw=_draw_texts,
    alternatives=(_states_time_first,),
    properties=(
        Property("Every state must be between −1 and 1, because tanh is.", lambda h, *_: (np.abs(h) <= 1 + 1e-6).all()),
        Property(
            "The first state must be tanh(x₁ w_x), because the state before it is zero.",
            lambda h, x, w_h, w_x: np.allclose(h[..., 0, :], np.tanh(x[..., 0, :] @ w_x), atol=1e-4),
        ),
    ),
    why=(
        "Each state depends on the state before it, so you need a loop over the positions, and only the sequences of a batch "
        "run in parallel."
    ),
    hints=(
        "Keep one state h, which starts as zeros, one for each row of w_h. Go through the tokens with a loop. Each round "
        "computes the next h from the last one and one token.",
        "x[..., t, :] is token t of one sequence, or of every sequence in a batch. So h @ w_h + x[..., t, :] @ w_x works for "
        "both.",
        "Write `h = np.tanh(…)` in the loop and append h to a list. After the loop, return np.stack(the list, axis=-2).",
    ),
    mistakes={**SLIPS, **BATCH_SLIPS},
)
