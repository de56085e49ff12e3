"""Give an input that exposes the bug of a function."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..exercise import Exercise, Verdict, close, early_verdict, parameters, show
from .construct import given_arrays


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
        if early := early_verdict(self, outcome):
            return early
        arrays = given_arrays(self, outcome, names)
        if isinstance(arrays, Verdict):
            return arrays
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
