"""Give numbers, worked out by hand."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from transformer_course.runner.outcome import Outcome

from ..exercise import Exercise, Mistake, Mistakes, Verdict, an_object, as_array, close, early_verdict, listed, show
from ..toolkit import number_at
from .results import wrong_content

ROUNDED = "rounded too early or too much"  # the name of a mistake that no exercise lists
ALMOST, NEAR = 40, 0.01  # rounding on the way errs by at most so many tolerances, and by so much of the largest number,
SHARE = 0.2  # and by so much of the number itself
COUNTED = 100  # among integers that are at least so large, one that is off by 1 was counted wrongly
DIGITS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
SHOWN = 5  # numbers in a sentence
DECIMALS = 8  # digits of each, so that it is the number that was typed


@dataclass(frozen=True, kw_only=True)
class Number(Exercise):
    """Give one or several numbers, worked out by hand.

    A mistake's answer may be wrong numbers, or rows, by their places, as in ``{1: (256, 257)}``. It is recognised by any of
    these in its place, whatever the other numbers are. Its variants are then whole answers.
    """

    value: object
    atol: float
    near: float | Sequence[float] | None = None  # how near a number by its place is recognised, for all or for each; else atol
    labels: Sequence[str] = ()  # what each number, or each row of numbers, stands for

    kind: ClassVar[str] = "number"

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "mistakes", Mistakes(map(self._in_places, self.mistakes)))

    def _in_places(self, mistake: Mistake) -> Mistake:
        if not isinstance(mistake.answer, Mapping):
            return mistake
        near = np.broadcast_to(self.atol if self.near is None else self.near, len(self.value))
        one = np.shape(self.value)[1:]
        pairs = [(place, each) for place, some in mistake.answer.items() for each in np.reshape(some, (-1, *one)).tolist()]

        def recognise(given: np.ndarray) -> bool:
            return any(number_at(place, value, atol=near[place])(given) for place, value in pairs)

        answer, *variants = ([*self.value[:place], value, *self.value[place + 1 :]] for place, value in pairs)
        return replace(mistake, answer=answer, variants=[*variants, *mistake.variants], recognise=recognise)

    def judge(self, seed, outcomes):
        (outcome,) = outcomes
        right, given = np.asarray(self.value, float), _given(outcome)
        unfinished = outcome.type == "ellipsis"
        some_open = unfinished and given is not None and given.ndim == right.ndim and 0 < np.isnan(given).sum() < given.size
        if not some_open and (early := early_verdict(self, outcome)):
            return early
        if given is None:
            return self._wrong_form(_type(outcome))
        given = given[0] if right.ndim == 0 and given.shape == (1,) else given
        if close(given, right, rtol=0, atol=self.atol):
            return self.passed()
        wrong = ~np.isclose(given, right, rtol=0, atol=self.atol) if given.shape == right.shape else np.array(True)
        score = float(1 - wrong.mean())
        if not some_open and (mistake := self._mistake(given, right)):
            return self.named(mistake, score)
        if given.shape != right.shape:
            decimal_commas = given.ndim == 1 and given.size > right.size and (right.ndim == 1 or outcome.type == "tuple")
            hint = "Write decimal numbers with a point, not with a comma." if decimal_commas else ""
            return self._wrong_form(_size(given, right), hint)
        if some_open:
            return Verdict(False, "value", _which_are_open(given, wrong), score=score)
        if self._rounded(given, right):
            close_by = f"{_listed(given[wrong])} {'is' if np.sum(wrong) == 1 else 'are'} close"
            message = f"Almost: {close_by}. Perhaps you {ROUNDED}.{self._digits(right)}"
            return Verdict(False, "value", message, mistake=ROUNDED, score=score)
        if _powers_of_ten(given[wrong], right[wrong], self.atol).all():
            message = f"The digits of {_listed(given[wrong])} are right, but the power of ten is not."
            return Verdict(False, "value", message, "Look at the units, and at the decimal point.", score=score)
        if given.ndim and close(_in_order(given), _in_order(right), rtol=0, atol=self.atol):
            return Verdict(False, "value", "Your numbers are all right, but in a different order.", score=score)
        return Verdict(False, "value", self._which_are_wrong(given, right, wrong), score=score)

    def _rounded(self, given: np.ndarray, right: np.ndarray) -> bool:
        """Whether rounding explains every error, of a result or on the way to it. It makes no integer of another number."""
        error, size = np.abs(given - right), np.abs(right)
        on_the_way = error <= np.minimum(min(ALMOST * self.atol, NEAR * size.max()), SHARE * size)
        at_the_end = cut_short(given, right)
        counted = (right % 1 == 0) & (given % 1 == 0)
        return bool(((on_the_way | at_the_end) & ~counted | (error <= self.atol)).all())

    def _which_are_wrong(self, given: np.ndarray, right: np.ndarray, wrong: np.ndarray) -> str:
        """Which numbers are wrong, by their places and by what they stand for."""
        if given.ndim == 0:
            return f"{show(float(given), DECIMALS)} is {'off by 1' if _off_by_one(given, right) else 'not right'}."
        named, rounded = [], wrong & cut_short(given, right)
        wrong = wrong & ~rounded
        for place in np.argwhere(wrong)[:SHOWN]:
            which = self._place(tuple(place))
            off = " (off by 1)" if _off_by_one(given[tuple(place)], right[tuple(place)]) else ""
            named.append(f"{show(float(given[tuple(place)]), DECIMALS)} for {which}{off}")
        count = int(wrong.sum())
        more = [f"{count - SHOWN} more"] if count > SHOWN else []
        subject = f"One of your {given.size} numbers is" if count == 1 else f"{count} of your {given.size} numbers are"
        also = f" And {_listed(given[rounded])} should have more decimal places." if rounded.any() else ""
        return f"{subject} wrong: {listed([*named, *more])}.{also}"

    def _place(self, place: tuple) -> str:
        """A number by what it stands for; else by its place."""
        flat = int(np.ravel_multi_index(place, np.shape(self.value)))
        if len(self.labels) == np.size(self.value):
            return self.labels[flat]
        if len(place) == 1:
            return f"the {ORDINALS[flat]} number"
        row = self.labels[place[0]] if self.labels else f"the {ORDINALS[place[0]]} row"
        return f"the {ORDINALS[place[1]]} number of {row}"

    def _mistake(self, given: np.ndarray, right: np.ndarray) -> Mistake | None:
        """The mistake with these numbers; else the only one that gives them at the precision that was typed."""
        for mistake in self.mistakes:
            if mistake.recognise:
                if given.shape == right.shape and mistake.recognise(given):
                    return mistake
            elif any(close(given, value, 0, self.atol) for value in _answers(mistake)):
                return mistake
        if given.shape == right.shape and self._rounded(given, right):
            return None
        half = _half_a_digit(given)
        typed = np.maximum(self.atol, np.where(half > 0.01, 0, half))  # fewer than two decimal places say too little
        rounded = [
            mistake
            for mistake in self.mistakes
            if not mistake.recognise
            and any(value.shape == given.shape and (np.abs(given - value) <= typed).all() for value in _answers(mistake))
        ]
        return rounded[0] if len(rounded) == 1 else None

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

    array = as_array(with_nan(outcome.value) if outcome.type == "ellipsis" else outcome.value, "biuf")
    return None if array is None else array.astype(float)  # True and False are 1 and 0


def _answers(mistake: Mistake) -> list[np.ndarray]:
    return [np.asarray(value, float) for value in (mistake.answer, *mistake.variants)]


def cut_short(given: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Where a number is the right one, rounded to fewer decimal places. An integer is another number."""
    return (np.abs(given - right) <= _half_a_digit(given)) & (given % 1 != 0)


