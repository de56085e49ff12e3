"""Stage B1: one step of the training loop."""

import numpy as np

from ..families import adapted
from ..families.loss import LOSS, NLL, ONLY_FAR_APART, of_label
from .training_step import ORDER, TrainingStep, cross_entropy

NUDGE = 1e-4


def _step(table, inputs, labels, loss_of=cross_entropy):
    """A step with this loss; ``loss_of(weight, inputs, labels)`` gives it with its gradient."""
    table.zero_grad()
    loss, gradient = loss_of(table.weight, inputs, labels)
    table.backward(gradient)
    table.step()
    return loss


def _with_loss(loss_of):
    return lambda table, inputs, labels: _step(table, inputs, labels, loss_of)


def _of_logits(piece):
    """A step with a wrong loss of the family. Its gradient is what a small change of each logit makes of it."""

    def loss_of(weight, inputs, labels):
        logits, gradient = weight[inputs], np.zeros_like(weight)
        for *place, token in np.ndindex(logits.shape):
            nudge = np.zeros_like(logits)
            nudge[*place, token] = NUDGE
            above, below = (piece(changed, labels, -1, of_label) for changed in (logits + nudge, logits - nudge))
            gradient[inputs[*place], token] += (above - below) / (2 * NUDGE)
        return piece(logits, labels, -1, of_label), gradient

    return _with_loss(loss_of)


def _in_order(pieces, factor=1.0):
    """A step whose pieces come in this order; the gradient is multiplied by ``factor``."""

    def step(table, inputs, labels):
        loss, gradient = cross_entropy(table.weight, inputs, labels)
        for piece in pieces.split():
            table.backward(factor * gradient) if piece == "backward" else getattr(table, piece)()
        return loss

    return step


def _loss_afterwards(table, inputs, labels):
    _step(table, inputs, labels)
    return cross_entropy(table.weight, inputs, labels)[0]


def _summed(position):
    """The loss at one position, with the sum over the batch in place of the mean."""

    def loss_of(weight, inputs, labels):
        loss, gradient = cross_entropy(weight, inputs[:, position], labels[:, position])
        return len(inputs) * loss, len(inputs) * gradient

    return loss_of


def _clipped(clip):
    def loss_of(*batch):
        loss, gradient = cross_entropy(*batch)
        return loss, clip(gradient)

    return _with_loss(loss_of)


def _twice(table, inputs, labels):
    loss = _step(table, inputs, labels)
    _step(table, inputs, labels)
    return loss


train_step = TrainingStep(
    id="build.train_step",
    answer_name="train_step",
    prompt="One step of training: the loss of a batch, its gradient, and one update of the model.",
    reference=_step,
    why="From one update to the next, the gradients are cleared, so each update uses the gradient of its own batch only.",
    hints=(
        "Four things happen in every step: old gradients are cleared, the loss is computed, its gradient is computed, and the "
        "optimizer changes the weights.",
        "`F.cross_entropy` takes logits with one row per character, (b·n, v), and labels of shape (b·n,). `flatten(0, 1)` "
        "joins the first two axes.",
        "In order: `optimizer.zero_grad()`, the loss of `model(inputs)`, `loss.backward()`, `optimizer.step()`. Return "
        "`loss.item()`.",
    ),
    mistakes={
        **adapted(ORDER, _in_order, more={"two updates": (_twice,)}),
        "step before backward": (
            "In your code, `step` comes before `backward`, which has not yet computed the gradient of this batch.",
            "`backward` comes first: it computes what `step` uses.",
            *map(_in_order, ("zero_grad step backward", "step backward")),
            *map(_in_order, ("step zero_grad backward", "step backward zero_grad")),
        ),
        "no backward": (
            "The optimizer takes a step without a gradient, so the model does not change.",
            "Call `loss.backward()` before `optimizer.step()`.",
            *map(_in_order, ("zero_grad step", "step", "zero_grad", "")),
        ),
        "uphill": (
            "The loss grows: the step goes uphill. The optimizer already subtracts the gradient, so do not negate the loss.",
            "Call `backward` on the loss itself.",
            _in_order("zero_grad backward step", factor=-1.0),
            _with_loss(lambda *batch: tuple(-part for part in cross_entropy(*batch))),
        ),
        "inputs and labels swapped": (
            "You gave the labels to the model and compared its output with the inputs, so it learns to predict the character "
            "*before*.",
            "The model gets `inputs`; its logits are compared with `labels`.",
            _with_loss(lambda weight, inputs, labels: cross_entropy(weight, labels, inputs)),
        ),
        "labels equal to inputs": (
            "You used the same ids as the model's input and as its labels, so the model learns to repeat the character that "
            "it has just seen.",
            "The model gets `inputs`; its logits are compared with `labels`.",
            _with_loss(lambda weight, inputs, labels: cross_entropy(weight, inputs, inputs)),
            _with_loss(lambda weight, inputs, labels: cross_entropy(weight, labels, labels)),
        ),
        "one position only": (
            "Your loss covers only one position of each sequence. Every position predicts its next character, so the model "
            "can learn from all of them.",
            "Compute the loss over all positions: flatten the first two axes.",
            _with_loss(lambda weight, inputs, labels: cross_entropy(weight, inputs[:, -1], labels[:, -1])),
            _with_loss(lambda weight, inputs, labels: cross_entropy(weight, inputs[:, 0], labels[:, 0])),
            *(_with_loss(_summed(position)) for position in (-1, 0)),
        ),
        "the loss after the update": (
            "You return the loss after the update. It is usually lower than the loss that the gradient was computed from, and "
            "it takes a second pass through the model.",
            "Return the loss on which you called `backward`.",
            _loss_afterwards,
        ),
        "the gradients clipped": (
            "You clip the gradients before the step. Many training loops do, but here it is not asked for: where the gradient "
            "is long, your step is shorter than the optimizer's own.",
            "What comes between `backward` and `step`?",
            *(_clipped(lambda g, most=most: g * min(1, most / np.sqrt((g**2).sum()))) for most in (1, 0.5, 0.25, 0.1)),
            *(_clipped(lambda g, most=most: g.clip(-most, most)) for most in (0.5, 0.25, 0.1)),
        ),
        **adapted(
            LOSS,
            _of_logits,
            but=("no mean", "the sign", *ONLY_FAR_APART),
            more={"base 2": (lambda table, inputs, labels: _step(table, inputs, labels) / np.log(2),)},
            log_p="`F.cross_entropy` takes the logits and does all of that.",
            nll=NLL,
            shapes="",
        ),
    },
)
