"""Give arrays that have a stated property, or that expose the bug of a function."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from transformer_course.runner import limits
from transformer_course.runner.outcome import Outcome

from ..exercise import Exercise, Mistake, Value, Verdict, an_object, as_array, close, listed, parameters, show
from .results import wrong_content


@dataclass(frozen=True, kw_only=True)
class Construct(Value):
    """Give arrays that do what is asked. Any that do will pass: they are judged by what they do to inputs drawn from a seed.

    ``shapes`` maps the arrays' names, in the order of the answer, to their shapes: a number is a fixed size, and a word is a
    size that the learner chooses, the same wherever the word appears. ``violation`` gets one drawn input and the arrays
    (finite, in float64, of these shapes, no number above ``largest``) and says in a sentence how they miss the property
    there; None if they have it. A mistake is recognised by its predicate, called with the arrays, or else by its own arrays.
    Every draw must include the hardest inputs, so that no verdict depends on the seed.
    """

    shapes: Mapping[str, Sequence[int | str]]
    draw: Callable[[np.random.Generator], list] = lambda rng: [None]
    violation: Callable[..., str | None]
    largest: float = 1e6  # products of larger numbers may overflow, which says nothing about the learner's idea

    kind: ClassVar[str] = "construct"

    def _read(self, outcome):
        return given_arrays(self, outcome, list(self.shapes))

    def _judged(self, arrays, seed):
        if sentence := self._misfit(arrays):
            return Verdict(False, "shape", sentence)
        missed = next(filter(None, (self.violation(drawn, *arrays) for drawn in self.draw(np.random.default_rng(seed)))), None)
        if missed is None:
            return self.passed()
        for mistake in self.mistakes:
            if self._is(mistake, arrays):
                return self.named(mistake)
        return Verdict(False, "value", missed)

    def _misfit(self, arrays: list[np.ndarray]) -> str | None:
        """What is wrong with the arrays' shapes or sizes, if anything."""
        sizes: dict[str, int] = {}
        for (name, form), array in zip(self.shapes.items(), arrays, strict=True):
            chosen = ", ".join(f"{word} = {sizes[word]}" for word in form if word in sizes)
            fitted = _fitted(form, array, sizes)
            if fitted is None:
                shape = f"({', '.join(map(str, form))}{',' * (len(form) == 1)})" + f" with {chosen}" * bool(chosen)
                transposed = array.ndim == 2 and _fitted(form, array.T, sizes) is not None
                hint = " Its transpose, `.T`, would fit." if transposed else ""
                return f"`{name}` should have shape {shape}, but has shape {array.shape}.{hint}"
            sizes = fitted
            if (size := np.abs(array).max()) > self.largest:
                return f"`{name}` contains numbers up to {size:,.9g}. Keep them all within ±{self.largest:,.0f}."
        return None

    def _is(self, mistake: Mistake, arrays: list[np.ndarray]) -> bool:
        if mistake.recognise:
            return mistake.recognise(*arrays)
        for example in (mistake.answer, *mistake.variants):
            pairs = zip(arrays, example if len(self.shapes) > 1 else [example], strict=True)
            if all(close(array, np.asarray(one, float)) for array, one in pairs):
                return True
        return False


@dataclass(frozen=True, kw_only=True)
class Counterexample(Value):
    """Give an input on which a faulty function, shown in the sheet, differs from the right one."""

    answer_name: str = "trap"
    faulty: Callable
    reference: Callable
    invalid: Callable  # (*arguments) -> a sentence, or None for a valid input

    kind: ClassVar[str] = "counterexample"

    def _read(self, outcome):
        return given_arrays(self, outcome, parameters(self.reference))

    def _judged(self, arrays, seed):
        if sentence := self.invalid(*arrays):
            return Verdict(False, "shape", sentence)
        with np.errstate(all="ignore"):  # the bug may well be a division by 0
            right, wrong = self.reference(*arrays), self.faulty(*arrays)
        if not close(wrong, right):
            return self.passed()
        for mistake in self.mistakes:
            if mistake.recognise(*arrays):
                return self.named(mistake)
        return Verdict(False, "value", f"This input does not expose the bug: both functions return {show(right)}.")


def _fitted(form: Sequence[int | str], array: np.ndarray, sizes: dict[str, int]) -> dict[str, int] | None:
    """The sizes chosen so far, with those of this array; None if it does not have the shape, or is empty."""
    if array.size == 0 or array.ndim != len(form):
        return None
    sizes = dict(sizes)
    for wanted, size in zip(form, array.shape, strict=True):
        if size != (sizes.setdefault(wanted, size) if isinstance(wanted, str) else wanted):
            return None
    return sizes


def given_arrays(exercise: Exercise, outcome: Outcome, names: Sequence[str]) -> list[np.ndarray] | Verdict:
    """The arrays that an answer contains, in float64; or the verdict on an answer that contains something else."""
    given = outcome.value if len(names) > 1 else [outcome.value]
    several = isinstance(given, list) or (isinstance(given, np.ndarray) and given.ndim > 0)  # or stacked in one array
    if not several or len(given) != len(names):
        actual = f"has {len(given)}" if several else f"is {an_object(outcome.type)}"
        expected = f"{len(names)} elements, {listed([f'`{name}`' for name in names])} in this order"
        return Verdict(False, "type", f"`{exercise.answer_name}` should have {expected}, but {actual}.")
    arrays = [as_array(value, "biuf") for value in given]  # an input may be a mask
    if (size := sum(array.size for array in arrays if array is not None)) > limits.CONSTRUCTED_NUMBERS:
        message = f"`{exercise.answer_name}` contains {size:,} numbers in all. Small arrays are enough: use at most "
        return Verdict(False, "shape", f"{message}{limits.CONSTRUCTED_NUMBERS:,}.")
    for name, value, array in zip(names, given, arrays, strict=True):
        if array is None or not np.isfinite(array).all():
            content = wrong_content(value) if array is None else "inf or nan"
            return Verdict(False, "type", f"`{name}` should be an array of finite numbers, but contains {content}.")
    return [array.astype(float) for array in arrays]
