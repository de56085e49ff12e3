"""Give arrays that have a stated property."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from transformer_course.runner import limits
from transformer_course.runner.run import Outcome

from ..exercise import Exercise, Mistake, Verdict, as_array, close, early_verdict


@dataclass(frozen=True, kw_only=True)
class Construct(Exercise):
    """Give arrays that do what is asked: any will do, so what is judged is what they do, on inputs drawn from a seed.

    ``shapes`` holds the arrays' names in the order of the answer, each with its shape: numbers are fixed, and a word stands
    for a size that the learner chooses, the same wherever the word stands. ``violation`` gets one drawn input and then the
    arrays (finite, in float64, of these shapes, none larger than ``largest``) and says in a sentence how they miss the
    property there; None where they have it. A mistake is recognised by its predicate, called with the arrays, or else by
    its arrays themselves. The hardest inputs belong into every draw: then no verdict hangs on the seed.
    """

    shapes: Mapping[str, Sequence[int | str]]
    draw: Callable[[np.random.Generator], list]
    violation: Callable[..., str | None]
    largest: float = 1e6  # products of what is larger may overflow, and say nothing about the learner's idea

    kind: ClassVar[str] = "construct"

    def judge(self, seed, outcomes):
        (outcome,) = outcomes
        if early := early_verdict(self, outcome):
            return early
        arrays = given_arrays(self, outcome, list(self.shapes))
        if isinstance(arrays, Verdict):
            return arrays
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
                turn = " Turned by `.T` it would fit." if array.ndim == 2 and _fitted(form, array.T, sizes) is not None else ""
                return f"`{name}` should have shape {shape}, and has shape {array.shape}.{turn}"
            sizes = fitted
            if (most := np.abs(array).max()) > self.largest:
                return f"`{name}` holds numbers up to {most:.3g}. Keep all within ±{self.largest:,.0f}."
        return None

    def _is(self, mistake: Mistake, arrays: list[np.ndarray]) -> bool:
        if mistake.recognise:
            return mistake.recognise(*arrays)
        for example in (mistake.answer, *mistake.variants):
            pairs = zip(arrays, example if len(self.shapes) > 1 else [example], strict=True)
            if all(close(array, np.asarray(one, float)) for array, one in pairs):
                return True
        return False


def _fitted(form: Sequence[int | str], array: np.ndarray, sizes: dict[str, int]) -> dict[str, int] | None:
    """The sizes chosen before and by this array; None where it has not the shape, or no number at all."""
    if array.size == 0 or array.ndim != len(form):
        return None
    sizes = dict(sizes)
    for wanted, size in zip(form, array.shape, strict=True):
        if size != (sizes.setdefault(wanted, size) if isinstance(wanted, str) else wanted):
            return None
    return sizes


def given_arrays(exercise: Exercise, outcome: Outcome, names: Sequence[str]) -> list[np.ndarray] | Verdict:
    """The arrays that an answer holds, in float64; or the verdict on an answer that holds something else."""
    given = outcome.value if len(names) > 1 else [outcome.value]
    several = isinstance(given, list) or (isinstance(given, np.ndarray) and given.ndim > 0)  # or stacked in one array
    if not several or len(given) != len(names):
        seen = f"holds {len(given)}" if several else f"is {outcome.type}"
        message = f"`{exercise.answer_name}` should hold {len(names)} arrays in this order: {', '.join(names)}. It {seen}."
        return Verdict(False, "type", message)
    arrays = [as_array(value, "biuf") for value in given]  # an input may be a mask
    if (size := sum(array.size for array in arrays if array is not None)) > limits.CONSTRUCTED_NUMBERS:
        message = f"`{exercise.answer_name}` holds {size:,} numbers in all. Small arrays will do: give at most "
        return Verdict(False, "shape", f"{message}{limits.CONSTRUCTED_NUMBERS:,}.")
    for name, array in zip(names, arrays, strict=True):
        if array is None or not np.isfinite(array).all():
            holds = "something that is no number, or rows of different lengths" if array is None else "inf or nan"
            return Verdict(False, "type", f"`{name}` should be an array of finite numbers, and holds {holds}.")
    return [array.astype(float) for array in arrays]
