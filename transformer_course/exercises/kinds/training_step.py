"""Write one step of a training loop: judged exactly, on a table of logits whose gradient has a closed form."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from transformer_course.runner.outcome import Outcome
from transformer_course.runner.training_steps import run_training_steps

from ..exercise import Exercise, Verdict, an_object, as_array, close, early_verdict, show
from ..toolkit import normal, softmax
from .error_hints import explained

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


@dataclass(frozen=True, kw_only=True)
class TrainingStep(Exercise):
    """Write ``train_step(model, optimizer, inputs, labels)``. It is called for several batches in a row, with plain SGD.

    ``reference(table, inputs, labels)`` does in NumPy what one call should do to a ``Table``, and returns the loss; the answer
    of each mistake does it wrong. If two mistakes have the same effect, the order in which ``zero_grad``, ``backward`` and
    ``step`` were called tells them apart.
    """

    reference: Callable

    kind: ClassVar[str] = "training step"
    is_function: ClassVar[bool] = True

    def backends(self):
        return (run_training_steps.__name__,)

    def questions(self, seed):
        return [[question] for question in _questions(seed)]

    def judge(self, seed, outcomes):
        if early := early_verdict(self, outcomes[-1]):
            return early
        for outcome in outcomes:
            if outcome.error:
                plain, hint = explained(outcome.message)
                return Verdict(False, "error", f"`{self.answer_name}` raised {outcome.error}: {plain}", hint)
        made = [_Made.read(outcome, question) for outcome, question in zip(outcomes, _questions(seed), strict=True)]
        right = [_simulated(self.reference, seed, index) for index in range(len(made))]
        if all(map(_Made.same_as, made, right)):
            return self._kind_of_loss(made[0].type) or self.passed()
        found = [
            mistake
            for mistake in self.mistakes
            if any(_does(each, made, seed) for each in (mistake.answer, *mistake.variants))
        ]
        traced = (
            mistake
            for mistake in found
            if any(_simulated(each, seed, 0).trace == made[0].trace for each in (mistake.answer, *mistake.variants))
        )
        if found:
            return self.named(next(traced, found[0]))
        return self._wrong(*next(pair for pair in zip(made, right, strict=True) if not _Made.same_as(*pair)))

    def _kind_of_loss(self, kind: str) -> Verdict | None:
        if kind in ("float", "float64", "float32"):
            return None
        message = f"Your step does the right thing, but returns the loss as {an_object(kind)}. "
        message += "A tensor can keep the whole computation that led to it in memory, for as long as you keep the loss."
        return Verdict(False, "type", message, "Return a plain number: `loss.item()`.", score=0.5)

    def _wrong(self, made: "_Made", right: "_Made") -> Verdict:
        if made.type == "NoneType":
            message = f"`{self.answer_name}` returned None, but should return the loss. Is a `return` missing at its end?"
            return Verdict(False, "type", message)
        if made.trace.count("step") > len(made.losses):
            message = "The optimizer takes more than one step per call, so the model is updated more than once."
            return Verdict(False, "value", message, "One call is one step. Leave the repetition to the training loop.")
        if len(made.losses) and not close(made.losses[:1], right.losses[:1]):
            values = f"should be {show(float(right.losses[0]))}, but is {show(float(made.losses[0]))}"
            message = f"On the first batch, the loss {values}. It is the mean cross-entropy of all characters."
            return Verdict(False, "value", message)
        if "step" not in made.trace and len(made.tables) > 1 and not close(*made.tables[:2]):
            message = "The model changes, although the optimizer that you are given never takes a step."
            return Verdict(False, "value", message, "Use that optimizer; don't make one of your own inside the function.")
        step = next((n for n in range(len(right.tables)) if not close(made.tables[n : n + 1], right.tables[n : n + 1])), 0)
        message = f"The loss of the first batch is right, but after step {step + 1} the model's weights are not."
        return Verdict(False, "value", message, "Each step: clear the old gradients, compute the new ones, then update once.")


@dataclass(frozen=True)
class _Made:
    """The losses of all calls, and the table after each; read from data of any form."""

    losses: np.ndarray
    tables: np.ndarray
    type: str
    trace: list

    @classmethod
    def read(cls, outcome: Outcome, question: dict) -> "_Made":
        value = outcome.value if isinstance(outcome.value, dict) else {}
        count, shape = len(question["batches"]), question["table"].shape
        losses, tables = (value.get(name) if isinstance(value.get(name), list) else [] for name in ("losses", "tables"))
        losses = [_number(each) for each in losses[:count]]
        read = [array for each in tables[:count] if (array := as_array(each)) is not None and array.shape == shape]
        types = value.get("types")
        kind = types[0] if isinstance(types, list) and types and isinstance(types[0], str) else "NoneType"
        trace = value.get("trace") if isinstance(value.get("trace"), list) else []
        held = np.array(read, float) if read else np.zeros((0, *shape))
        return cls(np.array(losses, float), held, kind[:100], [each for each in trace if isinstance(each, str)])

    def same_as(self, other: "_Made") -> bool:
        return close(self.losses, other.losses) and close(self.tables, other.tables)


def _number(value) -> float:
    array = as_array(value)
    return float(array.reshape(-1)[0]) if array is not None and array.size == 1 else np.nan


@functools.lru_cache(maxsize=64)
def _questions(seed: int) -> list[dict]:
    rng, questions = np.random.default_rng(seed), []
    for vocabulary, batch, length, count, level in SIZES:
        batches = [[rng.integers(0, vocabulary, (batch, length)) for _ in range(2)] for _ in range(count)]
        questions.append({"table": normal(rng, vocabulary, vocabulary) + level, "rate": 0.5, "batches": batches})
    return questions


def _does(step: Callable, made: list[_Made], seed: int) -> bool:
    """Whether an answer did what this step in NumPy does. The last question is the smallest, and tells most of them apart."""
    return all(made[index].same_as(_simulated(step, seed, index)) for index in reversed(range(len(made))))


@functools.lru_cache(maxsize=2048)
def _simulated(step: Callable, seed: int, index: int) -> _Made:
    """What a step in NumPy makes of one question."""
    question = _questions(seed)[index]
    table, losses, tables = Table(question["table"], question["rate"]), [], []
    for inputs, labels in question["batches"]:
        losses.append(step(table, inputs, labels))
        tables.append(table.weight)
    return _Made(np.array(losses), np.array(tables), "float", table.trace)
