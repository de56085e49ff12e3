"""Stage B10: the loop that trains a model, judged exactly on a table of logits."""

import functools
import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from transformer_course.runner.outcome import Outcome
from transformer_course.runner.training_steps import run_fit

from ..build_1_a_model_that_learns.training_step import ORDER, Table, cross_entropy
from ..exercise import Verdict, an_object, show
from ..families import adapted
from ..kinds.error_hints import ErrorHint
from ..kinds.implement import Implement, drawn
from ..kinds.results import arrays, equal, part, with_entries
from ..toolkit import normal

LIMIT = 1.0  # of the gradient's norm


@dataclass
class Model(Table):
    """A table of logits in training, in NumPy, with its optimizer, and a record of its modes and rates."""

    training: bool = True
    modes: list[bool] = field(default_factory=list)
    rates: list[list[float]] = field(default_factory=list)

    def __post_init__(self):
        self.param_groups = [{"lr": self.rate}, {"lr": self.rate}]

    def train(self, mode=True):
        self.training = mode

    def forward(self, inputs, labels):
        self.modes.append(self.training)
        return cross_entropy(self.weight, inputs, labels)

    def clip(self):
        norm = np.sqrt(np.sum(self.gradient**2))
        self.gradient = self.gradient * np.minimum(1.0, LIMIT / norm) if norm else self.gradient

    def step(self):
        self.rates.append([group["lr"] for group in self.param_groups])
        self.rate = self.param_groups[1]["lr"]
        super().step()


def loop(
    numbers=lambda start, steps: range(start, steps),
    pieces="rate zero_grad backward clip step",
    rate_at=lambda rate, step: rate(step),
    groups=slice(None),
    stops="before",
    finite=np.isfinite,
    due=lambda step, every, steps, start: (step + 1) % every == 0 or step + 1 == steps,
    modes=(False, True),
    better=lambda train, held_out, best: held_out < best,
    lowest=lambda train, held_out, best: min(held_out, best),
    done=lambda step: step + 1,
    known=lambda best: best,
    returned=lambda best, last: best,
    early=False,
):
    """The loop in NumPy, with a ``Model``, with the pieces that a mistake replaces."""

    def fit(model, optimizer, batch, rate, evaluate, save, steps, every, start=0, best=math.inf):
        best, last, (inside, after) = known(best), best, modes

        def look(step, best):
            if inside is not None:
                model.train(inside)
            train, last = evaluate(model)
            if after is not None:
                model.train(after)
            save(done(step), train, last, better(train, last, best))
            return lowest(train, last, best), last

        model.train()
        for step in numbers(start, steps):
            if early and due(step, every, steps, start):
                best, last = look(step, best)
            loss, gradient = model.forward(*batch(step))
            if stops == "skips" and not finite(loss):
                continue
            if stops == "silently" and not finite(loss):
                break
            if stops == "before" and not finite(loss):
                raise ValueError(f"the loss is {loss} at step {step}")
            for piece in pieces.split():
                if piece == "rate":
                    for group in optimizer.param_groups[groups]:
                        group["lr"] = rate_at(rate, step)
                elif piece == "backward":
                    model.backward(gradient)
                else:
                    getattr(model, piece)()
            if stops == "after" and not np.isfinite(loss):
                raise ValueError(f"the loss is {loss} at step {step}")
            if not early and due(step, every, steps, start):
                best, last = look(step, best)
            if stops == "at the end" and not np.isfinite(loss):
                raise ValueError(f"the loss is {loss} at step {step}")
        return returned(best, last)

    return fit


def _draw(rng):
    def drawn(steps, every, start, best, losses, diverges=""):
        v = 6
        table = normal(rng, v, v, limit=2)
        table[0, 1] = 8.0  # sure of what is wrong in the batches of zeros, whose gradient is longer than the limit
        batches = [[rng.integers(1, v, (2, 4)) for _ in range(2)] for _ in range(9)]
        for index in (0, 3, 5):
            batches[index] = [np.zeros((2, 4), int), np.full((2, 4), 2)]
        if diverges:
            table[5, 2] = float(diverges)
            batches = [[np.minimum(inputs, 4), labels] for inputs, labels in batches]
            batches[3] = [np.full((2, 4), 5), batches[3][1]]
        rates = (0.5 + rng.permutation(10) / 16).tolist()
        plan = {"steps": steps, "every": every, "start": start, "best": best, "losses": losses, "diverges": diverges}
        return [{"table": table, "batches": batches, "rate": 0.25, "rates": rates, **plan}]

    return [
        drawn(7, 3, 0, math.inf, [[3.0, 3.5], [2.5, 3.125], [2.0, 3.125]]),
        drawn(8, 2, 3, 2.5, [[2.5, 2.75], [2.25, 2.625], [1.5, 2.25]]),
        drawn(4, 2, 0, math.inf, [[4.0, 3.0], [3.5, 3.25]]),
        drawn(6, 2, 0, math.inf, [[4.0, 3.0], [3.5, 2.25], [3.0, 2.0]], diverges="nan"),
        drawn(6, 2, 0, math.inf, [[4.0, 3.0], [3.5, 2.25], [3.0, 2.0]], diverges="-inf"),  # a loss of infinity
        drawn(5, 2, 5, 1.5, [[1.0, 2.0]]),  # all done before
    ]


