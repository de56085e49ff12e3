"""Stage B1: one step of the training loop."""

import numpy as np

from ..kinds import TrainingStep
from ..kinds.training_step import cross_entropy
from ..toolkit import mistake, softmax


def _step(table, inputs, labels):
    table.zero_grad()
    loss, gradient = cross_entropy(table.weight, inputs, labels)
    table.backward(gradient)
    table.step()
    return loss


def _in_order(*pieces, factor=1.0):
    """A step whose pieces come in this order; the gradient is multiplied by ``factor``."""

    def step(table, inputs, labels):
        loss, gradient = cross_entropy(table.weight, inputs, labels)
        for piece in pieces:
            table.backward(factor * gradient) if piece == "backward" else getattr(table, piece)()
        return loss

    return step


def _with_loss(loss_of):
    """A step with a different loss; ``loss_of(weight, inputs, labels)`` gives it with its gradient."""

    def step(table, inputs, labels):
        table.zero_grad()
        loss, gradient = loss_of(table.weight, inputs, labels)
        table.backward(gradient)
        table.step()
        return loss

    return step


def _of_probabilities(loss_of):
    """A loss that takes probabilities for logits."""

    def loss_of_weight(weight, inputs, labels):
        probabilities = softmax(weight)
        loss, outer = loss_of(probabilities, inputs, labels)
        return loss, probabilities * (outer - (outer * probabilities).sum(-1, keepdims=True))

    return loss_of_weight


def _scaled(factor_of):
    """The cross-entropy times a number that depends on the batch."""

    def loss_of(weight, inputs, labels):
        return tuple(factor_of(inputs) * part for part in cross_entropy(weight, inputs, labels))

    return loss_of


def _without_logarithm(weight, inputs, labels):
    """Minus the mean probability of the labels, and its gradient."""
    given, wanted = inputs.reshape(-1), labels.reshape(-1)
    probabilities = softmax(weight[given])
    right, gradient = probabilities[np.arange(len(given)), wanted], np.zeros_like(weight)
    np.add.at(gradient, given, right[:, None] * (probabilities - np.eye(weight.shape[1])[wanted]) / len(given))
    return -float(right.mean()), gradient


def _logarithm_of_the_mean(weight, inputs, labels):
    loss, gradient = _without_logarithm(weight, inputs, labels)
    return -np.log(-loss), gradient / -loss


def _squared(weight, inputs, labels):
    """The mean squared error of logits and one-hot labels, and its gradient."""
    given = inputs.reshape(-1)
    errors, gradient = weight[given] - np.eye(weight.shape[1])[labels.reshape(-1)], np.zeros_like(weight)
    np.add.at(gradient, given, 2 * errors / errors.size)
    return (errors**2).mean(), gradient


def _reshaped(weight, inputs, labels):
    """The cross-entropy of logits that a reshape turned into (b, v, n)."""
    (b, n), v = inputs.shape, weight.shape[1]
    rows = weight[inputs].reshape(b, v, n).swapaxes(1, 2).reshape(b * n, v)
    loss, errors = cross_entropy(rows, np.arange(b * n), labels)
    gradient = np.zeros_like(weight)
    np.add.at(gradient, inputs, errors.reshape(b, n, v).swapaxes(1, 2).reshape(b, n, v))
    return loss, gradient


def _in_bits(table, inputs, labels):
    return _step(table, inputs, labels) / np.log(2)


def _loss_afterwards(table, inputs, labels):
    _step(table, inputs, labels)
    return cross_entropy(table.weight, inputs, labels)[0]


def _twice(table, inputs, labels):
    loss = _step(table, inputs, labels)
    _step(table, inputs, labels)
    return loss


