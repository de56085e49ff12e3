"""Training steps of the Build as learners write them in torch: each wrong one is named, and each right style accepted."""

import pytest
import torch
from examining import SEEDS, solved, verdict
from torch.nn import functional as F

from transformer_course.exercises import catalogue

STEP = catalogue()["build.train_step"]


def loss_of(model, inputs, labels):
    return F.cross_entropy(model(inputs).flatten(0, 1), labels.flatten())


def forgotten(model, optimizer, inputs, labels):
    loss = loss_of(model, inputs, labels)
    loss.backward()
    optimizer.step()
    return loss.item()


def too_late(model, optimizer, inputs, labels):
    loss = loss_of(model, inputs, labels)
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()


def too_early(model, optimizer, inputs, labels):
    optimizer.zero_grad()
    loss = loss_of(model, inputs, labels)
    optimizer.step()
    loss.backward()
    return float(loss)


def step_first(model, optimizer, inputs, labels):
    loss = loss_of(model, inputs, labels)
    optimizer.step()
    loss.backward()
    optimizer.zero_grad()
    return loss.item()


def no_step(model, optimizer, inputs, labels):
    optimizer.zero_grad()
    loss = loss_of(model, inputs, labels)
    loss.backward()
    return loss.item()


def no_backward(model, optimizer, inputs, labels):
    optimizer.zero_grad()
    loss = loss_of(model, inputs, labels)
    optimizer.step()
    return loss.item()


def uphill(model, optimizer, inputs, labels):
    optimizer.zero_grad()
    loss = loss_of(model, inputs, labels)
    (-loss).backward()
    optimizer.step()
    return loss.item()


def negative_log_likelihood_without_the_sign(model, optimizer, inputs, labels):
    optimizer.zero_grad()
    loss = model(inputs).log_softmax(-1).gather(-1, labels[..., None]).mean()
    loss.backward()
    optimizer.step()
    return loss.item()


def summed(model, optimizer, inputs, labels):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs).transpose(1, 2), labels, reduction="sum")
    loss.backward()
    optimizer.step()
    return loss.item()


def softmax_first(model, optimizer, inputs, labels):
    optimizer.zero_grad()
    loss = F.cross_entropy(torch.softmax(model(inputs), -1).view(-1, model.weight.shape[1]), labels.view(-1))
    loss.backward()
    optimizer.step()
    return loss.item()


def swapped(model, optimizer, inputs, labels):
    optimizer.zero_grad()
    loss = loss_of(model, labels, inputs)
    loss.backward()
    optimizer.step()
    return loss.item()


def shifted(model, optimizer, inputs, labels):
    logits = model(inputs)[:, :-1]
    loss = F.cross_entropy(logits.flatten(0, 1), labels[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def last_only(model, optimizer, inputs, labels):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs)[:, -1, :], labels[:, -1])
    loss.backward()
    optimizer.step()
    return loss.item()


def squared(model, optimizer, inputs, labels):
    optimizer.zero_grad()
    logits = model(inputs)
    loss = F.mse_loss(logits, F.one_hot(labels, logits.shape[-1]).to(logits))
    loss.backward()
    optimizer.step()
    return loss.item()


def afterwards(model, optimizer, inputs, labels):
    optimizer.zero_grad()
    loss_of(model, inputs, labels).backward()
    optimizer.step()
    return loss_of(model, inputs, labels).item()


def step_twice(model, optimizer, inputs, labels):
    optimizer.zero_grad()
    loss = loss_of(model, inputs, labels)
    loss.backward()
    for _ in range(2):
        optimizer.step()
    return loss.item()


WRONG = {
    forgotten: "zero_grad forgotten",
    too_late: "gradients cleared too late",
    too_early: "step before backward",
    step_first: "step before backward",
    no_step: "no step",
    no_backward: "no backward",
    uphill: "uphill",
    negative_log_likelihood_without_the_sign: "uphill",
    summed: "the sum in place of the mean",
    softmax_first: "softmax twice",
    swapped: "inputs and labels swapped",
    shifted: "shifted once more",
    last_only: "one position only",
    squared: "the squared error",
    afterwards: "the loss after the update",
    step_twice: "two updates",
}