@dataclass(frozen=True, kw_only=True)
class Fit(Implement):
    """Write ``fit``. ``reference`` does to a ``Model`` what it should do to a model; each mistake's answer does it wrong."""

    kind: ClassVar[str] = "fit"
    backends = (run_fit.__name__,)

    def _described(self, question, shapes=False):
        return ", ".join(f"{name} = {question[0][name]}" for name in ("steps", "every", "start", "best"))

    def _expected(self, function, seed, index):
        return _simulated(function, self.draw, seed, index)

    def _read(self, outcome, expected):
        return with_entries(outcome, expected.value)

    def _problem(self, question, outcome, expected):
        if outcome.error:
            return self._raised(outcome)
        asked = f"For {self._described(question)}"
        seen, right = (each | {"calls": len(part(each, "evaluated", list))} for each in (outcome.value, expected.value))
        told = (
            ("asked", "`batch` should be asked for the steps {}, but was asked for {}."),
            ("modes", "the model should be in training mode at each step, {}, but was {}."),
            ("rates", "the learning rates of the optimizer's groups at each step should be {}, but were {}."),
            (
                "calls",
                "the number of calls of `evaluate` should be {}, but is {}: one after every `every` steps and one after the "
                "last, never two after the same step.",
            ),
            ("evaluated", "call `model.eval()` before `evaluate`, also after the last step. In training mode: {}; it was {}."),
            ("saved", "`save` should be called with the rows {} (done, train, held out, better), but was called with {}."),
        )
        for key, sentence in told:
            if not equal(arrays(seen[key]), arrays(right[key])):
                return Verdict(False, "value", f"{asked}, {sentence.format(show(right[key]), show(seen[key]))}")
        if not equal(arrays([*part(seen, "tables", list), seen["table"]]), arrays([*right["tables"], right["table"]])):
            message = f"{asked}, the model's weights are not what these steps should make of them."
            hint = "In each step: the rate, the loss, clear the old gradients, compute the new ones, clip them, update once."
            return Verdict(False, "value", message, hint)
        if not equal(arrays(seen["raised"]), right["raised"]):
            return Verdict(False, "value", f"{asked}, `fit` should raise a ValueError where the loss is not finite.")
        if not question[0]["diverges"] and not equal(arrays(seen["returned"]), arrays(right["returned"])):
            kind = part(seen, "type", str)
            if kind == "NoneType":
                return Verdict(False, "type", "`fit` returned None. Is a `return` missing at its end?")
            value = show(seen["returned"]) if isinstance(seen["returned"], float | int) else an_object(kind[:100])
            return Verdict(False, "value", f"{asked}, `fit` should return {show(right['returned'])}, but returned {value}.")
        return None


@functools.lru_cache(maxsize=2048)
def _simulated(fit, draw, seed: int, index: int) -> Outcome:
    """What a loop in NumPy makes of one question; see ``run_fit``."""
    [question] = drawn(draw, seed)[index]
    table = Model(question["table"], question["rate"])
    seen = {"asked": [], "modes": table.modes, "rates": table.rates, "evaluated": [], "saved": [], "tables": []}

    def batch(step):
        seen["asked"].append(step)
        return question["batches"][step % len(question["batches"])]

    def evaluate(table):
        seen["evaluated"].append(table.training)
        return question["losses"][min(len(seen["evaluated"]), len(question["losses"])) - 1]

    def save(*given):
        seen["saved"].append([float(each) for each in given])
        seen["tables"].append(table.weight)

    plan = (question[name] for name in ("steps", "every", "start", "best"))
    try:
        returned = fit(table, table, batch, lambda step: question["rates"][step % 10], evaluate, save, *plan)
        same, raised = {} if question["diverges"] else {"returned": returned}, False
    except ValueError:
        same, raised = {}, True
    return Outcome({**seen, **same, "table": table.weight, "raised": np.array(raised)}, "dict")