train_step = TrainingStep(
    id="build.train_step",
    answer_name="train_step",
    prompt="One step of training: the loss of a batch, its gradient, and one update of the model.",
    reference=_step,
    why="Old gradients are cleared before new ones are computed, so each update uses the gradient of its own batch only.",
    hints=(
        "Four things happen in every step: old gradients are cleared, the loss is computed, its gradient is computed, and the "
        "optimizer changes the weights.",
        "`F.cross_entropy` takes logits with one row per character, (b·n, v), and labels of shape (b·n,). `flatten(0, 1)` "
        "joins the first two axes.",
        "In order: `optimizer.zero_grad()`, the loss of `model(inputs)`, `loss.backward()`, `optimizer.step()`. Return "
        "`loss.item()`.",
    ),
    mistakes=(
        mistake(
            "zero_grad forgotten",
            "You never clear the gradients. `backward` adds to those that are already there, so each step also uses the "
            "gradients of all earlier batches.",
            "Call `optimizer.zero_grad()` once in each step, before `backward`.",
            _in_order("backward", "step"),
        ),
        mistake(
            "gradients cleared too late",
            "You clear the gradients between `backward` and `step`. The update then uses zeros, and the model never changes.",
            "Clear them before `backward`, or after `step`.",
            _in_order("backward", "zero_grad", "step"),
        ),
        mistake(
            "step before backward",
            "In your code, `step` comes before `backward`, which has not yet computed the gradient of this batch.",
            "`backward` comes first: it computes what `step` uses.",
            _in_order("zero_grad", "step", "backward"),
            _in_order("step", "backward"),
            _in_order("step", "zero_grad", "backward"),
            _in_order("step", "backward", "zero_grad"),
        ),
        mistake(
            "no step",
            "The gradients are computed, but never used: the optimizer takes no step, so the model does not change.",
            "Call `optimizer.step()` after `backward`.",
            _in_order("zero_grad", "backward"),
            _in_order("backward"),
        ),
        mistake(
            "no backward",
            "The optimizer takes a step without a gradient, so the model does not change.",
            "Call `loss.backward()` before `optimizer.step()`.",
            _in_order("zero_grad", "step"),
            _in_order("step"),
            _in_order("zero_grad"),
            _in_order(),
        ),
        mistake(
            "uphill",
            "The loss grows: the step goes uphill. The optimizer already subtracts the gradient, so do not negate the loss.",
            "Call `backward` on the loss itself.",
            _in_order("zero_grad", "backward", "step", factor=-1.0),
            _with_loss(lambda *batch: tuple(-part for part in cross_entropy(*batch))),
        ),
        mistake(
            "the sum in place of the mean",
            "Your loss is a sum over characters or over sequences. The gradient then grows with the size of the batch, so "
            "each size would need its own learning rate.",
            'Use the mean over all characters, which `F.cross_entropy` gives unless you pass `reduction="sum"`.',
            _with_loss(_scaled(lambda inputs: inputs.size)),
            _with_loss(_scaled(len)),
            _with_loss(_scaled(lambda inputs: inputs.shape[1])),
        ),
        mistake(
            "softmax twice",
            "You applied a softmax before `cross_entropy`, which applies one itself. The second makes all probabilities "
            "nearly equal, and the gradient small.",
            "Pass the logits as they come from the model.",
            _with_loss(_of_probabilities(cross_entropy)),
        ),
        mistake(
            "inputs and labels swapped",
            "You gave the labels to the model and compared its output with the inputs, so it learns to predict the character "
            "*before*.",
            "The model gets `inputs`; its logits are compared with `labels`.",
            _with_loss(lambda weight, inputs, labels: cross_entropy(weight, labels, inputs)),
        ),
        mistake(
            "labels equal to inputs",
            "You used the same ids as the model's input and as its labels, so the model learns to repeat the character that "
            "it has just seen.",
            "The model gets `inputs`; its logits are compared with `labels`.",
            _with_loss(lambda weight, inputs, labels: cross_entropy(weight, inputs, inputs)),
            _with_loss(lambda weight, inputs, labels: cross_entropy(weight, labels, labels)),
        ),
        mistake(
            "shifted once more",
            "You shifted the labels by one position, but `labels` already holds the next character for each input. The "
            "model would learn to predict two characters ahead.",
            "Use `labels` as they are.",
            _with_loss(lambda weight, inputs, labels: cross_entropy(weight, inputs[:, :-1], labels[:, 1:])),
        ),
        mistake(
            "one position only",
            "Your loss covers only one position of each sequence. Every position predicts its next character, so the model "
            "can learn from all of them.",
            "Compute the loss over all positions: flatten the first two axes.",
            _with_loss(lambda weight, inputs, labels: cross_entropy(weight, inputs[:, -1], labels[:, -1])),
            _with_loss(lambda weight, inputs, labels: cross_entropy(weight, inputs[:, 0], labels[:, 0])),
        ),
        mistake(
            "logits and labels in a different order",
            "Your logits and labels are not in the same order: one of them was transposed before it was flattened. Each "
            "prediction is compared with the label of a different character.",
            "`logits.flatten(0, 1)` and `labels.flatten()` go through the batch in the same order.",
            _with_loss(lambda weight, inputs, labels: cross_entropy(weight, inputs.T, labels)),
            _with_loss(lambda weight, inputs, labels: cross_entropy(weight, inputs, labels.T)),
        ),
        mistake(
            "reshaped, not transposed",
            "You reshaped the logits to (b, v, n). `cross_entropy` accepts that shape, but a reshape does not swap axes, so "
            "the scores of different characters are mixed.",
            "Join the first two axes: `logits.flatten(0, 1)`.",
            _with_loss(_reshaped),
        ),
        mistake(
            "no logarithm",
            "Your loss is minus the mean probability of the labels. The cross-entropy is minus the mean *logarithm* of that "
            "probability, so that confident mistakes cost much more.",
            "`F.cross_entropy` takes the logits and does all of that.",
            _with_loss(_without_logarithm),
        ),
        mistake(
            "the squared error",
            "Your loss is the mean squared error between one-hot labels and logits or probabilities. The model is measured "
            "by its cross-entropy, so that is the loss which it should learn to lower.",
            "`F.cross_entropy` takes the logits, and the ids in `labels` as they are.",
            *map(_with_loss, (_squared, _of_probabilities(_squared))),
        ),
        mistake(
            "the logarithm of the mean",
            "You take the logarithm after the mean. The cross-entropy is the mean of the logarithms.",
            "`F.cross_entropy` takes the logits and does all of that.",
            _with_loss(_logarithm_of_the_mean),
        ),
        mistake(
            "in bits",
            "Your loss is in bits: you divided by ln 2. The step returns the loss in nats, as `F.cross_entropy` gives it.",
            "Return the loss as it is. The ladder converts it later.",
            _in_bits,
            _with_loss(_scaled(lambda inputs: 1 / np.log(2))),
        ),
        mistake(
            "the loss after the update",
            "You return the loss after the update. It is usually lower than the loss that the gradient was computed from, and "
            "it takes a second pass through the model.",
            "Return the loss on which you called `backward`.",
            _loss_afterwards,
        ),
        mistake(
            "two updates",
            "You update the model twice per call.",
            "One call is one step.",
            _twice,
            _in_order("zero_grad", "backward", "step", "step"),
        ),
        mistake(
            "two backward passes",
            "You call `backward` twice per step. The second call adds the same gradient again, so each update is twice as "
            "large.",
            "One loss needs only one call to `backward`.",
            _in_order("zero_grad", "backward", "backward", "step"),
        ),
    ),
)
