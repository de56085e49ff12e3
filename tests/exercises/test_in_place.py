"""Stage B6's optimizer and clipping as learners write them: each mistake is named, and each right style passes."""

import numpy as np
import pytest
import torch
from examining import SEEDS, solved, verdict

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


def rebound_averages(p, g, m, v, t, lr, b1, b2, eps, decay):
    m = b1 * m + (1 - b1) * g
    v = b2 * v + (1 - b2) * g**2
    p -= lr * decay * p
    p -= lr * (m / (1 - b1**t)) / (torch.sqrt(v / (1 - b2**t)) + eps)


def rebound_parameter(p, g, m, v, t, lr, b1, b2, eps, decay):
    averaged(g, m, v, b1, b2)
    p = p - lr * decay * p
    p = p - lr * (m / (1 - b1**t)) / ((v / (1 - b2**t)).sqrt() + eps)


def everything_rebound(p, g, m, v, t, lr, b1, b2, eps, decay):
    m = b1 * m + (1 - b1) * g
    v = b2 * v + (1 - b2) * g**2
    p = p - lr * decay * p - lr * (m / (1 - b1**t)) / ((v / (1 - b2**t)).sqrt() + eps)


def adam_with_l2(p, g, m, v, t, lr, b1, b2, eps, decay):
    g = g + decay * p
    averaged(g, m, v, b1, b2)
    p -= lr * (m / (1 - b1**t)) / ((v / (1 - b2**t)) ** 0.5 + eps)


def corrected_in_place(p, g, m, v, t, lr, b1, b2, eps, decay):
    averaged(g, m, v, b1, b2)
    m /= 1 - b1**t
    v /= 1 - b2**t
    p *= 1 - lr * decay
    p -= lr * m / (v**0.5 + eps)


def uncorrected(p, g, m, v, t, lr, b1, b2, eps, decay):
    averaged(g, m, v, b1, b2)
    p *= 1 - lr * decay
    p -= lr * m / (v.sqrt() + eps)


def epsilon_inside(p, g, m, v, t, lr, b1, b2, eps, decay):
    averaged(g, m, v, b1, b2)
    p *= 1 - lr * decay
    p -= lr * (m / (1 - b1**t)) / (v / (1 - b2**t) + eps).sqrt()


def decay_by_itself(p, g, m, v, t, lr, b1, b2, eps, decay):
    averaged(g, m, v, b1, b2)
    p -= decay * p
    p -= lr * (m / (1 - b1**t)) / ((v / (1 - b2**t)).sqrt() + eps)


def last_decay(p, g, m, v, t, lr, b1, b2, eps, decay):
    averaged(g, m, v, b1, b2)
    p -= lr * (m / (1 - b1**t)) / ((v / (1 - b2**t)).sqrt() + eps)
    p -= lr * decay * p


def squared_average(p, g, m, v, t, lr, b1, b2, eps, decay):
    m.mul_(b1).add_(g, alpha=1 - b1)
    v.mul_(b2).add_(m**2, alpha=1 - b2)
    p *= 1 - lr * decay
    p -= lr * (m / (1 - b1**t)) / ((v / (1 - b2**t)).sqrt() + eps)


def late_count(parameters, gradients, state, lr, betas, eps, weight_decay):
    for p, g, m, v in zip(parameters, gradients, state["m"], state["v"], strict=True):
        averaged(g, m, v, *betas)
        p.mul_(1 - lr * weight_decay)
        m_hat, v_hat = (average / (1 - beta ** state["step"]) for average, beta in zip((m, v), betas, strict=True))
        p.sub_(lr * m_hat / (v_hat.sqrt() + eps))
    state["step"] += 1


WRONG = {
    looped(rebound_averages): "averages not kept",
    looped(rebound_parameter): "parameters not changed",
    looped(everything_rebound): "parameters not changed",
    looped(adam_with_l2): "decay in the gradient",
    looped(corrected_in_place): "corrected averages written back",
    looped(uncorrected): "no bias correction",
    looped(epsilon_inside): "ε inside the root",
    looped(decay_by_itself): "decay without the learning rate",
    looped(last_decay): "decay after the update",
    looped(squared_average): "the square of the average",
    late_count: "steps counted from 0",
}


@pytest.mark.parametrize(("answer", "name"), WRONG.items(), ids=WRONG.values())
def test_a_wrong_step_is_named(answer, name):
    for seed in SEEDS:
        assert verdict(ADAMW, answer, seed).mistake == name


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


@pytest.mark.parametrize("answer", [looped(right_body), through_lists, new_lists, decorated])
def test_a_right_step_passes_in_every_style(answer):
    for seed in SEEDS:
        assert verdict(ADAMW, answer, seed) == ADAMW.passed()


def test_new_parameters_in_the_list_are_refused_with_the_reason():
    def replaces(parameters, gradients, state, *settings):
        own = [parameter.clone() for parameter in parameters]
        solved(ADAMW)(own, gradients, state, *settings)
        parameters[:] = own

    for seed in SEEDS:
        assert verdict(ADAMW, replaces, seed).mistake == "parameters not changed"


def test_new_gradients_in_the_list_are_refused_with_the_reason():
    def replaces(gradients, limit):
        norm = torch.stack([gradient.norm() for gradient in gradients]).norm()
        gradients[:] = [gradient * (limit / norm).clamp(max=1.0) for gradient in gradients]

    for seed in SEEDS:
        assert "Your function puts new tensors into `gradients`." in verdict(CLIP, replaces, seed).message


def scaled_copies(gradients, limit):
    norm = sum((gradient**2).sum() for gradient in gradients) ** 0.5
    return [gradient * min(1, limit / norm) for gradient in gradients]


@pytest.mark.parametrize(
    ("exercise", "answer", "words"),
    [
        (CLIP, scaled_copies, "Your function returns something instead"),
        (CLIP, lambda gradients, limit: None, "everything is as it was before"),
        (CLIP, lambda gradients, limit: gradients.clear(), "`gradients[0]` is missing, or is not numbers"),
        (CLIP, lambda gradients, limit: gradients[0].mul_(0.2), "`gradients[1]` is still [[3, 0]], as before the call"),
        (CLIP, lambda gradients, limit: torch.norm(gradients), "`clip_gradients` raised TypeError"),
        (ADAMW, lambda p, g, state, *rest: state.clear(), '`state["step"]` is missing, or is not numbers. It should be 1'),
        (ADAMW, lambda p, g, *rest: g[0].zero_(), "Your function changes `gradients[0]`, which should stay [0. , 0.3616]"),
        (ADAMW, 3, "should be a function, but is int"),
    ],
)  # fmt: skip
def test_other_answers_are_described(exercise, answer, words):
    assert words in verdict(exercise, answer).message


@pytest.mark.parametrize(
    "value", [None, 3, [], {}, {"afterwards": 1, "tensors": [1]}, {"afterwards": [[], {}], "tensors": "x"}]
)
def test_any_data_gets_a_verdict(value):
    assert not CLIP.judge(0, [Outcome(value=value, type="dict")] * len(CLIP.questions(0))).passed
    assert not ADAMW.judge(0, [Outcome(value=value, type="dict")] * len(ADAMW.questions(0))).passed
