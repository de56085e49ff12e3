"""Stage B6: one step of AdamW."""

import numpy as np

from ..families import adapted
from ..families.optimizer import ADAMW, corrections, step
from ..kinds import InPlace
from ..toolkit import mistake, normal


def _counted(after, used):
    """A step that is right except for its number: so many are added to the one that is kept, and to the one that is used."""

    def adamw_step(parameters, gradients, state, *settings):
        before = state["step"]
        step(correct=lambda t, betas: corrections(before + used, betas))(parameters, gradients, state, *settings)
        state["step"] = before + after

    return adamw_step


def _counted_inside(parameters, gradients, state, *settings):
    """A step that is counted once per parameter."""
    for place, (parameter, gradient) in enumerate(zip(parameters, gradients, strict=True)):
        one = {"step": state["step"], "m": [state["m"][place]], "v": [state["v"][place]]}
        step()([parameter], [gradient], one, *settings)
        state["step"] = one["step"]


def _on_copies_of(names):
    """A right step, except that copies of what is named are changed, and lost: "parameters", "m" or "v"."""

    def adamw_step(parameters, gradients, state, *settings):
        lists = {"parameters": parameters, "m": state["m"], "v": state["v"]}
        used = {name: [each.copy() for each in arrays] if name in names else arrays for name, arrays in lists.items()}
        own = {"step": state["step"], "m": used["m"], "v": used["v"]}
        step()(used["parameters"], gradients, own, *settings)
        state["step"] = own["step"]

    return adamw_step


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
        "Each number moves by about the learning rate, whatever the size of its gradients, and the decay does not pass "
        "through the averages."
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
    mistakes=(
        *adapted(ADAMW, lambda pieces: step(**pieces)),
        mistake(
            "steps counted from 0",
            "At the first step, your t is 0, so 1 − βᵗ is 0 and you divide by it. The first step has the number 1.",
            'Increase `state["step"]` before you use it.',
            _counted(after=1, used=0),
        ),
        mistake(
            "step not counted",
            '`state["step"]` is the same after the call as before. At the next step, the bias correction would start over.',
            "Increase it by 1, once per call.",
            _counted(after=0, used=1),
            _counted(after=0, used=0),
        ),
        mistake(
            "step counted for each tensor",
            "You count a step for each parameter. One call is one step, however many parameters there are.",
            "Count before the loop.",
            _counted_inside,
        ),
        mistake(
            "averages not kept",
            "Your parameters are right, but the averages in the state are the same as before the call. `m = …` makes a new "
            "tensor and leaves the old one in the list, so every step would start from scratch.",
            "Change `m` and `v` themselves, for example with `*=` and `+=`.",
            *map(_on_copies_of, (("m", "v"), "m", "v")),
        ),
        mistake(
            "parameters not changed",
            "The parameters are the same after the call as before. `parameter = parameter - …` makes a new tensor, and so "
            "does `parameters[i] = …`; the model still holds the old one.",
            "Change the parameter itself, for example with `-=`.",
            *(_on_copies_of(("parameters", *averages)) for averages in ((), ("m", "v"), ("m",), ("v",))),
        ),
    ),
)
