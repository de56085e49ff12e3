"""Write one step of a training loop: judged exactly, on a table of logits whose gradient has a closed form."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from transformer_course.runner.outcome import Outcome
from transformer_course.runner.training_steps import run_training_steps

from ..exercise import Verdict, an_object, as_array, close, show
from ..kinds.implement import Implement, drawn
from ..kinds.results import agree, arrays, part, strings
from ..toolkit import normal, softmax

# The sizes of the vocabulary, a batch and a sequence, the number of batches, and a number that is added to all logits.
SIZES = ((5, 2, 3, 4, 0), (7, 4, 2, 3, 0), (3, 2, 3, 1, 1000))


@dataclass
class Table:
    """A table of logits in training, in NumPy: the same pieces as in torch, and a record of which of them were used."""

    weight: np.ndarray
    rate: float
    gradient: np.ndarray | float = 0.0
    trace: list[str] = field(default_factory=list)

    def zero_grad(self) -> None:
        self.trace.append("zero_grad")
        self.gradient = 0.0

    def backward(self, gradient: np.ndarray) -> None:
        self.trace.append("backward")
        self.gradient = self.gradient + gradient

    def step(self) -> None:
        self.trace.append("step")
        self.weight = self.weight - self.rate * self.gradient


def cross_entropy(weight: np.ndarray, inputs: np.ndarray, labels: np.ndarray) -> tuple[float, np.ndarray]:
    """The mean cross-entropy of a table of logits, and its gradient with respect to the table."""
    inputs, labels = inputs.reshape(-1), labels.reshape(-1)
    probabilities, rows = softmax(weight[inputs]), np.arange(len(inputs))
    errors = probabilities - np.eye(weight.shape[1])[labels]
    gradient = np.zeros_like(weight)
    np.add.at(gradient, inputs, errors / len(inputs))
    return float(-np.log(probabilities[rows, labels]).mean()), gradient


ORDER = {  # of the pieces of a step
    "zero_grad forgotten": (
        "You never clear the gradients. `backward` adds to those that are already there, so each step also uses the "
        "gradients of all earlier batches.",
        "Call `optimizer.zero_grad()` once in each step, before `backward`.",
        "backward step",
    ),
    "gradients cleared too late": (
        "You clear the gradients between `backward` and `step`. The update then uses zeros, and the model never changes.",
        "Clear them before `backward`, or after `step`.",
        "backward zero_grad step",
    ),
    "no step": (
        "The gradients are computed, but never used: the optimizer takes no step, so the model does not change.",
        "Call `optimizer.step()` after `backward`.",
        "zero_grad backward",
        "backward",
    ),
    "two updates": (
        "You update the model twice per batch.",
        "One batch is one step.",
        "zero_grad backward step step",
    ),
    "two backward passes": (
        "You call `backward` twice per step. The second call adds the same gradient again, so each update is twice as large.",
        "One loss needs only one call to `backward`.",
        "zero_grad backward backward step",
    ),
}


def draw(rng: np.random.Generator) -> list[list]:
    questions = []
    for vocabulary, batch, length, count, level in SIZES:
        batches = [[rng.integers(0, vocabulary, (batch, length)) for _ in range(2)] for _ in range(count)]
        questions.append([{"table": normal(rng, vocabulary, vocabulary) + level, "rate": 0.5, "batches": batches}])
    inputs = np.zeros((2, 3), int)  # sure of a wrong label, with a gradient longer than 1
    questions.insert(1, [{"table": 4 * np.eye(3), "rate": 0.5, "batches": [[inputs, inputs + 1]]}])
    return questions


@dataclass(frozen=True, kw_only=True)
class TrainingStep(Implement):
    """Write ``train_step(model, optimizer, inputs, labels)``. It is called for several batches in a row, with plain SGD.

    ``reference(table, inputs, labels)`` does in NumPy what one call should do to a ``Table``, and returns the loss; the answer
    of each mistake does it wrong. If two mistakes have the same effect, the order in which ``zero_grad``, ``backward`` and
    ``step`` were called tells them apart.
    """

    draw: Callable = draw

    kind: ClassVar[str] = "training step"
    backends = (run_training_steps.__name__,)

    def judge(self, seed, outcomes):
        verdict = super().judge(seed, outcomes)
        kind = _loss_type(outcomes[0])
        if not verdict.passed or kind in ("float", "float64", "float32"):
            return verdict
        message = f"Your step does the right thing, but returns the loss as {an_object(kind[:100])}. "
        message += "A tensor can keep the whole computation that led to it in memory, for as long as you keep the loss."
        return Verdict(False, "type", message, "Return a plain number: `loss.item()`.", score=0.5)

    def _expected(self, function, seed, index):
        made = _simulated(function, self.draw, seed, index)
        return Outcome({key: made[key] for key in ("losses", "tables")}, "dict")

    def _found(self, given, seed):
        """The last question is the smallest, and tells most mistakes apart. Those with the same order of calls come first."""
        trace = strings(given[0][1].value, "trace")
        found = list(super()._found(given[::-1], seed))
        yield from sorted(found, key=lambda pair: _simulated(pair[1], self.draw, seed, 0)["trace"] != trace)

    def _problem(self, question, outcome, expected):
        if outcome.error:
            return self._raised(outcome)
        if agree(replace(outcome, value=arrays(outcome.value)), expected):
            return None
        if _loss_type(outcome) in ("", "NoneType"):
            message = f"`{self.answer_name}` returned None, but should return the loss. Is a `return` missing at its end?"
            return Verdict(False, "type", message)
        right, count, trace = expected.value, len(expected.value["losses"]), strings(outcome.value, "trace")
        if trace.count("step") > count:
            message = "The optimizer takes more than one step per call, so the model is updated more than once."
            return Verdict(False, "value", message, "One call is one step. Leave the repetition to the training loop.")
        loss = as_array(next(iter(part(outcome.value, "losses", list)), None))
        if loss is not None and loss.size == 1 and not close(loss.reshape(()), right["losses"][0]):
            values = f"should be {show(float(right['losses'][0]))}, but is {show(float(loss.reshape(())))}"
            message = f"On the first batch, the loss {values}. It is the mean cross-entropy of all characters."
            return Verdict(False, "value", message)
        tables = [as_array(each) for each in part(outcome.value, "tables", list)[:count]]
        tables += [None] * (count - len(tables))
        if (
            "step" not in trace
            and count > 1
            and all(each is not None for each in tables[:2])
            and not close(tables[0], tables[1])
        ):
            message = "The model changes, although the optimizer that you are given never takes a step."
            return Verdict(False, "value", message, "Use that optimizer; don't make one of your own inside the function.")
        steps = enumerate(zip(tables, right["tables"], strict=True), 1)
        step = next((n for n, (table, wanted) in steps if table is None or not close(table, wanted)), 1)
        message = f"The loss of the first batch is right, but after step {step} the model's weights are not."
        return Verdict(False, "value", message, "Each step: clear the old gradients, compute the new ones, then update once.")


def _loss_type(outcome: Outcome) -> str:
    return next(iter(strings(outcome.value, "types")), "")


@functools.lru_cache(maxsize=2048)
def _simulated(step: Callable, draw: Callable, seed: int, index: int) -> dict:
    """What a step in NumPy makes of one question."""
    [question] = drawn(draw, seed)[index]
    table, losses, tables = Table(question["table"], question["rate"]), [], []
    for inputs, labels in question["batches"]:
        losses.append(step(table, inputs, labels))
        tables.append(table.weight)
    return {"losses": np.array(losses), "tables": np.array(tables), "trace": table.trace}
