"""Write a function that returns two arrays."""

from dataclasses import dataclass

import numpy as np

from ..exercise import Verdict, an_object, as_array, close, show
from .implement import Implement


@dataclass(frozen=True, kw_only=True)
class ImplementPair(Implement):
    """Write a function that returns two arrays, ``inputs`` and ``labels``. The message is about the first that is wrong."""

    stacked: bool = False  # whether each must be one array or tensor; a list of rows that are tensors is refused
    ids: bool = False  # whether both must be integers, as rows of a table are chosen by integers only

    def _problem(self, question, outcome, expected):
        if outcome.error:
            return super()._problem(question, outcome, expected)
        given = self._described(question)
        pair = list(outcome.value) if isinstance(outcome.value, np.ndarray) and outcome.value.ndim == 3 else outcome.value
        if not isinstance(pair, list) or len(pair) != 2:
            actual = f"{len(pair)} values" if isinstance(pair, list) else an_object(outcome.type)
            message = f"For {given}, it should return two arrays, but returned {actual}."
            return Verdict(False, "type", message, "Write both after one `return`, separated by a comma.")
        for name, value, right in zip(("inputs", "labels"), pair, expected.value, strict=True):
            if self.stacked and isinstance(value, list) and any(isinstance(row, np.ndarray) for row in value):
                message = f"`{name}` is a list; `torch.stack` makes it a tensor of shape {right.shape}."
                return Verdict(False, "type", message)
            if (seen := as_array(value)) is None:
                return Verdict(False, "type", f"For {given}, the {name} are not an array of numbers.")
            if seen.shape != right.shape:
                message = f"For {given}, the {name} should have shape {right.shape}, but have {seen.shape}."
                return Verdict(False, "shape", message)
            if not close(seen, right):
                row = int(np.argwhere(seen != right)[0][0])
                message = f"For {given}, row {row} of the {name} should be {show(right[row])}, but is {show(seen[row])}."
                return Verdict(False, "value", message)
            if self.ids and np.asarray(value).dtype.kind == "f":
                message = f"The {name} have the right values, but they are floats, and an id has to be an integer."
                return Verdict(False, "type", message, "Give what you put in front the dtype of `targets`.")
        return None