@pytest.mark.parametrize(("answer", "name"), WRONG.items())
def test_a_wrong_step_is_named(answer, name):
    for seed in SEEDS:
        assert verdict(STEP, answer, seed).mistake == name


def test_an_optimizer_made_inside_is_refused():
    def own_optimizer(model, optimizer, inputs, labels):
        return solved(STEP)(model, torch.optim.SGD(model.parameters(), lr=0.1), inputs, labels)

    assert "the optimizer that you are given never takes a step" in verdict(STEP, own_optimizer).message


def test_item_before_backward_is_explained():
    def too_early_a_number(model, optimizer, inputs, labels):
        loss = loss_of(model, inputs, labels).item()
        loss.backward()

    assert "Keep the tensor for `backward`" in verdict(STEP, too_early_a_number).hint


def test_logits_that_were_not_flattened_are_explained():
    def three_axes(model, optimizer, inputs, labels):
        F.cross_entropy(model(inputs), labels).backward()

    seen = verdict(STEP, three_axes)
    assert "cross_entropy got labels of shape [" in seen.message
    assert "`flatten(0, 1)` joins the first two axes" in seen.hint


def cleared_by_the_model(model, optimizer, inputs, labels):
    loss = loss_of(model, inputs, labels)
    model.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def cleared_last(model, optimizer, inputs, labels):
    loss = F.nll_loss(model(inputs).log_softmax(-1).reshape(-1, model.weight.shape[1]), labels.reshape(-1))
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=False)
    return float(loss)


def by_a_closure(model, optimizer, inputs, labels):
    def closure():
        optimizer.zero_grad()
        loss = F.cross_entropy(model(inputs).movedim(-1, 1), labels)
        loss.backward()
        return loss

    return optimizer.step(closure).item()


def by_hand(model, optimizer, inputs, labels):
    for parameter in model.parameters():
        parameter.grad = None
    probabilities = model(inputs).softmax(-1)
    loss = -probabilities.gather(-1, labels.unsqueeze(-1)).log().mean()
    loss.backward()
    optimizer.step()
    return loss.detach().numpy()[()]


def through_the_gradients(model, optimizer, inputs, labels):
    loss = loss_of(model, inputs, labels)
    for parameter, gradient in zip(model.parameters(), torch.autograd.grad(loss, list(model.parameters())), strict=True):
        parameter.grad = gradient
    optimizer.step()
    return loss.item()


@pytest.mark.parametrize("answer", [cleared_by_the_model, cleared_last, by_a_closure, by_hand, through_the_gradients])
def test_a_right_step_passes_in_every_style(answer):
    for seed in SEEDS:
        assert verdict(STEP, answer, seed) == STEP.passed()


def test_a_loss_that_keeps_its_graph_is_told():
    def as_tensor(model, optimizer, inputs, labels):
        optimizer.zero_grad()
        loss = loss_of(model, inputs, labels)
        loss.backward()
        optimizer.step()
        return loss

    seen = verdict(STEP, as_tensor)
    assert (seen.reason, seen.score, seen.hint) == ("type", 0.5, "Return a plain number: `loss.item()`.")


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        (lambda model, inputs, labels: None, "should return the loss. Is a `return` missing"),
        (lambda model, inputs, labels: 3.0, ", but is 3. It is the mean cross-entropy of all characters."),
        (lambda model, inputs, labels: F.cross_entropy(model(inputs), labels).item(), "raised"),
    ],
)
def test_other_steps_are_described(loss, words):
    assert words in verdict(STEP, lambda model, optimizer, inputs, labels: loss(model, inputs, labels)).message


def test_weights_that_move_elsewhere_are_told():
    def noisy(model, optimizer, inputs, labels):
        optimizer.zero_grad()
        loss = loss_of(model, inputs, labels)
        loss.backward()
        optimizer.step()
        model.weight.data += 1e-2 * torch.arange(model.weight.shape[1])
        return loss.item()

    assert "after step 1 the model's weights are not" in verdict(STEP, noisy).message
