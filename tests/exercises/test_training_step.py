"""Training steps of the Build as learners write them in torch: right in each style, and wrong in ways that NumPy has not."""

import torch
from examining import solved, told, verdict
from torch.nn import functional as F

from transformer_course.exercises import catalogue

STEP = catalogue()["build.train_step"]


def loss_of(model, inputs, labels):
    return F.cross_entropy(model(inputs).flatten(0, 1), labels.flatten())


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


def test_a_right_step_passes_in_every_style():
    styles = (cleared_by_the_model, cleared_last, by_a_closure, by_hand, through_the_gradients)
    assert {style.__name__ for style in styles if verdict(STEP, style) != STEP.passed()} == set()


def own_optimizer(model, optimizer, inputs, labels):
    return solved(STEP)(model, torch.optim.SGD(model.parameters(), lr=0.1), inputs, labels)


def item_too_early(model, optimizer, inputs, labels):
    loss = loss_of(model, inputs, labels).item()
    loss.backward()


def not_flattened(model, optimizer, inputs, labels):
    F.cross_entropy(model(inputs), labels).backward()


def tensor(model, optimizer, inputs, labels):
    optimizer.zero_grad()
    loss = loss_of(model, inputs, labels)
    loss.backward()
    optimizer.step()
    return loss


def noisy(model, optimizer, inputs, labels):
    loss = tensor(model, optimizer, inputs, labels)
    model.weight.data += 1e-2 * torch.arange(model.weight.shape[1])
    return loss.item()


def test_other_steps_are_described(snapshot):
    assert verdict(STEP, tensor).score == 0.5
    assert {
        "an optimizer made inside": told(STEP.id, own_optimizer),
        "item before backward": told(STEP.id, item_too_early),
        "logits not flattened": told(STEP.id, not_flattened),
        "the loss as a tensor": told(STEP.id, tensor),
        "weights moved elsewhere too": told(STEP.id, noisy),
        "nothing returned": told(STEP.id, lambda *given: None),
        "another number": told(STEP.id, lambda *given: 3.0),
    } == snapshot


def evaluated_once_more(model, optimizer, batch, rate, evaluate, *plan, **named):
    lowest = solved(catalogue()["build.fit"])(model, optimizer, batch, rate, evaluate, *plan, **named)
    model.eval()
    evaluate(model)
    return lowest


def test_an_evaluation_too_many_is_counted_not_called_one_in_training_mode():
    message = verdict(catalogue()["build.fit"], evaluated_once_more).message
    assert "the number of calls of `evaluate` should be 3, but is 4" in message