fit = Fit(
    id="build.fit",
    answer_name="fit",
    prompt="The loop that trains: rate, batch, loss, clipping, step, evaluation, and what is saved.",
    reference=loop(),
    draw=_draw,
    error_hints=(
        ErrorHint(
            r"must be real number|unsupported operand|not supported between instances of 'tuple'|'tuple'",
            "`evaluate(model)` returns two numbers: `train, held_out = evaluate(model)`.",
        ),
        ErrorHint(r"save\(\) missing", "It is called as `save(done, train, held_out, better)`."),
        ErrorHint(r"(UnboundLocalError|cannot access local variable)", "If `start` is `steps`, no step is left to take."),
    ),
    why="What a step does depends on its number alone, so a run that was stopped goes on exactly as if it had not been.",
    hints=(
        "Begin with `model.train()` and a loop over `range(start, steps)`. In it, set the rate in every group of "
        "`optimizer.param_groups`, then do what your `train_step` does.",
        "`nn.utils.clip_grad_norm_(model.parameters(), 1.0)` comes between `backward` and `step`. A loss for which "
        "`torch.isfinite(loss)` is False ends the loop before that: `raise ValueError(…)`.",
        "`done = step + 1` steps have been taken. If `done % every == 0 or done == steps`: `model.eval()`, evaluate, "
        "`model.train()`, compare `held_out` with `best`, keep the lower one, and save.",
    ),
    mistakes={
        **adapted(
            ORDER,
            lambda order: loop(pieces=f"rate {order.replace('step', 'clip step')}"),
            more={"gradients cleared too late": (loop(pieces="rate zero_grad clip step"),)},
        ),
        "step before backward": (
            "`step` comes before `backward`, so it uses the gradient of the batch before, or none.",
            "`backward`, clip, then `step`.",
            loop(pieces="rate step zero_grad backward clip"),
        ),
        "not clipped": (
            "A gradient longer than 1 reaches the optimizer as it is. Before `backward` there is nothing to clip yet, after "
            "`step` it is too late, and clipping each number by itself is something else.",
            "`nn.utils.clip_grad_norm_(model.parameters(), 1.0)`, between `backward` and `step`.",
            loop(pieces="rate zero_grad backward step"),
            loop(pieces="rate zero_grad clip backward step"),
            loop(pieces="rate zero_grad backward step clip"),
        ),
        "rate never set": (
            "The optimizer keeps the learning rate that it was made with, so there is no warm-up and no end.",
            'Before `step`: `group["lr"] = rate(step)` for each group of `optimizer.param_groups`.',
            loop(pieces="zero_grad backward clip step"),
        ),
        "rate set after the step": (
            "You set the learning rate after the step, so each step uses the rate of the one before.",
            "Set it before `optimizer.step()`.",
            loop(pieces="zero_grad backward clip step rate"),
        ),
        "rate of one group": (
            "You set the learning rate of one group only. The optimizer has two: one with weight decay, and one without.",
            "Go through all of `optimizer.param_groups`.",
            loop(groups=slice(0, 1)),
            loop(groups=slice(1, 2)),
        ),
        "rate of the next step": (
            "You ask `rate` for the step after this one. Steps are counted from 0.",
            "`rate(step)` and `batch(step)` take the same number.",
            loop(rate_at=lambda rate, step: rate(step + 1)),
        ),
        "evaluated in training mode": (
            "You evaluate in training mode. With dropout, the held-out loss would be measured on a damaged model.",
            "`model.eval()` before, `model.train()` after.",
            loop(modes=(None, None)),
            loop(modes=(None, True)),
        ),
        "not back in training mode": (
            "After the first evaluation, the model stays in evaluation mode. From there on, dropout does nothing.",
            "`model.train()` after each evaluation.",
            loop(modes=(False, None)),
        ),
        "last kept as best": (
            "You call each model better than those before. Then the file of the best model holds the last one, which may have "
            "learned the text by heart.",
            "`better` is `held_out < best`, compared before you update `best`.",
            loop(better=lambda train, held_out, best: True),
        ),
        "best by the training loss": (
            "You compare the loss on the training text. It keeps falling while the model learns that text by heart.",
            "Compare `held_out`.",
            loop(better=lambda train, held_out, best: train < best, lowest=lambda train, held_out, best: min(train, best)),
        ),
        "never better": (
            "No model is ever called better, so no best model is kept.",
            "Compare with `best` first, and update it afterwards. Lower is better.",
            loop(better=lambda train, held_out, best: False),
        ),
        "worse kept as best": (
            "You call a model better if its held-out loss is *higher*.",
            "Lower is better: `held_out < best`.",
            loop(better=lambda train, held_out, best: held_out > best),
            loop(better=lambda *losses: losses[1] > losses[2], lowest=lambda train, held_out, best: max(held_out, best)),
        ),
        "best never updated": (
            "You do not compare with the lowest loss so far, so models that are worse than an earlier one are called better.",
            "After comparing, `best = min(best, held_out)`.",
            loop(lowest=lambda train, held_out, best: best),
            loop(lowest=lambda train, held_out, best: held_out),
        ),
        "best forgotten": (
            "A run that goes on begins with no best loss, so its first model replaces a better one that was saved.",
            "Begin with the `best` that you are given.",
            loop(known=lambda best: math.inf),
        ),
        "resumed at another step": (
            "A run that goes on begins at step 0 again, or one step off. `start` steps were taken, and they count from 0.",
            "The next step is `start` itself.",
            loop(numbers=lambda start, steps: range(steps)),
            loop(numbers=lambda start, steps: range(steps - start)),
            loop(numbers=lambda start, steps: range(start + 1, steps)),
            loop(numbers=lambda start, steps: range(start + 1, steps + 1)),
            loop(numbers=lambda start, steps: range(max(0, start - 1), steps)),
        ),
        "one step too many": (
            "You take more steps than asked for: the last step has the number `steps` − 1.",
            "`range(start, steps)`.",
            loop(numbers=lambda start, steps: range(start, steps + 1)),
            loop(numbers=lambda start, steps: range(start, start + steps)),
        ),
        "number of steps saved one off": (
            "You save the number of this step, counted from 0, where `save` needs how many were taken. A run that goes on "
            "would repeat the step.",
            "After step 0, one step has been taken.",
            loop(done=lambda step: step),
        ),
        "evaluated one step late": (
            "You evaluate after steps 0, `every`, 2·`every` …, counted from 0: first after a single step, and then always "
            "one step late.",
            "`done = step + 1` steps have been taken. Evaluate if `done % every == 0`.",
            loop(due=lambda step, every, steps, start: step % every == 0),
            loop(due=lambda step, every, steps, start: step % every == 0 or step + 1 == steps),
        ),
        "evaluated before the step": (
            "You evaluate at the beginning of a step: at step 0 a model that has learned nothing, and never the one that the "
            "last steps made.",
            "Train first, which makes it `done = step + 1` steps. Evaluate if `done % every == 0` or `done == steps`.",
            loop(early=True, due=lambda step, every, steps, start: step % every == 0, done=lambda step: step),
            loop(early=True, due=lambda step, every, *_: step and step % every == 0, done=lambda step: step),
        ),
        "counted from the start of this run": (
            "In a run that goes on, you count `every` steps from its start. Then it is evaluated after other steps than if it "
            "had not been stopped.",
            "Evaluate where `done % every == 0`, with `done = step + 1` in any run.",
            loop(due=lambda step, every, steps, start: (step + 1 - start) % every == 0 or step + 1 == steps),
        ),
        "the end not evaluated": (
            "If `steps` is no multiple of `every`, the last steps are neither evaluated nor saved.",
            "Evaluate also where `done == steps`.",
            loop(due=lambda step, every, steps, start: (step + 1) % every == 0),
        ),
        "evaluated at every step": (
            "You evaluate after every step. That can take longer than the training.",
            "Evaluate where `done % every == 0`, and at the end.",
            loop(due=lambda *plan: True),
        ),
        "a loss of nan ignored": (
            "You go on where the loss is nan or inf. One such step spoils all weights, and the next save replaces good ones.",
            "Stop before the step: `if not torch.isfinite(loss): raise ValueError(…)`.",
            loop(stops=""),
            loop(stops="skips"),
            loop(finite=lambda loss: not np.isnan(loss)),
        ),
        "a loss of nan noticed after the step": (
            "You stop where the loss is nan or inf, but only after the step that has spoiled all weights.",
            "Test the loss before `optimizer.step()`.",
            loop(stops="after"),
            loop(stops="at the end"),
        ),
        "an end without an error": (
            "You stop where the loss is nan or inf, but raise no error, so whoever called `fit` takes the model for trained.",
            "`raise ValueError(…)`, with a sentence about the loss.",
            loop(stops="silently"),
        ),
        "as good called better": (
            "You call a model better whose held-out loss is the same as the best one. Then it replaces what is no worse.",
            "Better is lower: `held_out < best`.",
            loop(better=lambda train, held_out, best: held_out <= best),
        ),
        "the last loss returned": (
            "You return the last held-out loss. The best model has the lowest one.",
            "Return `best`.",
            loop(returned=lambda best, last: last),
        ),
    },
)
