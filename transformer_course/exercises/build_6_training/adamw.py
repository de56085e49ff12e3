"""Stage B6: one step of AdamW."""

import numpy as np

from ..families import adapted
from ..families.optimizer import ADAMW, step
from ..toolkit import normal
from .in_place import InPlace


def _draw(rng):
    def drawn(shapes, fresh, **settings):
        parameters, gradients = ([normal(rng, *shape) for shape in shapes] for _ in range(2))
        m, v = ([normal(rng, *shape) for shape in shapes] for _ in range(2))
        for square in v:
            square **= 2
        for values in (gradients, m, v):  # of a token that was not in any batch
            values[0].flat[0] = 0.0
        state = {"step": int(rng.integers(3, 9)), "m": m, "v": v}
        if fresh:
            state = {"step": 0, "m": [np.zeros_like(each) for each in m], "v": [np.zeros_like(each) for each in v]}
        return [parameters, gradients, state, *settings.values()]

    return [
        drawn([(2,), (1, 2)], True, lr=0.125, betas=[0.75, 0.875], eps=0.0625, weight_decay=0.25),
        drawn([(2, 3), (4,)], False, lr=0.25, betas=[0.5, 0.875], eps=0.03125, weight_decay=0.5),
        drawn([(3,), (4, 2), (2,)], False, lr=0.0625, betas=[0.875, 0.75], eps=0.125, weight_decay=2.0),
    ]


adamw = InPlace(
    id="build.adamw",
    answer_name="adamw_step",
    prompt="One step of AdamW: the averages, their bias correction, the weight decay and the update.",
    reference=step(),
    draw=_draw,
    themselves=("parameters",),
    why=(
        "The size of a gradient makes no difference to the step, only how much the gradients agree, and the decay does not "
        "pass through the averages."
    ),
    hints=(
        'First count the step: `state["step"] += 1`, once per call. Then loop over all four lists at once: '
        '`zip(parameters, gradients, state["m"], state["v"])`.',
        "Change `m` itself: `m *= beta_1`, then `m += (1 - beta_1) * gradient`. Do the same for `v`, with the squares.",
        "The corrected averages are new tensors: `m / (1 - beta_1**t)` and `v / (1 - beta_2**t)`, where t is the number of "
        "this step, counted from 1. Do not write them back into `m` and `v`.",
        "Then change the parameter twice: `parameter *= 1 - lr * weight_decay`, and `parameter -= lr * corrected m / "
        "(√(corrected v) + eps)`. `** 0.5` is a square root.",
    ),
    mistakes=adapted(ADAMW, lambda pieces: step(**pieces)),
)
