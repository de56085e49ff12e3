"""Stage B6's optimizer and clipping as learners write them: right in each style, and wrong in ways that NumPy has not."""

import numpy as np
import pytest
import torch
from examining import solved, told, verdict

from transformer_course.exercises import catalogue
from transformer_course.runner.outcome import Outcome

ADAMW, CLIP = catalogue()["build.adamw"], catalogue()["build.clip"]


def looped(body):
    """A step that counts once, then calls ``body`` for each parameter with its gradient and averages."""

    def adamw_step(parameters, gradients, state, lr, betas, eps, weight_decay):
        state["step"] += 1
        for parameter, gradient, m, v in zip(parameters, gradients, state["m"], state["v"], strict=True):
            body(parameter, gradient, m, v, state["step"], lr, *betas, eps, weight_decay)

    return adamw_step


def averaged(gradient, m, v, b1, b2):
    m.mul_(b1).add_(gradient, alpha=1 - b1)
    v.mul_(b2).addcmul_(gradient, gradient, value=1 - b2)


def right_body(p, g, m, v, t, lr, b1, b2, eps, decay):
    averaged(g, m, v, b1, b2)
    p *= 1 - lr * decay
    p.addcdiv_(m / (1 - b1**t), (v / (1 - b2**t)).sqrt().add_(eps), value=-lr)


def through_lists(parameters, gradients, state, lr, betas, eps, weight_decay):
    """New averages in the lists of the state, and new values in the old parameters."""
    state["step"] = t = state["step"] + 1
    for i, (p, g) in enumerate(zip(parameters, gradients, strict=True)):
        state["m"][i] = betas[0] * state["m"][i] + (1 - betas[0]) * g
        state["v"][i] = betas[1] * state["v"][i] + (1 - betas[1]) * g * g
        m, v = state["m"][i] / (1 - betas[0] ** t), state["v"][i] / (1 - betas[1] ** t)
        p.data = p - lr * weight_decay * p - lr * m / (np.sqrt(v) + eps)


def new_lists(parameters, gradients, state, lr, betas, eps, weight_decay):
    state["step"] += 1
    state["m"] = [betas[0] * m + (1 - betas[0]) * g for m, g in zip(state["m"], gradients, strict=True)]
    state["v"] = [betas[1] * v + (1 - betas[1]) * g**2 for v, g in zip(state["v"], gradients, strict=True)]
    c_1, c_2 = (1 - beta ** state["step"] for beta in betas)
    for p, m, v in zip(parameters, state["m"], state["v"], strict=True):
        p[...] = p * (1 - lr * weight_decay) - lr / c_1 * m / (v.sqrt() / c_2**0.5 + eps)
    return parameters


@torch.no_grad()
def decorated(*arguments):
    looped(right_body)(*arguments)


def test_a_right_step_passes_in_every_style():
    styles = {"one by one": looped(right_body), "through lists": through_lists, "new lists": new_lists, "decorated": decorated}
    assert {name for name, answer in styles.items() if verdict(ADAMW, answer) != ADAMW.passed()} == set()


def new_parameters(parameters, gradients, state, *settings):
    own = [parameter.clone() for parameter in parameters]
    solved(ADAMW)(own, gradients, state, *settings)
    parameters[:] = own


def new_gradients(gradients, limit):
    norm = torch.stack([gradient.norm() for gradient in gradients]).norm()
    gradients[:] = [gradient * (limit / norm).clamp(max=1.0) for gradient in gradients]


def scaled_copies(gradients, limit):
    norm = sum((gradient**2).sum() for gradient in gradients) ** 0.5
    return [gradient * min(1, limit / norm) for gradient in gradients]


def norm_of_the_list(gradients, limit):
    return gradients.norm()


def test_other_answers_are_described(snapshot):
    assert {
        "new parameters in the list": told(ADAMW.id, new_parameters),
        "new gradients in the list": told(CLIP.id, new_gradients),
        "scaled copies": told(CLIP.id, scaled_copies),
        "nothing done": told(CLIP.id, lambda gradients, limit: None),
        "gradients removed": told(CLIP.id, lambda gradients, limit: gradients.clear()),
        "one gradient alone": told(CLIP.id, lambda gradients, limit: gradients[0].mul_(0.2)),
        "the norm of a list": told(CLIP.id, norm_of_the_list),
        "state removed": told(ADAMW.id, lambda p, g, state, *rest: state.clear()),
        "a gradient changed": told(ADAMW.id, lambda p, g, *rest: g[0].zero_()),
        "a number": told(ADAMW.id, 3),
    } == snapshot


@pytest.mark.parametrize(
    "value", [None, 3, [], {}, {"afterwards": 1, "tensors": [1]}, {"afterwards": [[], {}], "tensors": "x"}]
)
def test_any_data_gets_a_verdict(value):
    assert not CLIP.judge(0, [Outcome(value=value, type="dict")] * len(CLIP.questions(0))).passed
    assert not ADAMW.judge(0, [Outcome(value=value, type="dict")] * len(ADAMW.questions(0))).passed
