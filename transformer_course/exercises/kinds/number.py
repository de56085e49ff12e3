"""Give numbers, worked out by hand."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from transformer_course.runner.outcome import Outcome

from ..exercise import Exercise, Mistake, Verdict, as_array, close, early_verdict, listed, show

ROUNDED = "rounded too early or too much"  # the name of a mistake that no exercise lists
ALMOST = 40  # an error of up to so many tolerances comes from rounding
DIGITS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
SHOWN = 5  # numbers in a sentence


@dataclass(frozen=True, kw_only=True)
class Number(Exercise):
    """Give one or several numbers, worked out by hand."""

    value: object
    atol: float

    kind: ClassVar[str] = "number"

    def judge(self, seed, outcomes):
        (outcome,) = outcomes
        right, given = np.asarray(self.value, float), _given(outcome)
        unfinished = outcome.type == "ellipsis"
        some_open = unfinished and given is not None and given.ndim == right.ndim and 0 < np.isnan(given).sum() < given.size
        if not some_open and (early := early_verdict(self, outcome)):
            return early
        if given is None:
            return self._wrong_form(_type(outcome))
        if close(given, right, rtol=0, atol=self.atol):
            return self.passed()
        for mistake in () if some_open else self.mistakes:
            if self._is(mistake, given, right):
                return self.named(mistake)
        if given.shape != right.shape:
            decimal_commas = given.ndim == 1 and given.size > right.size and (right.ndim == 1 or outcome.type == "tuple")
            hint = "Write decimal numbers with a point, not with a comma." if decimal_commas else ""
            return self._wrong_form(_size(given, right), hint)
        wrong = ~np.isclose(given, right, rtol=0, atol=self.atol)
        score = float(1 - wrong.mean())
        if some_open:
            return Verdict(False, "value", _which_are_open(given, wrong), score=score)
        if close(given, right, rtol=0, atol=ALMOST * self.atol):
            message = f"Almost: {_are(given[wrong])} close, but you {ROUNDED}.{self._digits(right)}"
            return Verdict(False, "value", message, mistake=ROUNDED, score=score)
        return Verdict(False, "value", _which_are_wrong(given, wrong), score=score)

    def _is(self, mistake: Mistake, given: np.ndarray, right: np.ndarray) -> bool:
        if mistake.recognise:
            return given.shape == right.shape and mistake.recognise(given)
        return any(close(given, np.asarray(value), 0, self.atol) for value in (mistake.answer, *mistake.variants))

    def _wrong_form(self, actual: str, hint: str = "") -> Verdict:
        right = np.asarray(self.value)
        expected = {0: "one number", 1: f"a list of {right.size} numbers"}.get(right.ndim, f"numbers of shape {right.shape}")
        return Verdict(False, "shape", f"`{self.answer_name}` should be {expected}, but {actual}.", hint)

    def _digits(self, right: np.ndarray) -> str:
        """How many decimal places are enough; empty if the right numbers have no more than that anyway."""
        digits = math.ceil(-math.log10(2 * self.atol))
        if digits < 1 or np.array_equal(np.round(right, digits - 1), right):
            return ""
        return f" {DIGITS[digits]} decimal places are enough." if digits > 1 else " One decimal place is enough."


def _given(outcome: Outcome) -> np.ndarray | None:
    """The answer as an array, with nan for each number that is still open."""

    def with_nan(value):
        return [with_nan(item) for item in value] if isinstance(value, list) else math.nan if value is None else value

    return as_array(with_nan(outcome.value) if outcome.type == "ellipsis" else outcome.value)


def _type(outcome: Outcome) -> str:
    """What an answer is that cannot be read as numbers."""
    if outcome.type == "str":
        return "is text. Remove the quotation marks"
    if isinstance(outcome.value, list):
        return "contains something that is not a number, or rows of different lengths"
    return f"is {outcome.type}"


def _size(given: np.ndarray, right: np.ndarray) -> str:
    """How many numbers there are, where the number of numbers is wrong."""
    if right.ndim == 0 and given.ndim == 1:
        return f"is {given.size} numbers, {show(given)}"
    if right.ndim == 1 and given.ndim < 2:
        return f"has {given.size}"
    return f"has shape {given.shape}"


def _which_are_open(given: np.ndarray, wrong: np.ndarray) -> str:
    places = np.flatnonzero(np.isnan(given))
    which = f"The {listed([ORDINALS[place] for place in places])}" if max(places) < len(ORDINALS) else str(places.size)
    message = f"{which} of your {given.size} numbers {'is' if places.size == 1 else 'are'} still open."
    if others := np.count_nonzero(wrong & ~np.isnan(given)):
        message += f" {others} of the others {'is' if others == 1 else 'are'} wrong."
    return message


def _which_are_wrong(given: np.ndarray, wrong: np.ndarray) -> str:
    first = show(float(given[wrong][0]))
    if given.ndim == 0:
        return f"{first} is not right."
    if wrong.sum() == 1:
        return f"One of your {given.size} numbers is wrong: {first}."
    return f"{wrong.sum()} of your {given.size} numbers are wrong. The first of them is {first}."


def _are(numbers: np.ndarray) -> str:
    """The numbers and their verb: "0.42 is", "0.42 and 1.3 are"."""
    more = [f"{numbers.size - SHOWN} more"] if numbers.size > SHOWN else []
    words = [show(float(number), 6) for number in numbers.flat[:SHOWN]] + more
    return f"{listed(words)} {'is' if len(words) == 1 else 'are'}"
