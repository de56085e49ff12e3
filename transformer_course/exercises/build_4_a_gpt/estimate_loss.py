"""Stage B4: the loss on text that is not trained on."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from transformer_course.runner.outcome import Outcome
from transformer_course.runner.training_steps import run_estimate

from ..exercise import Verdict, an_object, as_array, close, show
from ..families.loss import log_softmax, of_label
from ..kinds.implement import Implement, drawn
from ..kinds.results import agree, arrays, part
from ..toolkit import normal


@dataclass
class Watched:
    """A table of logits in NumPy, which gives the opposite ones in training mode, and what an estimate leaves behind."""

    table: np.ndarray
    training: bool
    recorded: bool = False
    with_gradients: bool = False

    def __call__(self, inputs: np.ndarray, records: bool) -> np.ndarray:
        self.recorded |= records
        return -self.table[inputs] if self.training else self.table[inputs]

    def backward(self) -> None:
        self.with_gradients = True

    def train(self, mode: bool = True) -> None:
        self.training = mode


def _over_labels(sums, labels):
    return sum(sums) / sum(each.size for each in labels)


def _mean_of_means(sums, labels):
    return np.mean([total / each.size for total, each in zip(sums, labels, strict=True)])


def _estimate(mean=_over_labels, begin=False, end=None, pair=lambda *batch: batch, unit=1.0, records=False, backward=False):
    """An estimate. ``begin`` and ``end`` are the modes that it sets: None is the one in which the model came."""

    def estimate_loss(model, batches):
        came = model.training
        model.train(came if begin is None else begin)
        pairs = [pair(*batch) for batch in batches]
        costs = [of_label(log_softmax(model(inputs, records)), labels) for inputs, labels in pairs]
        if backward:
            model.backward()
        model.train({None: came, "as begun": model.training}.get(end, end))
        return mean([cost.sum() for cost in costs], costs) / unit

    return estimate_loss


def _draw(rng):
    def question(training, *shapes):
        batches = [[rng.integers(0, 5, shape) for _ in range(2)] for shape in shapes]
        return [{"table": normal(rng, 5, 5), "training": training, "batches": batches}]

    return [question(True, (2, 3), (1, 5), (4, 2)), question(False, (3, 4), (2, 1)), question(True, (2, 4))]


@dataclass(frozen=True, kw_only=True)
class Estimate(Implement):
    """Write ``estimate_loss(model, batches)``. In ``reference(model, batches)``, the model is a ``Watched``."""

    draw: Callable = _draw

    kind: ClassVar[str] = "estimate"
    backends = (run_estimate.__name__,)
    WASTEFUL: ClassVar[str] = "gradients recorded"  # the only mistake that gives the right number, and harms nothing else

    def named(self, mistake, score=0.0):
        return super().named(mistake, 0.5 if mistake.name == self.WASTEFUL else score)

    def judge(self, seed, outcomes):
        verdict, kind = super().judge(seed, outcomes), part(outcomes[0].value, "type", str)
        if not verdict.passed or kind in ("float", "float64", "float32"):
            return verdict
        message = f"The number is right, but you return it as {an_object(kind[:100])}."
        return Verdict(False, "type", message, "Return a plain number: `.item()` of a tensor is one.", score=0.5)

    def _expected(self, function, seed, index):
        [question] = drawn(self.draw, seed)[index]
        model = Watched(question["table"], question["training"])
        loss = function(model, question["batches"])
        return Outcome(
            {"losses": np.array([loss]), "left": np.array([model.training, model.recorded, model.with_gradients])}, "dict"
        )

    def _problem(self, question, outcome, expected):
        if outcome.error:
            return self._raised(outcome)
        if agree(replace(outcome, value=arrays(outcome.value)), expected):
            return None
        if part(outcome.value, "type", str) == "NoneType":
            message = f"`{self.answer_name}` returned None, but should return the loss. Is a `return` missing at its end?"
            return Verdict(False, "type", message)
        seen, right = as_array(part(outcome.value, "losses", list)), expected.value["losses"]
        number = seen is not None and seen.size == 1
        if not number or not close(seen.reshape(1), right):
            given = show(seen.item()) if number else an_object(part(outcome.value, "type", str)[:100])
            shapes = ", ".join(str(inputs.shape) for inputs, _ in question[0]["batches"])
            message = f"For batches of shapes {shapes}, the loss should be {show(right.item())}, but is {given}."
            return Verdict(False, "value", message, "Add up the losses of all labels, then divide by their number.")
        message = "The loss is right, but the model is not as it was, or gradients were recorded."
        return Verdict(False, "value", message, "Compare your function with the three points above it, one by one.", score=0.5)


estimate_loss = Estimate(
    id="build.estimate_loss",
    answer_name="estimate_loss",
    prompt="The loss on held-out batches: in evaluation mode, without gradients, over all labels.",
    reference=_estimate(),
    why="Every label counts once, no dropout disturbs the measurement, and training goes on as if nothing had happened.",
    hints=(
        "Keep `model.training` in a variable before you call `model.eval()`, and pass it to `model.train(…)` at the end.",
        "Begin with `total, count = 0.0, 0`. Each batch adds its *sum* of losses to `total`, and `labels.numel()` to `count`.",
        "In the loop: `logits = model(inputs)`, then `F.cross_entropy(logits.flatten(0, 1), labels.flatten(), "
        'reduction="sum").item()`. Return `total / count`.',
    ),
    mistakes={
        "eval forgotten": (
            "You measure in whatever mode the model is in. During training, that leaves dropout active.",
            "Call `model.eval()` before the loop.",
            _estimate(begin=None),
            _estimate(begin=None, end=True),
        ),
        "the mode not restored": (
            "Your number is right, but you leave the model in evaluation mode. Training would go on without dropout.",
            "Keep `model.training` before you call `model.eval()`. At the end, pass what you kept to `model.train(…)`.",
            _estimate(end="as begun"),
        ),
        "training mode in any case": (
            "You always leave the model in training mode, even if it was in evaluation mode before. Then its next predictions "
            "would have dropout.",
            "Restore the mode that the model was in: `model.train(…)` takes True or False.",
            _estimate(end=True),
        ),
        Estimate.WASTEFUL: (
            "Your number is right, but torch records the whole computation for gradients that nobody needs. This takes "
            "time and memory.",
            "Write `@torch.no_grad()` above `def`, or put the loop into `with torch.no_grad():`.",
            _estimate(records=True),
        ),
        "gradients left behind": (
            "You call `backward`, and leave gradients in the model. The next training step may add them to its own.",
            "Only measure: no `backward`, and `@torch.no_grad()` above `def`.",
            _estimate(records=True, backward=True),
        ),
        "the mean of the batches' means": (
            "You average the batches' means. If batches differ in size, labels of a small one then count more than others.",
            'Add up sums, with `reduction="sum"`, and divide once by the number of all labels.',
            *(_estimate(_mean_of_means, end=end) for end in (None, True, "as begun")),
        ),
        "over sequences": (
            "You divide by the number of sequences. The loss is per label, and a sequence has n of them.",
            "Count labels: `labels.numel()`.",
            _estimate(lambda sums, labels: sum(sums) / sum(len(each) for each in labels)),
        ),
        "over batches": (
            "You divide the sum over all labels by the number of batches. The loss is per label.",
            "Count labels: `labels.numel()`.",
            _estimate(lambda sums, labels: sum(sums) / len(sums)),
        ),
        "the sum": (
            "You return the sum over all labels, which grows with the amount of text.",
            "Divide by the number of labels.",
            _estimate(lambda sums, labels: sum(sums)),
            _estimate(lambda sums, labels: sum(total / each.size for total, each in zip(sums, labels, strict=True))),
        ),
        "one batch only": (
            "You return the loss of one batch.",
            "Is the `return` inside the loop, or is the sum overwritten there? Add up over all batches first.",
            _estimate(lambda sums, labels: sums[-1] / labels[-1].size),
            _estimate(lambda sums, labels: sums[0] / labels[0].size),
        ),
        "inputs and labels swapped": (
            "You gave the labels to the model and compared its output with the inputs.",
            "The model gets `inputs`; its logits are compared with `labels`.",
            _estimate(pair=lambda inputs, labels: (labels, inputs)),
        ),
        "in bits": (
            "Your loss is in bits. Here it is in nats, like the loss of a training batch.",
            "Don't divide by ln 2.",
            _estimate(unit=np.log(2)),
        ),
    },
)
