"""Write a function whose result is not one array: a pair of arrays, a string, or a list of strings or of pairs of strings."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from transformer_course.runner.forms import run_on_strings

from ..exercise import Verdict, an_object, as_array, close, parameters, show
from .implement import Implement

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
SHOWN = 160  # characters of a value in a sentence
MORE = {"NoneType": "None. Is a `return` missing at its end?", "set": "a set, which has no order."}


@dataclass(frozen=True, kw_only=True)
class ImplementPair(Implement):
    """Write a function that returns two arrays with these ``names``. The message is about the first that is wrong."""

    names: tuple[str, str] = ("inputs", "labels")
    stacked: bool = False  # whether each must be one array or tensor; a list of rows that are tensors is refused
    ids: bool = False  # whether both must be integers, as rows of a table are chosen by integers only

    def _problem(self, question, outcome, expected):
        if outcome.error or expected.error:
            return super()._problem(question, outcome, expected)
        given = self._described(question)
        pair = list(outcome.value) if isinstance(outcome.value, np.ndarray) and outcome.value.ndim == 3 else outcome.value
        if not isinstance(pair, list) or len(pair) != 2:
            actual = f"{len(pair)} values" if isinstance(pair, list) else an_object(outcome.type)
            message = f"For {given}, it should return two arrays, but returned {actual}."
            return Verdict(False, "type", message, "Write both after one `return`, separated by a comma.")
        for name, value, right in zip(self.names, pair, expected.value, strict=True):
            if self.stacked and isinstance(value, list) and any(isinstance(row, np.ndarray) for row in value):
                message = f"`{name}` is a list; `torch.stack` makes it a tensor of shape {right.shape}."
                return Verdict(False, "type", message)
            if (seen := as_array(value, "biuf")) is None:
                return Verdict(False, "type", f"For {given}, the {name} are not an array of numbers.")
            if seen.shape != right.shape:
                message = f"For {given}, the {name} should have shape {right.shape}, but have {seen.shape}."
                return Verdict(False, "shape", message)
            if not close(seen, right):
                row = int(np.argwhere(seen != right)[0][0])
                place = "row" if right.ndim > 1 else "element"
                message = f"For {given}, {place} {row} of the {name} should be {show(right[row])}, but is {show(seen[row])}."
                return Verdict(False, "value", message)
            if self.ids and np.asarray(value).dtype.kind == "f":
                message = f"The {name} have the right values, but they are floats, and an id has to be an integer."
                return Verdict(False, "type", message, "Give what you put in front the dtype of `targets`.")
        return None


@dataclass(frozen=True, kw_only=True)
class ImplementStrings(Implement):
    """Write a function that returns a string, a list of strings, or a list of pairs of strings.

    In a question a pair is a list, and the answer gets it as a tuple. ``explain(question, given, right)`` may add a sentence
    about the first item that is wrong. ``given`` and ``right`` are tuples, equal up to that item.
    """

    items: str  # what a list consists of, in the plural: "pieces"
    explain: Callable[[list, tuple, tuple], str] | None = None
    backends = (run_on_strings.__name__,)

    def _problem(self, question, outcome, expected):
        if outcome.error or expected.error:
            return super()._problem(question, outcome, expected)
        seen, right = _plain(outcome.value), _plain(expected.value)
        if seen == right:
            return None
        asked = f"For {self._described(question)}"
        if type(seen) is not type(right):
            wanted = "a string" if isinstance(right, str) else f"a list of {self.items}"
            actual = MORE.get(outcome.type, an_object(outcome.type) + ".")
            if outcome.type == "bytes" and isinstance(right, tuple):  # or its items are
                actual = "bytes in place of strings."
            return Verdict(False, "type", f"{asked}, it should return {wanted}, but returned {actual}")
        if isinstance(right, str):
            return Verdict(False, "value", f"{asked}, the result should be {_text(right)}, but is {_text(seen)}.")
        return self._wrong_item(asked, question, seen, right)

    def _wrong_item(self, asked: str, question: list, seen: tuple, right: tuple) -> Verdict:
        equal = [a == b for a, b in zip(seen, right, strict=False)]
        if all(equal):
            message = f"{asked}, it should return {len(right)} {self.items}, but returned {len(seen)}: {_text(list(seen))}."
            return Verdict(False, "shape", message)
        place = equal.index(False)
        which = f"the {ORDINALS[place]}" if place < len(ORDINALS) else f"number {place + 1}"
        message = f"{asked}, {which} of the {self.items} should be {_text(right[place])}, but is {_text(seen[place])}."
        more = self.explain(question, seen[: place + 1], right[: place + 1]) if self.explain else ""
        return Verdict(False, "value", f"{message} {more}".strip())

    def _described(self, question, shapes=False):
        shown = (_text(list(map(_plain, value)) if isinstance(value, list) else value) for value in question)
        return ", ".join(f"{name} = {value}" for name, value in zip(parameters(self.reference), shown, strict=True))


def _plain(value):
    """A value with tuples in place of lists, so that equal values are equal whatever else they contain."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return tuple(map(_plain, value)) if isinstance(value, list) else value


def _text(value) -> str:
    whole = repr(value)
    return whole if len(whole) <= SHOWN else f"{whole[:SHOWN]}…"
