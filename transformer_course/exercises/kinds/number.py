"""Give numbers, worked out by hand."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from transformer_course.runner.run import Outcome

from ..exercise import Exercise, Mistake, Verdict, as_array, close, early_verdict, show

ROUNDED = "rounded too early or too much"  # the name of a mistake that no exercise lists
NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
MOST = 5  # numbers in a sentence
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclass(frozen=True, kw_only=True)
class Number(Exercise):
    """Give one or several numbers, worked out by hand."""

    value: object
    atol: float

    kind: ClassVar[str] = "number"

    def judge(self, seed, outcomes):
        (outcome,) = outcomes
        right = np.asarray(self.value, float)
        seen = as_array(_with_gaps(outcome.value) if outcome.type == "ellipsis" else outcome.value)
        gaps = (
            outcome.type == "ellipsis"
            and seen is not None
            and seen.ndim == right.ndim
            and 0 < np.isnan(seen).sum() < seen.size
        )
        if not gaps and (early := early_verdict(self, outcome)):
            return early
        if seen is not None and close(seen, right, rtol=0, atol=self.atol):
            return self.passed()
        for mistake in self.mistakes if seen is not None and not gaps else ():
            if self._is(mistake, seen, right):
                return self.named(mistake)
        if seen is None or seen.shape != right.shape:
            saw = _what(outcome) if seen is None else _numbers(seen, right)
            many = seen is not None and seen.ndim == 1 and seen.size > right.size
            comma = many and (right.ndim == 1 or outcome.type == "tuple")
            hint = "For a decimal number, write a point in place of the comma." if comma else ""
            return Verdict(False, "shape", f"`{self.answer_name}` should be {_form(right)}, and {saw}.", hint)
        wrong = ~np.isclose(seen, right, rtol=0, atol=self.atol)
        score = float(1 - wrong.mean())
        if gaps:
            return Verdict(False, "value", _what_is_open(seen, wrong), score=score)
        if close(seen, right, rtol=0, atol=40 * self.atol):
            near = f"your {_listed(seen[wrong])} close" if right.ndim else "you are on the right track"
            message = f"Nearly: {near}, and {ROUNDED}.{self._digits(right)}"
            return Verdict(False, "value", message, mistake=ROUNDED, score=score)
        if right.ndim == 0:
            return Verdict(False, "value", f"{show(float(seen))} is not it.")
        first = show(float(seen[wrong][0]))
        off = "1 is off: your" if wrong.sum() == 1 else f"{wrong.sum()} are off, the first of them your"
        return Verdict(False, "value", f"Of the {right.size} numbers, {off} {first}.", score=score)

    def _digits(self, right: np.ndarray) -> str:
        """How many digits it takes to come close enough; empty where the right numbers have no more than that anyway."""
        digits = math.ceil(-math.log10(2 * self.atol))
        if digits < 1 or np.array_equal(np.round(right, digits - 1), right):
            return ""
        return (
            f" {NUMBERS[digits]} digits after the point are enough." if digits > 1 else " One digit after the point is enough."
        )

    def _is(self, mistake: Mistake, seen: np.ndarray, right: np.ndarray) -> bool:
        if mistake.recognise:
            return seen.shape == right.shape and mistake.recognise(seen)
        return any(close(seen, np.asarray(value), 0, self.atol) for value in (mistake.answer, *mistake.variants))


def _listed(wrong: np.ndarray) -> str:
    shown = [show(float(number), 6) for number in wrong[:MOST]] + ([f"{wrong.size - MOST} more"] if wrong.size > MOST else [])
    return f"{', '.join(shown[:-1])} and {shown[-1]} are" if len(shown) > 1 else f"{shown[0]} is"


def _with_gaps(value):
    """Nested lists with "not a number" in place of what is still open."""
    return [_with_gaps(item) for item in value] if isinstance(value, list) else math.nan if value is None else value


def _what_is_open(seen: np.ndarray, wrong: np.ndarray) -> str:
    places, off = np.flatnonzero(np.isnan(seen)) + 1, np.count_nonzero(wrong & ~np.isnan(seen))
    which = f"the {' and the '.join(ORDINALS[place - 1] for place in places)}" if max(places) <= len(ORDINALS) else ""
    many = places.size > 1
    message = f"Of the {seen.size} numbers, {which or places.size} {'are' if many else 'is'} still open"
    return f"{message}; of the others, {off} {'is' if off == 1 else 'are'} off." if off else f"{message}."


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
