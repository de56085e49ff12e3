"""Write an ``nn.Module``: judged by a reference in NumPy, in its parameters, its outputs and its gradients."""

import functools
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import signature
from typing import ClassVar

import numpy as np

from transformer_course.runner.modules import run_class
from transformer_course.runner.outcome import Outcome

from ..exercise import (
    ATOL,
    RTOL,
    Exercise,
    Mistake,
    Verdict,
    an_object,
    as_array,
    close,
    early_verdict,
    listed,
    parameters,
    show,
)
from ..toolkit import normal
from . import module_faults
from .error_hints import explained
from .module_runs import OTHER_NUMBERS, Run, array_of, elsewhere, recorded_call
from .results import part

RATE = 2.0**20  # of the step by which gradients are measured: even one of 1e-17, left by rounding, moves a weight


@dataclass(frozen=True)
class Dropped:
    """A class that takes ``dropout``: what its forward pass gives in training mode with a dropout of 1, also in words."""

    reference: Callable
    expected: str
    hint: str


@dataclass(frozen=True)
class Method:
    """A method that others call, as decoding calls ``encode``: what it ``takes`` and what it ``gives``, in words.

    ``inputs(given, *inputs of a call)`` are the arguments of a call, and ``reference(given, *arguments)`` the right
    values, in a list.
    """

    name: str
    takes: Sequence[str]
    gives: Sequence[str]
    used: str  # one sentence: who calls it
    inputs: Callable
    reference: Callable
    mistakes: Sequence[Mistake] = ()  # whose answers are like ``reference``
    trained: bool = False  # whether training needs its gradient

    def known(self, calls: Sequence[tuple]) -> Mistake | None:
        """The mistake that gives what all recorded calls gave, each beside its question, if any."""

        def gives(spelling, question: dict, recorded) -> bool:
            right = spelling(_given(question), *self.asked(question)[1])[0]
            seen = as_array(recorded_call(recorded).value)
            return seen is not None and close(seen, right)

        spellings = ((each, spelling) for each in self.mistakes for spelling in (each.answer, *each.variants))
        return next((each for each, spelling in spellings if all(gives(spelling, *call) for call in calls)), None)

    def asked(self, question: dict) -> list:
        """The method's name and arguments, as they are sent to whoever runs the answer."""
        return [self.name, self.inputs(_given(question), *question["calls"][0])]

    def fault(self, question: dict, recorded) -> Verdict | None:
        """What is wrong with the recorded call of the method, if anything."""
        outcome, call = recorded_call(recorded), f"`{self.name}({', '.join(self.takes)})`"

        def wrong(name: str, message: str, hint: str) -> Verdict:
            return Verdict(False, "mistake", f"`forward` gives the right output, but {message} {self.used}", hint, name, 0.5)

        if outcome.error == "NotImplementedError" or outcome.type == "ellipsis":
            hint = "Move its part of `forward` there, and let `forward` call it."
            return wrong("a method not written", f"`{self.name}` is not written yet.", hint)
        if outcome.error:
            plain, hint = explained(outcome.message)
            message = f"`forward` gives the right output, but {call} raised {outcome.error}: {plain}"
            return Verdict(False, "error", message, hint or "Does it take these arguments, in this order?", score=0.5)
        several = outcome.type in ("tuple", "list") and isinstance(outcome.value, list)
        values = [as_array(each, "biuf") for each in (outcome.value if several else [outcome.value])]
        if len(values) != len(self.gives) or several != (len(self.gives) > 1) or any(value is None for value in values):
            seen = f"{len(values)} values" if several else an_object(outcome.type)
            hint = "Write everything that it should return after one `return`, separated by commas, and nothing else."
            message = f"{call} returned {seen}. It should return {listed(self.gives)}."
            return wrong("a method returns something else", message, hint)
        right = self.reference(_given(question), *self.asked(question)[1])
        if len(right) > 1 and all(map(close, values, right[::-1])):
            message = f"{call} returns its values in another order. It should be {listed(self.gives)}."
            hint = "Change the order after `return`, and wherever you take the values apart."
            return wrong("a method returns the other order", message, hint)
        for name, value, expected in zip(self.gives, values, right, strict=True):
            if value.shape != expected.shape:
                shapes = f"{value.shape}, where {expected.shape} is expected"
                message = f"in what {call} returns, the shape of {name} is {shapes}."
                missing = f"Whatever is missing in `{self.name}` was done in another method."
                hint = f"What does the exercise say about its shape? {missing}"
                return wrong("a method returns another shape", message, hint)
            if not close(value, expected):
                alone = "It should use its arguments and the layers, and nothing that an earlier call has kept."
                hint = f"{alone} Is one of its steps in another method?"
                return wrong("a method returns other values", f"the numbers of {name} that {call} returns are wrong.", hint)
        if self.trained and not recorded.get("graph"):
            hint = "Is there an `.item()`, a `.detach()` or a `torch.no_grad()` on the way?"
            return wrong("a method without gradient", f"what {call} returns has no gradient.", hint)
        return None


