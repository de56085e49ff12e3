"""Write a function that changes the tensors that it is given, as an optimizer does."""

import copy
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from transformer_course.runner.forms import run_in_place
from transformer_course.runner.outcome import Outcome

from ..exercise import Verdict, as_array, parameters, show
from ..kinds.implement import Implement, drawn
from ..kinds.results import arrays, equal, part


@dataclass(frozen=True, kw_only=True)
class InPlace(Implement):
    """Write a function that changes some of its arguments. It is called once per question, without gradients.

    ``reference`` changes NumPy arrays in the same way, and so does the answer of each mistake. Of a list or mapping, the
    answer may also replace a tensor by a new one, except in the arguments called ``themselves``: there the tensors
    themselves must change, because others hold them too.
    """

    themselves: Sequence[str] = ()

    kind: ClassVar[str] = "in place"
    backends = (run_in_place.__name__,)

    def _read(self, outcome, expected):
        """The arguments after the call; of those called ``themselves``, the tensors as given, unless the list lost some."""
        names = parameters(self.reference)
        held, given = (_list(part(outcome.value, key, list), len(names)) for key in ("afterwards", "tensors"))
        after = [
            before if name in self.themselves and isinstance(before, list) and _list(now, len(before)) is now else now
            for name, now, before in zip(names, held, given, strict=True)
        ]
        return replace(outcome, value={"after": after, "held": held, "returned": part(outcome.value, "type", str)})

    def _expected(self, function, seed, index):
        return _after(function, self.draw, seed, index)

    def _problem(self, question, outcome, expected):
        """What to say of a wrong value. Those that must change themselves come last: they follow from the others."""
        if outcome.error:
            return self._raised(outcome)
        rows = zip(parameters(self.reference), outcome.value["after"], expected.value["after"], question, strict=True)
        parts = [part for row in sorted(rows, key=lambda row: row[0] in self.themselves) for part in _parts(*row)]
        wrong = [part for part in parts if not _same(part[1], part[2])]
        if not wrong:
            return None
        if all(_same(value, old) for _, value, _, old in parts):
            return self._replaced(outcome, question) or self._nothing_changed(outcome)
        where, value, right, old = wrong[0]
        if as_array(value) is None:
            message = f"After the call, `{where}` is missing, or does not contain numbers. It should be {show(right)}."
        elif _same(old, right):
            message = f"Your function changes `{where}`, which should stay {show(old)}, but is {show(value)} after the call."
        elif _same(value, old):
            message = f"After the call, `{where}` is still {show(old)}, as before the call."
        else:
            message = f"After the call, `{where}` should be {show(right)}, but is {show(value)}. Before, it was {show(old)}."
        return Verdict(False, "value", message)

    def _replaced(self, outcome: Outcome, question: list) -> Verdict | None:
        """The verdict on new tensors in a list whose tensors themselves should change."""
        for name, now, before in zip(parameters(self.reference), outcome.value["held"], question, strict=True):
            if name in self.themselves and _list(now, len(before)) is now and not _same(now, before):
                message = (
                    f"Your function puts new tensors into `{name}`. The tensors that were in it before the call have not "
                    "changed, and those are the ones that the model uses."
                )
                hint = "`x[i] = 2 * x[i]` puts a new tensor in the list. `x[i] *= 2` changes it."
                return Verdict(False, "mistake", message, hint, "new tensors in the list")
        return None

    def _nothing_changed(self, outcome: Outcome) -> Verdict:
        message = f"After the call of `{self.answer_name}`, everything is as it was before."
        if outcome.value["returned"] != "NoneType":
            message += " Your function returns something instead, but nobody will use what it returns."
        hint = (
            "`x = 2 * x` makes a new tensor and calls it `x`; the old one stays as it was. `x *= 2` changes the tensor itself "
            "(and what works on `.grad`, such as torch's `clip_grad_norm_`, finds none here)."
        )
        return Verdict(False, "mistake", message, hint, "nothing changed")


def _list(value, length: int) -> list:
    return value if isinstance(value, list) and len(value) == length else [None] * length


def _parts(where: str, seen, right, before) -> Iterator[tuple]:
    """Every array and number in an argument with its place, such as `state["m"][0]`: (place, seen, right, before)."""
    if isinstance(right, dict):
        for key in right:
            yield from _parts(f'{where}["{key}"]', seen.get(key) if isinstance(seen, dict) else None, right[key], before[key])
    elif isinstance(right, list):
        for place, item in enumerate(right):
            yield from _parts(f"{where}[{place}]", _list(seen, len(right))[place], item, before[place])
    else:
        yield where, seen, right, before


def _same(seen, right) -> bool:
    return equal(arrays(seen), arrays(right))


@functools.lru_cache(maxsize=512)
def _after(change: Callable, draw: Callable, seed: int, index: int) -> Outcome:
    """The arguments of a question after a change in NumPy."""
    arguments = copy.deepcopy(drawn(draw, seed)[index])
    with np.errstate(all="ignore"):
        change(*arguments)
    return Outcome({"after": arguments}, "dict")
