"""Give numbers, worked out by hand."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..exercise import Exercise, Mistake, Verdict, as_array, close, refused, show
from ..run import Outcome


@dataclass(frozen=True, kw_only=True)
class Number(Exercise):
    """Give one or several numbers, worked out by hand."""

    value: object
    atol: float

    kind: ClassVar[str] = "number"

    def judge(self, seed, outcomes):
        (outcome,) = outcomes
        right = np.asarray(self.value, float)
        if early := refused(self, outcome):
            return early
        seen = as_array(outcome.value)
        if seen is not None and close(seen, right, rtol=0, atol=self.atol):
            return self.passed()
        for mistake in self.mistakes if seen is not None else ():
            if self._is(mistake, seen, right):
                return self.named(mistake)
        if seen is None or seen.shape != right.shape:
            saw = _what(outcome) if seen is None else _numbers(seen, right)
            many = seen is not None and seen.ndim == 1 and seen.size > right.size
            comma = many and (right.ndim == 1 or outcome.type == "tuple")
            hint = "For a decimal number, write a point in place of the comma." if comma else ""
            return Verdict(False, "shape", f"`{self.answer}` should be {_form(right)}, and {saw}.", hint)
        wrong = ~np.isclose(seen, right, rtol=0, atol=self.atol)
        score = float(1 - wrong.mean())
        if close(seen, right, rtol=0, atol=40 * self.atol):
            near = _near(seen[wrong]) if right.ndim else "you are on the right track"
            return Verdict(False, "value", f"Nearly: {near}, and rounded too early or too much.", score=score)
        if right.ndim == 0:
            return Verdict(False, "value", f"{show(float(seen))} is not it.")
        first = show(float(seen[wrong][0]))
        off = "1 is off: your" if wrong.sum() == 1 else f"{wrong.sum()} are off, the first of them your"
        return Verdict(False, "value", f"Of the {right.size} numbers, {off} {first}.", score=score)

    def _is(self, mistake: Mistake, seen: np.ndarray, right: np.ndarray) -> bool:
        if mistake.recognise:
            return seen.shape == right.shape and mistake.recognise(seen)
        return any(close(seen, np.asarray(value), 0, self.atol) for value in (mistake.answer, *mistake.also))


def _near(wrong: np.ndarray) -> str:
    first = show(float(wrong[0]))
    return f"your {first} is close" if wrong.size == 1 else f"your {first} and {wrong.size - 1} more are close"


def _what(outcome: Outcome) -> str:
    if outcome.type == "str":
        return "is a text. Leave its quotation marks away"
    nested = "holds something that is no number, or rows of different lengths"
    return nested if isinstance(outcome.value, list) else f"is {outcome.type}"


def _numbers(seen: np.ndarray, right: np.ndarray) -> str:
    if right.ndim == 0 and seen.ndim == 1:
        return f"is {seen.size} numbers, {show(seen)}"
    if right.ndim == 1 and seen.ndim < 2:
        return f"has {seen.size}"
    return f"has shape {seen.shape}"


def _form(right: np.ndarray) -> str:
    if right.ndim == 0:
        return "one number"
    return f"a list of {right.size} numbers" if right.ndim == 1 else f"numbers of shape {right.shape}"
