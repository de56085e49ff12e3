"""Stage B6: one step of AdamW in NumPy, in pieces that a mistake replaces."""

from collections.abc import Callable

import numpy as np


def moved(average, new, beta):
    average *= beta
    average += (1 - beta) * new


def decayed(parameter, lr, weight_decay):
    parameter *= 1 - lr * weight_decay


def corrections(t, betas):
    return [1 - beta**t for beta in betas]


def ratio(m, v, gradient, scales, eps):
    return (m / scales[0]) / (np.sqrt(v / scales[1]) + eps)


def updated(parameter, change, lr):
    parameter -= lr * change


def step(
    *,
    gradient_of: Callable = lambda parameter, gradient, weight_decay: gradient,
    move_m: Callable = moved,
    move_v: Callable = moved,
    squared: Callable = lambda gradient, m: gradient**2,
    scales_of: Callable = corrections,
    change_of: Callable = ratio,
    decay: Callable = decayed,
    update: Callable = updated,
    betas_of: Callable = lambda betas: betas,
    decay_last: bool = False,
) -> Callable:
    """Return a step of AdamW, right unless a piece is replaced."""

    def adamw_step(parameters, gradients, state, lr, betas, eps, weight_decay):
        betas = betas_of(betas)
        state["step"] += 1
        for parameter, gradient, m, v in zip(parameters, gradients, state["m"], state["v"], strict=True):
            gradient = gradient_of(parameter, gradient, weight_decay)
            move_m(m, gradient, betas[0])
            move_v(v, squared(gradient, m), betas[1])
            change = change_of(m, v, gradient, scales_of(state["step"], betas), eps)
            if not decay_last:
                decay(parameter, lr, weight_decay)
            update(parameter, change, lr)
            if decay_last:
                decay(parameter, lr, weight_decay)

    return adamw_step


def counted(after: Callable, used: Callable = lambda before: before) -> Callable:
    """Return a step that is right except for its number: ``after(n)`` is kept, and ``used(n)`` corrects the averages."""

    def adamw_step(parameters, gradients, state, *settings):
        before = state["step"]
        step(scales_of=lambda t, betas: corrections(used(before), betas))(parameters, gradients, state, *settings)
        state["step"] = after(before)

    return adamw_step


def counted_inside(parameters, gradients, state, *settings):
    """Take a step that is counted once per parameter."""
    for place, (parameter, gradient) in enumerate(zip(parameters, gradients, strict=True)):
        one = {"step": state["step"], "m": [state["m"][place]], "v": [state["v"][place]]}
        step()([parameter], [gradient], one, *settings)
        state["step"] = one["step"]


def on_copies_of(*names: str) -> Callable:
    """Return a right step, except that copies of what is named are changed, and lost: "parameters", "m" or "v"."""

    def adamw_step(parameters, gradients, state, *settings):
        lists = {"parameters": parameters, "m": state["m"], "v": state["v"]}
        used = {name: [each.copy() for each in arrays] if name in names else arrays for name, arrays in lists.items()}
        own = {"step": state["step"], "m": used["m"], "v": used["v"]}
        step()(used["parameters"], gradients, own, *settings)
        state["step"] = own["step"]

    return adamw_step


def averages_last(parameters, gradients, state, lr, betas, eps, weight_decay):
    """Take a step with the averages as they were, then update them."""
    kept = {"move_m": lambda *_: None, "move_v": lambda *_: None}
    step(**kept)(parameters, gradients, state, lr, betas, eps, weight_decay)
    for gradient, m, v in zip(gradients, state["m"], state["v"], strict=True):
        moved(m, gradient, betas[0])
        moved(v, gradient**2, betas[1])
