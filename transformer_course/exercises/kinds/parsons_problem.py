"""Put the shuffled lines of a program in order. Some of them do not belong in it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..exercise import Mistake, Value, Verdict, an_object, as_array, close, show
from ..toolkit import known


@dataclass(frozen=True, kw_only=True)
class ParsonsProblem(Value):
    """Put the shuffled lines of a program in order. Any order that gives the right result passes.

    ``lines`` maps letters to code, and the answer is a list of letters. Only code from here is ever run: the answer chooses
    among the lines, each at most once. A probe from ``draw`` maps names to values. ``given`` is run first, then the lines;
    then the variable ``result`` must equal ``reference(**probe)``. A mistake is recognised by its predicate, called with the
    list of letters.
    """

    answer_name: str = "order"
    lines: Mapping[str, str]
    needed: int
    draw: Callable[[np.random.Generator], list[dict]]
    reference: Callable
    result: str
    given: str = ""

    kind: ClassVar[str] = "Parsons problem"

    def _judged(self, order, seed):
        problems = (self._problem(order, probe) for probe in self.draw(np.random.default_rng(seed)))
        problem = next(filter(None, problems), None)
        if problem is None:
            return self.passed()
        if problem.reason == "error":  # a missing name comes first: any mistake may follow from it
            return problem
        for mistake in self.mistakes:
            if mistake.recognise(order):
                return self.named(mistake)
        return problem

    def _read(self, outcome) -> list[str] | Verdict:
        known, form = ", ".join(self.lines), f'`{self.answer_name}` should be a list of letters, such as ["B", "A"]'
        letters = outcome.value
        if isinstance(letters, str):  # "GCHJE", "G C H J E" or "G, C, H, J, E"
            letters = list(letters.replace(",", "").replace(" ", ""))
        if not isinstance(letters, list):
            return Verdict(False, "type", f"{form}, but is {an_object(outcome.type)}.")
        if len(letters) > len(self.lines):
            message = f"There are {len(self.lines)} lines, each to be used at most once, but you gave {len(letters)}."
            return Verdict(False, "value", message)
        by_word = {letter.lower(): letter for letter in self.lines}
        order = []
        for value in letters:
            if not isinstance(value, str):
                return Verdict(False, "type", f"{form}, but contains {show(value)}. Are the quotation marks missing?")
            if (letter := by_word.get(value.strip().lower())) is None:
                return Verdict(False, "value", f"There is no line {show(value)}. The lines are {known}.")
            if letter in order:
                return Verdict(False, "value", f"Line {letter} appears twice. Use each line at most once.")
            order.append(letter)
        return order or self.empty()

    def _problem(self, order: list[str], probe: dict) -> Verdict | None:
        """What goes wrong with the lines in this order on one probe, if anything."""
        copies = {name: np.copy(value) if isinstance(value, np.ndarray) else value for name, value in probe.items()}
        names = {"np": np, **copies}
        exec(self.given, names)
        for place, letter in enumerate(order, 1):
            where = f"Line {letter}, in position {place}: `{self.lines[letter]}`"
            try:
                with np.errstate(all="ignore"):
                    exec(self.lines[letter], names)
            except NameError as error:
                return Verdict(False, "error", f"{where} needs `{error.name}`, but no line before it defines that.")
            except Exception as error:
                return Verdict(False, "value", f"{where} raised {type(error).__name__}: {error}")
        if len(order) != self.needed:
            so_far = "So far, your lines run without an error. " if len(order) < self.needed else ""
            chosen = "one line" if len(order) == 1 else f"{len(order)} lines"
            needed = "one is" if self.needed == 1 else f"{self.needed} are"
            return Verdict(False, "value", f"{so_far}You chose {chosen}, but {needed} needed.")
        if self.result not in names:
            message = f"Your lines run without an error, but none of them computes `{self.result}`."
            return Verdict(False, "value", message, f"Which line gives `{self.result}` its value?")
        seen, right = as_array(names.get(self.result)), np.asarray(self.reference(**probe))
        if seen is not None and close(seen, right):
            return None
        message = f"Your lines run without an error, but at the end the value of `{self.result}` is wrong."
        if seen is not None and seen.shape != right.shape:
            shapes = f"`{self.result}` should have shape {right.shape}, but it has {seen.shape}"
            message = f"Your lines run without an error. At the end, {shapes}."
        return Verdict(False, "value", message, "Go through them one by one: what is the value of each name at that point?")


def uses(diagnosis: str, hint: str, **orders: list[str]) -> Mistake:
    """In a table, the mistake of using a line that does not belong: orders with it, under its letter."""
    ((line, wrong),) = orders.items()
    return known(diagnosis, hint, *map(list, wrong), recognise=lambda order: line in order)


def lacks(line: str, before: str) -> Callable[[list[str]], bool]:
    """A predicate: whether ``line`` is missing before ``before``, which needs it (it comes later, or not at all)."""
    return lambda order: before in order and line not in order[: order.index(before)]
