"""What an object of a learner's class gave on its calls, read from data of any form."""

from dataclasses import dataclass

import numpy as np

from transformer_course.runner import limits
from transformer_course.runner.outcome import Outcome

from ..exercise import as_array, close
from . import module_faults


@dataclass(frozen=True)
class Run:
    """What one object's calls gave, read from data of any form."""

    calls: list[Outcome]
    fresh: list[Outcome]
    repeated: Outcome
    reseeded: Outcome
    gradients: dict
    single: dict
    dropped: Outcome

    @classmethod
    def read(cls, value, count: int) -> "Run":
        made, fresh = (list(part(value, name, list)) for name in ("calls", "fresh"))
        padded = [[recorded_call(each) for each in [*calls, *[None] * count][:count]] for calls in (made, fresh)]
        again = [recorded_call(part(value, name, dict)) for name in ("repeated", "reseeded")]
        gradients, single = (part(value, name, dict) for name in ("gradients", "single"))
        return cls(*padded, *again, gradients, single, recorded_call(part(value, "dropped", dict)))

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

    def in_single(self) -> str:
        """What the first call did in float32, for a sentence, if it did not give float32."""
        error, message, dtype = (
            part(self.single, name, str)[: limits.TEXT_CHARACTERS] for name in ("error", "message", "dtype")
        )
        if error:
            return f"raises {error}: {message}"
        return "" if dtype == "torch.float32" else f"gives {dtype.removeprefix('torch.') or 'no tensor'}"

    def reaches(self, name: str) -> bool:
        """Whether any gradient arrived at a parameter."""
        gradient = as_array(part(self.gradients, "parameters", dict).get(name))
        return gradient is not None and bool(np.any(gradient != 0))


def part(value, name: str, kind: type):
    """An entry of a mapping, or an empty one if it is not there or is of a different kind."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, kind) else kind()


def recorded_call(value) -> Outcome:
    """One call as it was recorded. What is not a recorded call counts as a call that returned nothing."""
    changed = [place for place in part(value, "changed", list) if type(place) is int and place >= 0]
    kind, error, message = (part(value, name, str)[: limits.TEXT_CHARACTERS] for name in ("type", "error", "message"))
    recorded = value.get("value") if isinstance(value, dict) else None
    return Outcome(recorded, kind or "NoneType", error or None, message, changed[0] if changed else None)


def array_of(outcome: Outcome) -> np.ndarray | None:
    return None if outcome.error or outcome.type not in ("Tensor", "Parameter") else as_array(outcome.value)


def _agree(one: Outcome, other: Outcome) -> bool:
    first, second = array_of(one), array_of(other)
    if first is None or second is None:
        return (first is None) == (second is None)
    return close(first, second)


def same_outputs(runs: list[Run], expected: list[list]) -> bool:
    """Whether all calls gave what a wrong forward pass gives; where it raises an error, they must too."""
    for run, rights in zip(runs, expected, strict=True):
        for call, right in zip(run.calls, rights, strict=True):
            seen = array_of(call)
            if (seen is None) != (right is None) or (seen is not None and not close(seen, right)):
                return False
    return True
