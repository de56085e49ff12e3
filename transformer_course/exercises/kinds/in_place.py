"""Write a function that changes the tensors that it is given, as an optimizer does."""

import copy
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from transformer_course.runner.in_place import run_in_place
from transformer_course.runner.outcome import Outcome

from ..exercise import Exercise, Verdict, as_array, close, early_verdict, parameters, show
from .error_hints import explained


@dataclass(frozen=True, kw_only=True)
class InPlace(Exercise):
    """Write a function that changes some of its arguments. It is called once per question, without gradients.

    ``reference`` changes NumPy arrays in the same way, and so does the answer of each mistake. Of a list or mapping, the
    answer may also replace a tensor by a new one, except in the arguments called ``themselves``: there the tensors
    themselves must change, because others hold them too.
    """

    reference: Callable
    draw: Callable[[np.random.Generator], list[list]]
    themselves: Sequence[str] = ()

    kind: ClassVar[str] = "in place"
    is_function: ClassVar[bool] = True

    def backends(self):
        return (run_in_place.__name__,)

    def questions(self, seed):
        return _questions(self.draw, seed)

    def judge(self, seed, outcomes):
        if early := early_verdict(self, outcomes[-1]):
            return early
        for outcome in outcomes:
            if outcome.error:
                plain, hint = explained(outcome.message)
                return Verdict(False, "error", f"`{self.answer_name}` raised {outcome.error}: {plain}", hint)
        seen = [self._afterwards(outcome) for outcome in outcomes]
        if all(map(_same, seen, _after(self.reference, self.draw, seed))):
            return self.passed()
        for mistake in self.mistakes:
            for spelling in (mistake.answer, *mistake.variants):
                if all(map(_same, seen, _after(spelling, self.draw, seed))):
                    return self.named(mistake)
        return self._wrong(seed, outcomes, seen)

    def _afterwards(self, outcome: Outcome) -> list:
        """The arguments after the call; of those called ``themselves``, the tensors as given, unless the list lost some."""
        names = parameters(self.reference)
        held, given = (_list(_entry(outcome, key), len(names)) for key in ("afterwards", "tensors"))
        return [
            before if name in self.themselves and isinstance(before, list) and _list(now, len(before)) is now else now
            for name, now, before in zip(names, held, given, strict=True)
        ]

    def _wrong(self, seed: int, outcomes: list[Outcome], seen: list[list]) -> Verdict:
        """What to say of the first question with a wrong value. Those that must change themselves come last: they follow
        from the others."""
        names = sorted(parameters(self.reference), key=lambda name: name in self.themselves)
        right = _after(self.reference, self.draw, seed)
        number = next(place for place in range(len(seen)) if not _same(seen[place], right[place]))
        before, now, wanted = (
            dict(zip(parameters(self.reference), each[number], strict=True)) for each in (self.questions(seed), seen, right)
        )
        parts = [part for name in names for part in _parts(name, now[name], wanted[name], before[name])]
        if all(_same(value, old) for _, value, _, old in parts):
            replaced = self._replaced(outcomes[number], self.questions(seed)[number])
            return replaced or self._nothing_changed(outcomes[number])
        where, value, expected, old = next(part for part in parts if not _same(part[1], part[2]))
        if as_array(value) is None:
            message = f"After the call, `{where}` is missing, or does not contain numbers. It should be {show(expected)}."
        elif _same(old, expected):
            message = f"Your function changes `{where}`, which should stay {show(old)}, but is {show(value)} after the call."
        elif _same(value, old):
            message = f"After the call, `{where}` is still {show(old)}, as before the call."
        else:
            message = (
                f"After the call, `{where}` should be {show(expected)}, but is {show(value)}. Before, it was {show(old)}."
            )
        return Verdict(False, "value", message)

    def _replaced(self, outcome: Outcome, question: list) -> Verdict | None:
        """The verdict on new tensors in a list whose tensors themselves should change."""
        names = parameters(self.reference)
        held = _list(_entry(outcome, "afterwards"), len(names))
        lists = [each for each in zip(names, held, question, strict=True) if each[0] in self.themselves]
        found = [name for name, now, before in lists if _fits(now, before) and not _same(now, before)]
        if not found:
            return None
        message = (
            f"Your function puts new tensors into `{found[0]}`. The tensors that were in it before the call have not changed, "
            "and those are the ones that the model uses."
        )
        return Verdict(False, "value", message, "`x[i] = 2 * x[i]` puts a new tensor in the list. `x[i] *= 2` changes it.")

    def _nothing_changed(self, outcome: Outcome) -> Verdict:
        message = f"After the call of `{self.answer_name}`, everything is as it was before."
        if _entry(outcome, "type") != "NoneType":
            message += " Your function returns something instead, but nobody will use what it returns."
        hint = (
            "`x = 2 * x` makes a new tensor and calls it `x`; the old one stays as it was. `x *= 2` changes the tensor itself."
        )
        return Verdict(False, "value", message, hint)


def _entry(outcome: Outcome, key: str):
    return outcome.value.get(key) if isinstance(outcome.value, dict) else None


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


def _fits(now, before: list) -> bool:
    """Whether a list holds as many arrays as before, of the same shapes."""
    arrays = list(map(as_array, _list(now, len(before))))
    return all(array is not None and array.shape == old.shape for array, old in zip(arrays, before, strict=True))


def _same(seen, right) -> bool:
    """Whether a value holds what it should; a mapping may hold more."""
    if isinstance(right, dict):
        return isinstance(seen, dict) and all(key in seen and _same(seen[key], right[key]) for key in right)
    if isinstance(right, list):
        return isinstance(seen, list) and len(seen) == len(right) and all(map(_same, seen, right))
    array = as_array(seen)
    return array is not None and close(array, np.asarray(right, float))


@functools.lru_cache(maxsize=64)
def _questions(draw: Callable, seed: int) -> list[list]:
    return draw(np.random.default_rng(seed))


@functools.lru_cache(maxsize=512)
def _after(change: Callable, draw: Callable, seed: int) -> list[list]:
    """The arguments of each question after a change in NumPy."""
    after = copy.deepcopy(_questions(draw, seed))
    with np.errstate(all="ignore"):
        for arguments in after:
            change(*arguments)
    return after
