"""Methods of a learner's class that others call, as decoding calls ``encode``: what each should return."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from transformer_course.runner.outcome import Outcome

from ..exercise import Verdict, an_object, as_array, close, listed
from .error_hints import explained
from .module_faults import Fault
from .module_runs import recorded_call

NOT_WRITTEN = Fault(
    "a method not written",
    "`forward` gives the right output, but `{method}` is not written yet. {used}",
    "Move its part of `forward` there, and let `forward` call it.",
    score=0.5,
)
OTHER_RESULT = Fault(
    "a method returns something else",
    "`forward` gives the right output, but `{call}` returned {seen}. It should return {expected}. {used}",
    "Write everything that it should return after one `return`, separated by commas, and nothing else.",
    score=0.5,
)
OTHER_ORDER = Fault(
    "a method returns the other order",
    "`forward` gives the right output, but `{call}` returns its values in another order. It should be {expected}. {used}",
    "Change the order after `return`, and wherever you take the values apart.",
    score=0.5,
)
OTHER_SHAPE = Fault(
    "a method returns another shape",
    "`forward` gives the right output, but in what `{call}` returns, the shape of {part} is {seen}, where {right} is "
    "expected. {used}",
    "What does the exercise say about its shape? Whatever is missing in `{method}` was done in another method.",
    score=0.5,
)
OTHER_VALUES = Fault(
    "a method returns other values",
    "`forward` gives the right output, but the numbers of {part} that `{call}` returns are wrong. {used}",
    "It should use its arguments and the layers, and nothing that an earlier call has kept. Is one of its steps in another "
    "method?",
    score=0.5,
)


@dataclass(frozen=True)
class Method:
    """A method, the arguments that it ``takes`` and the values that it ``gives``, in words.

    ``inputs(given, *inputs of a call)`` are the arguments of a call, and ``reference(given, *arguments)`` the right values.
    """

    name: str
    takes: Sequence[str]
    gives: Sequence[str]
    used: str  # one sentence: who calls it
    inputs: Callable
    reference: Callable

    def asked(self, question: dict) -> list:
        """The method's name and arguments, as they are sent to whoever runs the answer."""
        return [self.name, self.inputs(_given(question), *question["calls"][0])]

    def fault(self, question: dict, recorded) -> Verdict | None:
        """What is wrong with the recorded call of the method, if anything."""
        outcome, call = recorded_call(recorded), f"{self.name}({', '.join(self.takes)})"
        words = {"method": self.name, "call": call, "used": self.used, "expected": listed(self.gives)}
        if outcome.error == "NotImplementedError" or outcome.type == "ellipsis":
            return NOT_WRITTEN.verdict(**words)
        if outcome.error:
            plain, hint = explained(outcome.message)
            message = f"`forward` gives the right output, but `{call}` raised {outcome.error}: {plain}"
            return Verdict(False, "error", message, hint or "Does it take these arguments, in this order?", score=0.5)
        values = self._values(outcome)
        if values is None:
            return OTHER_RESULT.verdict(**words, seen=_seen(outcome))
        right = self.reference(_given(question), *self.asked(question)[1])
        if len(right) > 1 and _same(values, right[::-1]):
            return OTHER_ORDER.verdict(**words)
        for part, value, expected in zip(self.gives, values, right, strict=True):
            if value.shape != expected.shape:
                return OTHER_SHAPE.verdict(**words, part=part, seen=str(value.shape), right=str(expected.shape))
            if not close(value, expected):
                return OTHER_VALUES.verdict(**words, part=part)
        return None

    def _values(self, outcome: Outcome) -> list[np.ndarray] | None:
        """What was returned as arrays, as many as there should be; otherwise None."""
        several = outcome.type in ("tuple", "list") and isinstance(outcome.value, list)
        values = [as_array(each, "biuf") for each in (outcome.value if several else [outcome.value])]
        fits = len(values) == len(self.gives) and several == (len(self.gives) > 1)
        return values if fits and all(value is not None for value in values) else None


def _given(question: dict) -> dict:
    return {**question["sizes"], **question["weights"]}


def _same(values: Sequence, right: Sequence) -> bool:
    return all(close(value, expected) for value, expected in zip(values, right, strict=True))


def _seen(outcome: Outcome) -> str:
    if outcome.type in ("tuple", "list") and isinstance(outcome.value, list):
        return f"{len(outcome.value)} values"
    return an_object(outcome.type)