def _half_a_digit(given: np.ndarray) -> np.ndarray:
    """Half of the last decimal place that was typed."""
    places = [len(np.format_float_positional(number).partition(".")[2]) for number in given.flat]
    return 0.5 * 10.0 ** -np.reshape(places, given.shape) * (1 + 1e-9)


def _powers_of_ten(given: np.ndarray, right: np.ndarray, atol: float) -> np.ndarray:
    """By which power of ten each number is off; 0 if something else is wrong with it."""
    with np.errstate(all="ignore"):
        powers = np.nan_to_num(np.rint(np.log10(given / right)), nan=0, posinf=0, neginf=0)
        return powers * (np.abs(given / 10.0**powers - right) <= np.maximum(atol, _half_a_digit(given) / 10.0**powers))


def _type(outcome: Outcome) -> str:
    """What an answer is that cannot be read as numbers."""
    if outcome.type == "str":
        return "is text. Remove the quotation marks"
    if isinstance(outcome.value, list) and any(isinstance(item, str) for item in outcome.value):
        return "contains text. Remove the quotation marks"
    if isinstance(outcome.value, list):
        return f"contains {wrong_content(outcome.value)}"
    return f"is {an_object(outcome.type)}"


def _size(given: np.ndarray, right: np.ndarray) -> str:
    """How many numbers there are, where the number of numbers is wrong."""
    if right.ndim == 0 and given.ndim == 1:
        return f"is {given.size} numbers, {show(given, DECIMALS)}"
    if right.ndim == 1 and given.ndim < 2:
        return f"has {given.size}"
    return f"has shape {given.shape}"


def _which_are_open(given: np.ndarray, wrong: np.ndarray) -> str:
    places = np.flatnonzero(np.isnan(given))
    which = f"The {listed([ORDINALS[place] for place in places])}" if max(places) < len(ORDINALS) else str(places.size)
    message = f"{which} of your {given.size} numbers {'is' if places.size == 1 else 'are'} still open."
    if others := np.count_nonzero(wrong & ~np.isnan(given)):
        message += " One of the others is wrong." if others == 1 else f" {others} of the others are wrong."
    return message


def _in_order(array: np.ndarray) -> np.ndarray:
    """The numbers, or the rows, sorted."""
    return array[np.lexsort(array.T[::-1])] if array.ndim > 1 else np.sort(array)


def _off_by_one(given: np.ndarray, right: np.ndarray) -> bool:
    return bool(abs(right) >= COUNTED and right % 1 == 0 and abs(given - right) == 1)


def _listed(numbers: np.ndarray) -> str:
    more = [f"{numbers.size - SHOWN} more"] if numbers.size > SHOWN else []
    return listed([show(float(number), DECIMALS) for number in numbers.flat[:SHOWN]] + more)
