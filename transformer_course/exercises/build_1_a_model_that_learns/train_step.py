"""Stage B1: one step of the training loop."""

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


def _summed(weight, inputs, labels):
    loss, gradient = cross_entropy(weight, inputs, labels)
    return loss * inputs.size, gradient * inputs.size


def _softmax_twice(weight, inputs, labels):
    """The cross-entropy of probabilities that are taken for logits."""
    probabilities = softmax(weight)
    loss, outer = cross_entropy(probabilities, inputs, labels)
    return loss, probabilities * (outer - (outer * probabilities).sum(-1, keepdims=True))


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
    why="The gradients are cleared, computed and used, in that order, so each update uses the gradient of its own batch only.",
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
            "The loss grows: you go up its slope. The optimizer already subtracts the gradient, so do not negate the loss.",
            "Call `backward` on the loss itself.",
            _in_order("zero_grad", "backward", "step", factor=-1.0),
            _with_loss(lambda *batch: tuple(-part for part in cross_entropy(*batch))),
        ),
        mistake(
            "the sum in place of the mean",
            "Your loss is the sum over all characters. The gradient then grows with the size of the batch, and the "
            "learning rate means something different for each size.",
            'Use the mean, which `F.cross_entropy` gives unless you pass `reduction="sum"`.',
            _with_loss(_summed),
        ),
        mistake(
            "softmax twice",
            "You applied a softmax before `cross_entropy`, which applies one itself. The second makes all probabilities "
            "nearly equal, and the gradient small.",
            "Pass the logits as they come from the model.",
            _with_loss(_softmax_twice),
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
            "You compared the logits with the inputs, so the model learns to repeat the character that it has just seen.",
            "Compare with `labels`.",
            _with_loss(lambda weight, inputs, labels: cross_entropy(weight, inputs, inputs)),
        ),
        mistake(
            "shifted once more",
            "You shifted the labels by one position, but `labels` already holds the next character for each input. The "
            "model would learn to predict two characters ahead.",
            "Use `labels` as they are.",
            _with_loss(lambda weight, inputs, labels: cross_entropy(weight, inputs[:, :-1], labels[:, 1:])),
        ),
        mistake(
            "the last position only",
            "Your loss covers only the last position of each sequence. Every position predicts its next character, so the "
            "model can learn from all of them.",
            "Compute the loss over all positions: flatten the first two axes.",
            _with_loss(lambda weight, inputs, labels: cross_entropy(weight, inputs[:, -1], labels[:, -1])),
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
    ),
)
