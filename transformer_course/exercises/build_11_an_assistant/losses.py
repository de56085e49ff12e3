"""Stage B11: a loss of models, judged by its value and its gradients. The models are tables of logits."""

import functools
import warnings
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from transformer_course.runner.outcome import Outcome
from transformer_course.runner.training_steps import run_loss

from ..exercise import Verdict, an_object, as_array, close, show
from ..kinds.implement import Implement, drawn, no_tensor
from ..kinds.results import part
from ..toolkit import normal

STEP = 1e-5  # by which a table is moved to measure a slope
SLOPES = 2  # directions in which the gradient of each table is compared


@dataclass
class Table:
    """A table of logits, moved from where it was. ``held`` gives the logits of before: no gradient reaches the table then."""

    weight: np.ndarray
    before: np.ndarray

    def __call__(self, ids):
        return self.weight[ids]

    def held(self, ids):
        return self.before[ids]


def conversations(rng, lengths, columns, tokens):
    """Rows of ids, and which of them the assistant writes; ``lengths`` of a row are of given and written runs in turn."""
    ids, written = rng.integers(1, tokens, (len(lengths), columns)), np.zeros((len(lengths), columns), bool)
    for row, runs in enumerate(lengths):
        ends = np.cumsum(runs)
        for start, end in zip(ends[::2], ends[1::2], strict=True):
            written[row, start:end] = True
        ids[row, ends[-1] :] = 0  # padding
    return [ids, written]


@dataclass(frozen=True, kw_only=True)
class Loss(Implement):
    """Write a loss. In ``reference(*tables, *given)``, the models are `Table`, as in the answer of each mistake."""

    kind: ClassVar[str] = "loss"
    backends = (run_loss.__name__,)
    models: tuple[str, ...] = ("model",)

    def _described(self, question, shapes=False):
        return "ids of shape " + " and ".join(
            str(each.shape) for each in _arrays(question[0]["given"]) if each.dtype.kind == "i"
        )

    def _read(self, outcome, expected):
        return outcome

    def judge(self, seed, outcomes):
        return super().judge(seed, [self._with_slopes(seed, index, each) for index, each in enumerate(outcomes)])

    def _with_slopes(self, seed, index, outcome):
        """The outcome with the slope of each table in some directions, in place of whole gradients."""
        if outcome.error:
            return outcome
        [question] = drawn(self.draw, seed)[index]
        gradients = [as_array(each) for each in part(outcome.value, "gradients", list)]
        if len(gradients) != len(question["tables"]) or any(
            gradient is None or gradient.shape != table.shape
            for gradient, table in zip(gradients, question["tables"], strict=True)
        ):
            return replace(outcome, value=None, error="TypeError", message="what it returned could not be read")
        loss, slopes = as_array(outcome.value.get("loss")), []
        if loss is None:
            loss = outcome.value.get("loss")
        elif loss.size == 1:
            loss = loss.reshape(())
            slopes = [  # what is not a number has none
                [float((gradient * direction).sum()) if np.isfinite(loss) else np.nan for direction in each]
                for gradient, each in zip(gradients, _directions(question["tables"], seed), strict=True)
            ]
        return replace(outcome, value={"loss": loss, "slopes": np.array(slopes), "type": part(outcome.value, "type", str)})

    def _expected(self, function, seed, index):
        return _measured(function, self.draw, seed, index)

    def _problem(self, question, outcome, expected):
        asked = f"For {self._described(question)}"
        if expected.error or outcome.error:
            if expected.error == outcome.error:
                return None
            if expected.error and not outcome.error:
                return Verdict(False, "error", f"{asked}, it should raise {expected.error}, since {expected.message}.")
            return self._raised(outcome)
        kind, seen, right = outcome.value["type"], as_array(outcome.value["loss"]), expected.value["loss"]
        if kind == "NoneType":
            return Verdict(False, "type", f"`{self.answer_name}` returned None. Is a `return` missing at its end?")
        if seen is None or seen.shape != () or not close(seen, right):
            given = show(float(seen)) if seen is not None and seen.shape == () else f"{an_object(kind)}"
            if seen is not None and seen.shape != ():
                given += f" of shape {seen.shape}"
            return Verdict(False, "value", f"{asked}, the loss should be {show(float(right))}, but is {given}.")
        if refused := no_tensor(kind):
            return refused
        for name, slope, wanted in zip(self.models, outcome.value["slopes"], expected.value["slopes"], strict=True):
            if not close(slope, wanted):
                message = f"{asked}, the loss is right, but not its gradient at the weights of `{name}`."
                hint = "Is a step without gradient on the way, such as `.detach()`, `torch.no_grad()` or `torch.tensor(…)`?"
                return Verdict(False, "value", message, hint, score=0.5)
        return None


def _arrays(given):
    for each in given:
        if isinstance(each, list):
            yield from _arrays(each)
        elif isinstance(each, np.ndarray):
            yield each


def _directions(tables, seed):
    rng = np.random.default_rng([seed, len(tables)])
    return [[normal(rng, *table.shape) / np.sqrt(table.size) for _ in range(SLOPES)] for table in tables]


@functools.lru_cache(maxsize=8192)
def _measured(function, draw, seed: int, index: int) -> Outcome:
    """The value of a loss of ours, and its slopes, by moving one table at a time."""
    [question] = drawn(draw, seed)[index]
    tables = question["tables"]

    def value(moved=(), by=0.0):
        weights = [table + by * moved[1] if moved and moved[0] == place else table for place, table in enumerate(tables)]
        models = (Table(weight, table) for weight, table in zip(weights, tables, strict=True))
        with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):  # such as of the mean of nothing
            return np.asarray(function(*models, *question["given"]), float)

    try:
        loss = value()
        if loss.shape:
            return Outcome({"loss": loss, "slopes": np.array([])}, "dict")
        slopes = [
            [float(value((place, each), STEP) - value((place, each), -STEP)) / (2 * STEP) for each in directions]
            for place, directions in enumerate(_directions(tables, seed))
        ]
    except (ValueError, IndexError) as error:
        return Outcome(error=type(error).__name__, message=str(error))
    return Outcome({"loss": loss, "slopes": np.array(slopes)}, "dict")
