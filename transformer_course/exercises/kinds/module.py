"""Write an ``nn.Module``: judged by a reference in NumPy, in its parameters, its outputs and its gradients."""

from collections.abc import Callable, Mapping, Sequence
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
from . import module_faults
from .error_hints import explained
from .module_gradients import gradient_fault
from .module_methods import Method
from .module_questions import Dropped, drawn, given_of, output, outputs_of
from .module_runs import OTHER_NUMBERS, Run, array_of, part, same_outputs
from .module_structure import constructor_fault, leftover_fault, start_fault, structure_fault


@dataclass(frozen=True, kw_only=True)
class Module(Exercise):
    """Write a class derived from ``nn.Module``. Judged on weights and inputs drawn from a seed, in float64, in eval mode.

    ``draw`` returns objects to construct: the sizes of each, and the inputs of its calls. ``shapes(**sizes)`` gives the shapes
    of the parameters, by the names that the learner must use. ``reference(given, *inputs)`` is the forward pass in NumPy, like
    the answer of each mistake; ``given`` holds sizes and weights by name. ``optional`` arguments are passed to a constructor
    that accepts them. They must not change the output. ``tied(**sizes)`` gives the parameters that must be the same object as
    another one, with the name of that other. ``starts`` are the values with which some parameters begin. ``leftovers`` are
    faults that are known by a parameter which should not be there, by a pattern for its name. ``methods`` are called too.
    Calls drawn in float32 are made in float32; if only their numbers are wrong, that is the mistake ``rounded``.
    """

    shapes: Callable[..., Mapping[str, tuple[int, ...]]]
    reference: Callable
    draw: Callable[[np.random.Generator], list[tuple]]
    optional: Mapping[str, float] = field(default_factory=dict)
    tied: Callable[..., Mapping[str, str]] = lambda **sizes: {}
    dropped: Dropped | None = None
    starts: Mapping[str, float] = field(default_factory=dict)
    leftovers: Mapping[str, module_faults.Fault] = field(default_factory=dict)
    methods: Sequence[Method] = ()
    rounded: Mistake | None = None

    kind: ClassVar[str] = "module"
    is_function: ClassVar[bool] = True

    def backends(self):
        return (run_class.__name__,)

    def questions(self, seed):
        asked = {"optional": dict(self.optional), "dropped": self.dropped is not None}
        asked["starts"], asked["placed"] = list(self.starts), self.by_position()
        return [
            [{**question, **asked, "methods": [method.asked(question) for method in self.methods]}]
            for question in drawn(self, seed)
        ]

    def by_position(self) -> list[str]:
        """The sizes that others pass by position: those without a default."""
        return [name for name, each in signature(self.shapes).parameters.items() if each.default is each.empty]

    def judge(self, seed, outcomes):
        if early := self._not_a_class(outcomes[-1]) or early_verdict(self, outcomes[-1]):
            return replace(early, message=early.message.replace("Your function", "Your class"))
        questions = drawn(self, seed)
        for question, outcome in zip(questions, outcomes, strict=True):
            if outcome.error:
                return self._construction_error(question, outcome)
            structure = part(outcome.value, "structure", dict)
            left = leftover_fault(self.leftovers, question["weights"], structure)
            other = constructor_fault(self.answer_name, question, outcome.value) if not structure else None
            if fault := other or left or structure_fault(self.answer_name, question["weights"], question["tied"], structure):
                return fault
            if fault := constructor_fault(self.answer_name, {**question, "placed": self.by_position()}, outcome.value):
                return fault
        runs = [Run.read(outcome.value, question) for question, outcome in zip(questions, outcomes, strict=True)]
        verdict = self._behaviour(seed, questions, runs)
        if not verdict.passed:
            return verdict
        return start_fault(self, runs[0]) or self._method_fault(questions, outcomes) or verdict

    def _method_fault(self, questions: list[dict], outcomes: list[Outcome]) -> Verdict | None:
        """The verdict on a method that gives something else than it should, although the output is right."""
        for question, outcome in zip(questions, outcomes, strict=True):
            made = part(outcome.value, "methods", list)
            for method, recorded in zip(self.methods, [*made, *[None] * len(self.methods)], strict=False):
                if fault := method.fault(question, recorded):
                    return fault
        return None

    def _behaviour(self, seed: int, questions: list[dict], runs: list[Run]) -> Verdict:
        """The verdict on objects that have the right parameters, from what their calls gave."""
        calls = [call for run in runs for call in run.calls]
        unwritten = (call.message for call in calls if call.error == "NotImplementedError")
        if missing := next((message for message in unwritten if "not implemented for '" not in message), None):
            return module_faults.no_forward(missing) or self._half_empty()
        expected = list(outputs_of(self, self.reference, seed))
        for question, run, right in zip(questions, runs, expected, strict=True):
            if fault := run.unstable(right):
                return fault.verdict(name=self.described(question), call=self.call_described(question, 0))
        problems = [
            self._problem(question, number, call, right)
            for question, run, rights in zip(questions, runs, expected, strict=True)
            for number, (call, right) in enumerate(zip(run.calls, rights, strict=True))
        ]
        if any(problems):
            return self._known_mistake(seed, runs) or self._unused(questions, runs, expected) or next(filter(None, problems))
        for run in runs:
            if (place := run.changed_input()) is not None:
                fault = module_faults.INPUT_CHANGED
                if run.question["calls"][0][place].dtype.kind != "f":
                    fault = module_faults.IDS_CHANGED
                return fault.verdict(name=self.answer_name, input=parameters(self.reference)[1 + place])
        for question, run in zip(questions, runs, strict=True):
            for number, inputs in enumerate(question["single"]):
                if did := run.in_single(number, output(self.reference, given_of(question), inputs)):
                    if number and did == OTHER_NUMBERS:
                        return self.named(self.rounded)
                    call = self.call_described(question, 0)
                    return module_faults.PRECISION.verdict(name=self.answer_name, call=call, did=did)
            if self.dropped and not self._drops(question, run):
                return module_faults.DROPOUT.verdict(expected=self.dropped.expected, hint=self.dropped.hint)
        for index, run in enumerate(runs):
            if fault := gradient_fault(self, run, np.random.default_rng([seed, index])):
                return fault
        return self.passed()

    def _drops(self, question: dict, run: Run) -> bool:
        """Whether the first call in training mode, with a dropout of 1, gave what it should."""
        right = self.dropped.reference({**question["sizes"], **question["weights"]}, *question["calls"][0])
        seen = array_of(run.dropped)
        return seen is not None and seen.shape == right.shape and close(seen, right)

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
        names = ", ".join(question["sizes"])
        hint = ""
        if outcome.error == "TypeError" and f"{self.answer_name}.__init__()" in outcome.message:
            call = f"`{self.answer_name}({names})`"
            hint = f"It is constructed as {call}. Does its `__init__` (two underscores on each side) take these arguments?"
        message = f"`{self.described(question)}` raised {outcome.error}: {outcome.message}"
        return Verdict(False, "error", message, hint or explained(outcome.message)[1])

    def _problem(self, question: dict, number: int, call: Outcome, right: np.ndarray) -> Verdict | None:
        """What is wrong with one call, if anything."""
        asked = f"For {self.call_described(question, number)}"
        if call.error:
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

    def _known_mistake(self, seed: int, runs: list[Run]) -> Verdict | None:
        for mistake in self.mistakes:
            for variant in (mistake.answer, *mistake.variants):
                if same_outputs(runs, outputs_of(self, variant, seed)):
                    return self.named(mistake)
        return None

    def _unused(self, questions: list[dict], runs: list[Run], expected) -> Verdict | None:
        """The verdict on a parameter that leaves no trace in any output, although the outputs have gradients."""
        without = [
            {name for name in question["weights"] if not run.reaches(name)}
            for question, run in zip(questions, runs, strict=True)
            if any(run.reaches(name) for name in question["weights"])  # a call that failed says nothing
        ]
        unused = sorted(set.intersection(*without)) if without else []
        if not unused:
            return None
        return module_faults.UNUSED.verdict(name=self.answer_name, parameters=listed([f"`{each}`" for each in unused[:4]]))

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