@dataclass(frozen=True, kw_only=True)
class Module(Exercise):
    """Write a class derived from ``nn.Module``. Judged on weights and inputs drawn from a seed, in float64, in eval mode.

    ``draw`` returns objects to construct: the sizes of each, and the inputs of its calls. ``shapes(**sizes)`` gives the shapes
    of the parameters, by the names that the learner must use. ``reference(given, *inputs)`` is the forward pass in NumPy, like
    the answer of each mistake; ``given`` holds sizes and weights by name. ``optional`` arguments are passed to a constructor
    that accepts them. They must not change the output. ``tied(**sizes)`` gives the parameters that must be the same object as
    another one, with the name of that other. ``starts`` are the values with which some parameters begin; those in ``stirred``
    begin at random, with the standard deviation that it gives for the sizes. Those that are ``frozen`` get no gradient.
    ``leftovers`` are faults that are known by a parameter which should not be there, by a pattern for its name. ``methods``
    are called too. Calls drawn in float32 are made in float32; if only their numbers are wrong, that is the mistake
    ``rounded``. Where ``unread(*inputs)``, such as at padding, any finite output is right; nowhere in the first call of an
    object.
    """

    shapes: Callable[..., Mapping[str, tuple[int, ...]]]
    reference: Callable
    draw: Callable[[np.random.Generator], list[tuple]]
    optional: Mapping[str, float] = field(default_factory=dict)
    tied: Callable[..., Mapping[str, str]] = lambda **sizes: {}
    dropped: Dropped | None = None
    starts: Mapping[str, float] = field(default_factory=dict)
    stirred: Mapping[str, Callable[..., float]] = field(default_factory=dict)
    frozen: Sequence[str] = ()
    leftovers: Mapping[str, module_faults.Fault] = field(default_factory=dict)
    methods: Sequence[Method] = ()
    rounded: Mistake | None = None
    unread: Callable[..., np.ndarray] | None = None

    kind: ClassVar[str] = "module"
    backends = (run_class.__name__,)
    is_function: ClassVar[bool] = True

    def questions(self, seed):
        asked = {"optional": dict(self.optional), "dropped": self.dropped is not None, "starts": [*self.starts, *self.stirred]}
        return [
            [{**question, **asked, "methods": [method.asked(question) for method in self.methods]}]
            for question in self._drawn(seed)
        ]

    def _drawn(self, seed: int) -> list[dict]:
        return _drawn(self.draw, self.shapes, self.tied, self.reference, seed)

    def _outputs(self, forward: Callable, seed: int) -> Iterator[list[np.ndarray | None]]:
        """What a forward pass of ours gives on every call, one object after another: most mistakes differ on the first."""
        drawn = self.draw, self.shapes, self.tied, self.reference, seed
        asked = enumerate(_drawn(*drawn))
        return ([*map(self._read, _forward(forward, *drawn, index), question["calls"])] for index, question in asked)

    def _read(self, output: np.ndarray | None, inputs: list) -> np.ndarray | None:
        """An output with 0 in place of the finite numbers that nobody reads."""
        if self.unread is None or output is None or output.shape[:-1] != (unread := self.unread(*inputs)).shape:
            return output
        return np.where(unread[..., None] & np.isfinite(output), 0.0, output)

    def judge(self, seed, outcomes):
        if early := self._not_a_class(outcomes[-1]) or early_verdict(self, outcomes[-1]):
            return replace(early, message=early.message.replace("Your function", "Your class"))
        runs = []
        for question, outcome in zip(self._drawn(seed), outcomes, strict=True):
            if outcome.error:
                return self._construction_error(question, outcome)
            runs.append(Run(self.answer_name, question, outcome.value, self._read, self.frozen))
            if fault := runs[-1].wrong_parameters(self.leftovers):
                return fault
        return self._wrong_values(seed, runs) or self._wrong_otherwise(seed, runs) or self.passed()

    def _wrong_values(self, seed: int, runs: list[Run]) -> Verdict | None:
        """The verdict on objects that have the right parameters, if their calls do not give what they should."""
        unwritten = (call.message for run in runs for call in run.calls if call.error == "NotImplementedError")
        if missing := next((message for message in unwritten if "not implemented for '" not in message), None):
            return module_faults.no_forward(missing) or self._half_empty()
        expected = list(self._outputs(self.reference, seed))
        for run, right in zip(runs, expected, strict=True):
            if fault := run.unstable(right):
                return fault.verdict(name=self.described(run.question), call=self.call_described(run.question, 0))
        problems = (
            self._problem(run.question, number, call, right)
            for run, rights in zip(runs, expected, strict=True)
            for number, (call, right) in enumerate(zip(run.calls, rights, strict=True))
        )
        problem = next(filter(None, problems), None)
        if problem is None:
            return None
        for mistake in self.mistakes:
            for variant in (mistake.answer, *mistake.variants):
                if all(map(Run.gives, runs, self._outputs(variant, seed))):
                    return self.named(mistake)
        reached = [without for run in runs if (without := run.unreached()) is not None]
        if unused := sorted(set.intersection(*reached)) if reached else []:
            names = listed([f"`{each}`" for each in unused[:4]])
            return module_faults.UNUSED.verdict(name=self.answer_name, parameters=names)
        if not problem.hint and (changed := self._changed(runs)):
            message = f"{problem.message} Also, `forward` modifies its input: after the call, `{changed}` has changed."
            return replace(problem, message=message, hint=module_faults.INPUT_CHANGED.hint.format(input=changed))
        return problem

    def _changed(self, runs: list[Run]) -> str | None:
        """The name of an input that a call has changed, if any."""
        places = (run.changed_input() for run in runs)
        return next((parameters(self.reference)[1 + place] for place in places if place is not None), None)

    def _wrong_otherwise(self, seed: int, runs: list[Run]) -> Verdict | None:
        """The verdict on objects whose calls give the right values, if something else is wrong."""
        if changed := self._changed(runs):
            return module_faults.INPUT_CHANGED.verdict(input=changed)
        for run in runs:
            given = _given(run.question)
            for number, inputs in enumerate(run.question["single"]):
                if did := run.in_single(number, _output(self.reference, given, inputs)):
                    if number and did == OTHER_NUMBERS:
                        return self.named(self.rounded)
                    call = self.call_described(run.question, 0)
                    return module_faults.PRECISION.verdict(name=self.answer_name, call=call, did=did)
            if not _is(run.once("trained"), _output(self.reference, given, run.question["calls"][0])):
                return module_faults.DROPPED_UNASKED.verdict(call=self.call_described(run.question, 0))
            if self.dropped and not _is(run.once("dropped"), self.dropped.reference(given, *run.question["calls"][0])):
                return module_faults.DROPOUT.verdict(expected=self.dropped.expected, hint=self.dropped.hint)
        for index, run in enumerate(runs):
            if fault := run.wrong_gradients(self.reference, np.random.default_rng([seed, index])):
                return fault
        for run in runs:
            if fault := run.wrong_start(self.starts, self.stirred):
                return fault
        for place, method in enumerate(self.methods):
            calls = [(run.question, [*part(run.value, "methods", list), *[None] * (place + 1)][place]) for run in runs]
            for call in calls:
                if fault := method.fault(*call):
                    return self.named(known) if (known := method.known(calls)) else fault
        return next(filter(None, (elsewhere(run.value, self.answer_name) for run in runs)), None)

    def _half_empty(self) -> Verdict:
        message = f"`{self.answer_name}` is not finished: `forward`, or a method that it calls, is not written yet."
        return replace(self.empty(), message=f"{message} Write it, run that cell, then run this check.")

    def _not_a_class(self, outcome: Outcome) -> Verdict | None:
        if outcome.error not in ("NotAFunction", "NotAModule") or outcome.message == "ellipsis":
            return self.empty() if outcome.message == "ellipsis" else None
        is_object = outcome.message.startswith("an object of")
        hint = f"Pass the class itself, without brackets: `{self.answer_name}`." if is_object else ""
        hint = hint or f"Begin it with `class {self.answer_name}(nn.Module):`."
        actual = outcome.message if outcome.message.startswith(("a class", "an object")) else an_object(outcome.message)
        message = f"`{self.answer_name}` should be a class derived from `nn.Module`, but is {actual}."
        return Verdict(False, "type", message, hint)

    def _construction_error(self, question: dict, outcome: Outcome) -> Verdict:
        if "before Module.__init__() call" in outcome.message:
            return module_faults.NO_SUPER_INIT.verdict(name=self.answer_name)
        hint = ""
        if outcome.error == "TypeError" and f"{self.answer_name}.__init__()" in outcome.message:
            call = f"`{self.answer_name}({', '.join(question['sizes'])})`"
            hint = f"It is constructed as {call}. Does its `__init__` (two underscores on each side) take these arguments?"
        message = f"`{self.described(question)}` raised {outcome.error}: {outcome.message}"
        return Verdict(False, "error", message, hint or explained(outcome.message)[1])

    def _problem(self, question: dict, number: int, call: Outcome, right: np.ndarray) -> Verdict | None:
        """What is wrong with one call, if anything."""
        asked = f"For {self.call_described(question, number)}"
        if call.error:
            lost = re.match(r"name '(\w+)' is not defined", call.message) if call.error == "NameError" else None
            if lost and lost[1] in (*parameters(self.shapes), *self.optional):
                return module_faults.ONLY_IN_INIT.verdict(name=lost[1], error=call.message)
            plain, hint = explained(call.message)
            return Verdict(False, "error", f"{asked}, `forward` raised {call.error}: {plain}", hint)
        seen = as_array(call.value)
        if call.type not in ("Tensor", "Parameter") or seen is None:
            hints = {"NoneType": "Is a `return` missing at its end?", "tuple": "Return the output alone."}
            hint = hints.get(call.type, "")
            message = f"{asked}, `forward` should return one tensor, but returned {an_object(call.type)}."
            return Verdict(False, "type", message, hint)
        if seen.shape != right.shape:
            return Verdict(False, "shape", f"{asked}, the output should have shape {right.shape}, but has {seen.shape}.")
        if close(seen, right):
            return None
        differs = ~np.isclose(seen, right, rtol=RTOL, atol=ATOL)
        if np.isnan(seen).any():
            return Verdict(False, "value", f"{asked}, {int(np.isnan(seen).sum())} numbers of the output are NaN.")
        place = tuple(int(i) for i in np.argwhere(differs)[0])
        values = f"should be {show(float(right[place]), 5)}, but is {show(float(seen[place]), 5)}"
        wrong = f"{int(differs.sum())} of the {differs.size} numbers are wrong"
        return Verdict(False, "value", f"{asked}, element {list(place)} of the output {values}; {wrong}.")

    def described(self, question: dict) -> str:
        return f"{self.answer_name}({_arguments(question['sizes'])})"

    def call_described(self, question: dict, number: int) -> str:
        """The object and the inputs of one of its calls, for a sentence."""
        inputs = zip(parameters(self.reference)[1:], question["calls"][number], strict=False)
        shapes = [f"{name} of shape {value.shape}" for name, value in inputs if isinstance(value, np.ndarray)]
        return f"`{self.described(question)}` with {listed(shapes)}"


