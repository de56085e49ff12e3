"""Write a test that accepts every right function and rejects the mistaken ones."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from transformer_course.runner import limits
from transformer_course.runner.outcome import Outcome
from transformer_course.runner.run import respond
from transformer_course.runner.wire import Proxy

from ..exercise import Exercise, Mistake, Verdict, an_object, early_verdict, in_order, listed, parameters
from .implement import Implement


@dataclass(frozen=True, kw_only=True)
class Target:
    """What a test is written for, where no exercise asks for the function itself: the right and the mistaken functions."""

    reference: Callable
    draw: Callable[[np.random.Generator], list[list]]
    mistakes: Sequence[Mistake]
    alternatives: Sequence[Callable] = ()

    def __post_init__(self):
        object.__setattr__(self, "mistakes", in_order(self.mistakes))


@dataclass(frozen=True, kw_only=True)
class WriteTest(Exercise):
    """Write a test of a function. It must accept every right function and reject every mistaken one."""

    target: Implement | Target
    caught: Mapping[str, str]  # the mistakes that the test must reject, each with what exposes it
    false_positive_hint: str  # where to look if the test rejects a right function

    kind: ClassVar[str] = "test"
    is_function: ClassVar[bool] = True

    def candidates(self, seed: int) -> list[tuple[Callable, Mistake | None]]:
        """Right and mistaken functions, in an order that depends on the seed."""
        right = [(function, None) for function in (self.target.reference, *self.target.alternatives)]
        wrong = [(mistake.answer, mistake) for mistake in self.target.mistakes if mistake.name in self.caught]
        together = right + wrong
        return [together[i] for i in np.random.default_rng(seed).permutation(len(together))]

    def questions(self, seed):
        return [[Proxy()] for _ in self.candidates(seed)]

    def oracle(self, seed, question, arguments):
        names = parameters(self.target.reference)
        if len(arguments) != len(names) or not all(isinstance(argument, np.ndarray) for argument in arguments):
            given = listed([an_object(type(argument).__name__) for argument in arguments]) or "nothing"
            wanted = f"a NumPy array {names[0]}" if len(names) == 1 else f"{len(names)} NumPy arrays, {listed(names)}"
            return Outcome(error="TypeError", message=f"f takes {wanted}, but got {given}")
        longest = max((0, *(size for argument in arguments for size in argument.shape)))
        if sum(argument.size for argument in arguments) > limits.CALL_NUMBERS or longest > limits.CALL_AXIS:
            shapes = ", ".join(str(argument.shape) for argument in arguments)
            most = f"at most {limits.CALL_NUMBERS:,} numbers in a call, and {limits.CALL_AXIS} along an axis"
            return Outcome(error="ValueError", message=f"a test needs only small inputs: {most}; got shape {shapes}")
        (outcome,) = respond(self.candidates(seed)[question][0], [arguments], "numpy")
        # without our own line that raises, or anything else that would distinguish the functions by more than their results
        return Outcome(outcome.value, outcome.type, outcome.error, outcome.message.partition(" (in `")[0])

    def judge(self, seed, outcomes):
        if early := early_verdict(self, outcomes[-1]):
            return early
        if not any(outcome.calls or outcome.error for outcome in outcomes):
            names = ", ".join(parameters(self.target.reference))
            message = f"Your test never calls `f`. Call it with {names} of your own, as in `f({names})`."
            return Verdict(False, "value", message)
        missed, caught, right, rejected = [], 0, 0, []
        for (_, mistake), outcome in zip(self.candidates(seed), outcomes, strict=True):
            if outcome.error is None and not _is_bool(outcome.value):
                what = an_object(outcome.type)
                return Verdict(False, "type", f"A test should return True or False, but yours returned {what}.")
            accepted = outcome.error is None and bool(outcome.value)
            if mistake is None:
                right += 1
                rejected += [outcome] * (not accepted)
            else:
                caught += not accepted
                missed += [mistake] * accepted
        if rejected:
            return self._false_positive(rejected, right, swapped=len(missed) > caught)
        score = caught / (caught + len(missed))
        if not missed:
            return self.passed()
        message = f"It caught {caught} of {caught + len(missed)} broken functions. It accepted this one: {missed[0].name}."
        hint = (
            f"What exposes it: {self.caught[missed[0].name]} If your test already tries this: is its tolerance too large, "
            "do the differences cancel in a sum, or does the result never reach the `return`?"
        )
        if not caught:
            hint += " At present, it rejects nothing. If it changes an array, is that a copy? `y = x` is the same array."
        return Verdict(False, "mistake", message, hint, missed[0].name, score)

    def _false_positive(self, rejected: list[Outcome], right: int, swapped: bool) -> Verdict:
        """The verdict on a test that rejects some of the right functions; ``swapped``: it also accepts most of the broken
        ones."""
        if error := rejected[0].error:
            return Verdict(False, "error", f"Given a right function, your test raised {error}: {rejected[0].message}")
        if swapped:
            message = "Your test rejects a function that is right, and accepts most of those that are broken."
            hint = "Did you swap True and False somewhere? True should mean that this f is right."
            return Verdict(False, "value", message, hint)
        if len(rejected) == right:
            message = f"Your test rejects all {right} functions that are right: it demands too much, or expects wrong numbers."
        else:
            message = f"Your test rejects {len(rejected)} of {right} functions that are right."
        return Verdict(False, "value", message, self.false_positive_hint)


def _is_bool(value) -> bool:
    """Whether a value is True or False, or 1 or 0 in their place, also as an array of one element."""
    if not isinstance(value, bool | int | np.ndarray):
        return False
    array = np.asarray(value)
    return array.size == 1 and array.dtype.kind in "biu" and bool(np.isin(array, (0, 1)).all())
