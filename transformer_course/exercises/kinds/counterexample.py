"""Give an input on which a faulty function differs from the right one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..exercise import Exercise, Verdict, as_array, close, parameters, refused, show


@dataclass(frozen=True, kw_only=True)
class Counterexample(Exercise):
    """Give an input on which a faulty function, shown in the sheet, differs from the right one."""

    faulty: Callable
    reference: Callable
    invalid: Callable  # (*arguments) -> a sentence, or None for a valid input

    kind: ClassVar[str] = "counterexample"

    def judge(self, seed, outcomes):
        (outcome,) = outcomes
        names = parameters(self.reference)
        if early := refused(self, outcome):
            return early
        given = outcome.value if len(names) > 1 else [outcome.value]
        if not isinstance(given, list) or len(given) != len(names):
            message = f"`{self.answer}` should hold {len(names)} arrays in this order: {', '.join(names)}."
            return Verdict(False, "type", message)
        arrays = [as_array(value) for value in given]
        for name, array in zip(names, arrays, strict=True):
            if array is None or not np.isfinite(array).all():
                return Verdict(False, "type", f"`{name}` should be an array of finite numbers.")
        if sentence := self.invalid(*arrays):
            return Verdict(False, "shape", sentence)
        arrays = [array.astype(float) for array in arrays]
        right, wrong = self.reference(*arrays), self.faulty(*arrays)
        if not close(wrong, right):
            return self.passed()
        for mistake in self.mistakes:
            if mistake.recognise(*arrays):
                return self.named(mistake)
        return Verdict(False, "value", f"On this input both functions give the same: {show(right)}. The fault stays hidden.")
