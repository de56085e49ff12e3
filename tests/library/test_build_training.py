"""The course's own parts of stage B6 compute what torch and the library compute."""

import copy

import pytest
import torch
from torch import nn
from twins import random

from transformer_course.build_parts import adamw_step, clip_gradients, learning_rate, smoothed_loss
from transformer_course.training import sequence_loss, train

SHAPES = (4, 3), (3,), (2, 3, 2)


def test_twenty_steps_are_those_of_torchs_adamw():
    own, theirs = ([nn.Parameter(random(*shape, seed=7)) for shape in SHAPES] for _ in range(2))
    settings = {"lr": 0.05, "betas": (0.9, 0.98), "eps": 1e-3, "weight_decay": 0.3}
    optimizer = torch.optim.AdamW(theirs, **settings)
    state = {"step": 0, "m": [torch.zeros_like(p) for p in own], "v": [torch.zeros_like(p) for p in own]}
    for step in range(20):
        gradients = [random(*shape, seed=100 + step) for shape in SHAPES]
        gradients[0][1] = 0.0  # a token that is in no batch
        for parameter, gradient in zip(theirs, gradients, strict=True):
            parameter.grad = gradient.clone()
        optimizer.step()
        with torch.no_grad():
            adamw_step(own, gradients, state, **settings)
        torch.testing.assert_close(own, theirs, rtol=1e-9, atol=1e-12)
    assert state["step"] == 20


@pytest.mark.parametrize("size", [0.01, 1.0, 50.0])
def test_gradients_are_clipped_as_torch_clips_them(size):
    own = [size * random(*shape, seed=3) for shape in SHAPES]
    theirs = [nn.Parameter(torch.zeros(shape, dtype=torch.float64)) for shape in SHAPES]
    for parameter, gradient in zip(theirs, own, strict=True):
        parameter.grad = gradient.clone()
    nn.utils.clip_grad_norm_(theirs, 1.0)
    clip_gradients(own, 1.0)
    torch.testing.assert_close(own, [parameter.grad for parameter in theirs], rtol=1e-5, atol=0)


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5])
def test_the_loss_and_its_gradient_are_the_librarys(smoothing):
    labels, gradients = torch.tensor([[4, 1, 2, 0], [3, 0, 0, 0]]), []
    for loss_of in (smoothed_loss, sequence_loss):
        logits = random(2, 4, 5).requires_grad_()
        loss = loss_of(logits, labels, 0, smoothing)
        loss.backward()
        gradients += [(loss, logits.grad)]
    torch.testing.assert_close(*gradients, rtol=1e-9, atol=1e-12)


def test_a_training_with_these_parts_is_that_of_the_librarys_train():
    steps, warmup, peak = 12, 4, 0.1
    theirs = nn.Linear(3, 2).double()
    own = copy.deepcopy(theirs)
    data = [(random(5, 3, seed=step),) for step in range(steps)]

    def loss_of(model, x):
        return (model(x) ** 2).mean() + model.weight.sum()

    losses = train(theirs, iter(data), loss_of, steps, lr=peak, warmup=warmup)
    parameters = list(own.parameters())
    state = {"step": 0, "m": [torch.zeros_like(p) for p in parameters], "v": [torch.zeros_like(p) for p in parameters]}
    for step, batch in enumerate(data):
        loss = loss_of(own, *batch)
        assert loss.item() == pytest.approx(losses[step], rel=1e-6)
        gradients = list(torch.autograd.grad(loss, parameters))
        clip_gradients(gradients, 1.0)
        with torch.no_grad():
            adamw_step(parameters, gradients, state, learning_rate(step, peak, warmup, steps), (0.9, 0.98), 1e-8, 0.01)
    torch.testing.assert_close(parameters, list(theirs.parameters()), rtol=1e-5, atol=1e-7)
