"""The course's own parts of stage B6 train as the library does, whose loop makes the steps of torch's AdamW."""

import copy

import pytest
import torch
from torch import nn
from twins import random

from transformer_course.build_parts import adamw_step, clip_gradients, learning_rate
from transformer_course.training import train


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
