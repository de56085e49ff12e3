"""What an object of a learner's class gave on its calls, read from data of any form."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from transformer_course.runner import limits
from transformer_course.runner.outcome import Outcome

from ..exercise import as_array, close
from . import module_faults

OTHER_NUMBERS = "gives other numbers"
SINGLE = 1e-2  # of the largest number: what float32 may change, with a wide margin


@dataclass(frozen=True)
class Run:
    """What one object's calls gave, read from data of any form."""

    question: dict
    calls: list[Outcome]
    given: list[list]  # the inputs of each call, as they were afterwards
    fresh: list[Outcome]
    repeated: Outcome
    reseeded: Outcome
    again: Outcome
    gradients: dict
    single: list
    dropped: Outcome
    started: dict

    @classmethod
    def read(cls, value, question: dict) -> "Run":
        count = len(question["calls"])
        made, fresh = ([*part(value, name, list), *[None] * count][:count] for name in ("calls", "fresh"))
        again = [recorded_call(part(value, name, dict)) for name in ("repeated", "reseeded", "again")]
        gradients, started = (part(value, name, dict) for name in ("gradients", "started"))
        single = part(value, "single", list)
        given = [part(call, "given", list) for call in made]
        calls, fresh = ([recorded_call(call) for call in each] for each in (made, fresh))
        return cls(
            question, calls, given, fresh, *again, gradients, single, recorded_call(part(value, "dropped", dict)), started
        )

    def unstable(self, expected: list) -> module_faults.Fault | None:
        """What makes outputs differ that should be the same, if any do."""
        if not _agree(self.calls[0], self.repeated):
            return module_faults.STATE
        if not _agree(self.repeated, self.reseeded):
            return module_faults.RANDOM
        if not _agree(self.calls[0], self.fresh[0]):
            return module_faults.WORK_IN_INIT
        for call, fresh, right in zip(self.calls, self.fresh, expected, strict=True):
            new = array_of(fresh)
            if not _agree(call, fresh) and new is not None and close(new, right):
                return module_faults.KEPT
        return None

    def changed_input(self) -> int | None:
        """The place of the first input that a call has changed, or that makes the first call give something else again."""
        for inputs, given in zip(self.question["calls"], self.given, strict=True):
            for place, value in enumerate(inputs):
                if isinstance(value, np.ndarray) and not _unchanged(value, given[place] if place < len(given) else None):
                    return place
        return None if _agree(self.calls[0], self.again) else 0

    def in_single(self, number: int, right: np.ndarray) -> str:
        """What a call in float32 did, for a sentence, if it did not give ``right`` as float32."""
        call = self.single[number] if number < len(self.single) else None
        error, message, dtype = (part(call, name, str)[: limits.TEXT_CHARACTERS] for name in ("error", "message", "dtype"))
        if error:
            return f"raises {error}: {message}"
        seen, kind = array_of(recorded_call(call)), dtype.removeprefix("torch.")
        if seen is None or kind != "float32":
            return f"gives {kind or 'no tensor'}"
        if seen.dtype != np.float32:
            return f"gives {seen.dtype}"
        near = SINGLE * max(1.0, float(np.abs(right).max(initial=0)))
        return "" if close(seen, right, rtol=SINGLE, atol=near) else OTHER_NUMBERS

    def gradient(self, key: str | int) -> np.ndarray | None:
        """The gradient at a weight (by name), which is what a step has taken from it, or at an input (by place)."""
        if isinstance(key, int):
            held = part(self.gradients, "inputs", list)
            array, shape = as_array(held[key] if key < len(held) else None), self.question["calls"][0][key].shape
            return array.astype(float) if array is not None and array.shape == shape else None
        before, after = self.question["weights"][key], as_array(part(self.gradients, "step", dict).get(key), "f")
        if after is None or after.shape != before.shape:
            return None
        return (before.astype(after.dtype).astype(float) - after.astype(float)) / self.question["rate"]

    def reaches(self, name: str) -> bool:
        """Whether any gradient arrived at a parameter."""
        gradient = self.gradient(name)
        return gradient is not None and bool(np.any(gradient != 0))

    def parted(self, tied: dict[str, str]) -> str | None:
        """The first name of a parameter that a step has moved apart from the one that it should be, if any."""
        after = {name: as_array(value, "f") for name, value in part(self.gradients, "step", dict).items()}
        return next((name for name, other in tied.items() if not _same(after.get(name), after.get(other))), None)


def part(value, name: str, kind: type):
    """An entry of a mapping, or an empty one if it is not there or is of a different kind."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, kind) else kind()


def recorded_call(value) -> Outcome:
    """One call as it was recorded. What is not a recorded call counts as a call that returned nothing."""
    kind, error, message = (part(value, name, str)[: limits.TEXT_CHARACTERS] for name in ("type", "error", "message"))
    recorded = value.get("value") if isinstance(value, dict) else None
    return Outcome(recorded, kind or "NoneType", error or None, message)


def array_of(outcome: Outcome) -> np.ndarray | None:
    return None if outcome.error or outcome.type not in ("Tensor", "Parameter") else as_array(outcome.value)


def _agree(one: Outcome, other: Outcome) -> bool:
    first, second = array_of(one), array_of(other)
    if first is None or second is None:
        return (first is None) == (second is None)
    return close(first, second)


def _unchanged(before: np.ndarray, after) -> bool:
    """Whether an input came back as it was given. It was given in the precision in which it came back."""
    array = as_array(after, "biuf")
    same_kind = array is not None and array.dtype.kind == before.dtype.kind
    return same_kind and np.array_equal(before.astype(array.dtype), array, equal_nan=before.dtype.kind == "f")


def _same(one: np.ndarray | None, other: np.ndarray | None) -> bool:
    return one is not None and other is not None and np.array_equal(one, other, equal_nan=True)


def same_outputs(runs: Sequence[Run], expected: Iterable[list]) -> bool:
    """Whether all calls gave what a wrong forward pass gives; where it raises an error, they must too."""
    for run, rights in zip(runs, expected, strict=True):
        for call, right in zip(run.calls, rights, strict=True):
            seen = array_of(call)
            if (seen is None) != (right is None) or (seen is not None and not close(seen, right)):
                return False
    return True