def _arguments(sizes: Mapping) -> str:
    """The arguments of a constructor as a learner would write them; a mapping is a config."""
    return ", ".join(
        f"TransformerConfig({_arguments(size)})" if isinstance(size, dict) else f"{name}={size!r}"
        for name, size in sizes.items()
        if size is not None
    )


def _given(question: dict) -> dict:
    """The sizes and weights of an object, as a forward pass of ours gets them."""
    return {**question["sizes"], **question["weights"]}


def _is(call: Outcome, right: np.ndarray) -> bool:
    seen = array_of(call)
    return seen is not None and close(seen, right)


def _is_single(inputs: list) -> bool:
    return all(isinstance(value, np.ndarray) and value.dtype == np.float32 for value in inputs)


@functools.lru_cache(maxsize=64)
def _drawn(draw: Callable, shapes: Callable, tied: Callable, reference: Callable, seed: int) -> list[dict]:
    """What to construct and call, with weights; ``probe`` turns the output of the first call into a number.

    ``single`` are the calls to make in float32: the first one, and those that were drawn in float32. An object whose scores
    must be large, say, comes with a mapping of the weights that were chosen for it, and not drawn. The sizes without a default
    are ``placed``: others pass them by position.
    """
    rng, questions = np.random.default_rng(seed), []
    placed = [name for name, each in signature(shapes).parameters.items() if each.default is each.empty]
    for sizes, given, *chosen in draw(rng):
        calls = [inputs for inputs in given if not _is_single(inputs)]
        single = [calls[0], *([value.astype(float) for value in inputs] for inputs in given if _is_single(inputs))]
        weights = {name: normal(rng, *shape) / 2 for name, shape in shapes(**sizes).items()}
        for values in chosen:
            weights |= values
        same = dict(tied(**sizes))
        weights |= {name: weights[other] for name, other in same.items()}
        probe = normal(rng, *reference({**sizes, **weights}, *calls[0]).shape)
        question = {"sizes": sizes, "placed": placed, "weights": weights, "tied": same, "calls": calls, "single": single}
        questions.append({**question, "probe": probe, "rate": RATE})
    return questions


@functools.lru_cache(maxsize=4096)
def _forward(
    forward: Callable, draw: Callable, shapes: Callable, tied: Callable, reference: Callable, seed: int, index: int
) -> list[np.ndarray | None]:
    """What a forward pass of ours gives on the calls of one object; None where it raises an error."""
    question = _drawn(draw, shapes, tied, reference, seed)[index]
    return [_output(forward, _given(question), inputs) for inputs in question["calls"]]


def _output(forward: Callable, given: dict, inputs: list) -> np.ndarray | None:
    try:
        with warnings.catch_warnings():  # such as one of NumPy's about a standard deviation of one number
            warnings.simplefilter("ignore")
            return np.asarray(forward(given, *inputs), float)
    except Exception:  # such as shapes that do not fit: for a mistake, that is a result too
        return None
