"""Write a function: judged by a reference, by properties, and by a catalogue of mistakes."""

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from transformer_course.runner.outcome import Outcome
from transformer_course.runner.run import BACKENDS, respond

from ..exercise import (
    ATOL,
    IN_FULL,
    RTOL,
    Exercise,
    Mistake,
    Verdict,
    an_object,
    as_array,
    close,
    continued,
    early_verdict,
    parameters,
    show,
)
from .error_hints import OWN_RAISE, ErrorHint, explained
from .results import agree, arrays, compared, finite, why_no_array, with_scalar

ONE_GONE = "An axis of length 1 is missing. If you had it, `squeeze` or an index such as `[0]` has removed it."
SINGLE = 1e-2  # what float32 may change, with a wide margin: torch's own kernels subtract a mean after the division
NEARLY_RIGHT = "Everything here is nearly right. Is something rounded, or in float16, or is a small number such as ε wrong?"


@dataclass(frozen=True)
class Property:
    """Something that every right result has, whatever its numbers: ``holds(result, *arguments)``."""

    sentence: str
    holds: Callable


@dataclass(frozen=True, kw_only=True)
class Implement(Exercise):
    """Write a function. Judged on questions drawn from a seed, against a reference in NumPy float64."""

    reference: Callable
    draw: Callable[[np.random.Generator], list[list]]
    properties: Sequence[Property] = ()
    alternatives: Sequence[Callable] = ()  # other right ways to write it, in NumPy
    error_hints: Sequence[ErrorHint] = ()  # for errors that mean something special here
    rounded: Mistake | None = None  # of answers that are wrong only for the questions whose arrays are float32 or float16
    sensitive: Callable[..., bool] | None = None  # whether rounding decides what a wrong answer gives for these arguments
    differentiable: bool = False  # whether the result must be a tensor, because training needs its gradient

    kind: ClassVar[str] = "implement"
    backends = BACKENDS
    is_function: ClassVar[bool] = True

    def questions(self, seed):
        return drawn(self.draw, seed)

    def judge(self, seed, outcomes):
        if early := early_verdict(self, outcomes[-1]):
            return early
        questions = self.questions(seed)
        expected = [self._expected(self.reference, seed, index) for index in range(len(questions))]
        outcomes = [self._read(*each) for each in zip(outcomes, expected, strict=True)]
        problems = [self._problem(*each) for each in zip(questions, outcomes, expected, strict=True)]
        if not any(problems):
            return (
                self._mutation(questions, outcomes) or (self.differentiable and no_tensor(outcomes[0].type)) or self.passed()
            )
        if all(outcome.error for outcome in outcomes):
            return problems[0]
        wrong = [each for each in zip(questions, outcomes, expected, problems, strict=True) if each[-1]]
        if self.rounded and all(map(_is_single, (question for question, *_ in wrong))):
            return replace(self.named(self.rounded), comparison=self._comparison(wrong))
        given = [
            (index, replace(outcome, value=arrays(outcome.value)))
            for index, outcome in enumerate(outcomes)
            if not self._is_rounded(questions[index])  # which differs from one way to write a wrong answer to the next
        ]
        if any(problems[index] for index, _ in given) and (found := next(self._found(given, seed), None)):
            shown = [each for each in wrong if each[1].error or finite(each[1])] or wrong  # inf, nan if nothing else shows it
            return replace(self.named(found[0]), comparison=self._comparison(shown))
        if found := self._named_beside_an_error(seed, given, problems) or self._ignored(seed, given, problems):
            return found
        first = min(filter(None, problems), key=lambda problem: problem.score)  # the first without partial credit, if any
        return replace(first, comparison=self._comparison(each for each in wrong if each[-1].reason == first.reason))

    def _read(self, outcome: Outcome, expected: Outcome) -> Outcome:
        """An outcome in the form in which it is judged."""
        return with_scalar(outcome, expected)

    def _found(self, given: Sequence[tuple[int, Outcome]], seed: int) -> Iterator[tuple[Mistake, Callable]]:
        """The mistakes that give the same on all of these questions, each with the spelling that does."""
        for mistake in self.mistakes:
            for spelling in (mistake.answer, *mistake.variants):
                if all(agree(outcome, self._expected(spelling, seed, index)) for index, outcome in given):
                    yield mistake, spelling

    def _named_beside_an_error(self, seed: int, given: list, problems: list[Verdict | None]) -> Verdict | None:
        """The verdict on an answer that raises an error on some questions, if one mistake alone explains all the others.

        If there is only one other, its shapes may fit by chance, and the error says more."""
        ran = [(index, outcome) for index, outcome in given if not outcome.error]
        errors = [problems[index] for index, outcome in given if outcome.error and problems[index]]
        if not errors or not any(problems[index] for index, _ in ran):
            return None
        found = {mistake.name: mistake for mistake, _ in self._found(ran, seed)}
        if len(found) != 1 or len(ran) == 1:
            return errors[0] if len(ran) == 1 else None
        (one,) = map(self.named, found.values())
        return replace(one, message=f"Where your code runs: {continued(one.message)} Besides: {continued(errors[0].message)}")

    def _ignored(self, seed: int, given: list, problems: list[Verdict | None]) -> Verdict | None:
        """The verdict on an answer that is right except for one argument, in whose place it always takes the same value."""
        for place, (name, *values) in enumerate(zip(parameters(self.reference), *self.questions(seed), strict=False)):
            for value in sorted({value for value in values if isinstance(value, int | float | str)}, key=str):

                def fixed(*question, place=place, value=value):
                    return self.reference(*question[:place], value, *question[place + 1 :])

                same = (agree(outcome, self._expected(fixed, seed, index)) for index, outcome in given)
                if all(same) and any(problems[index] and not outcome.error for index, outcome in given):
                    message = f"Your function works as if `{name}` were always {show(value)}."
                    return Verdict(False, "value", message, f"Use the argument `{name}` in place of a value of your own.")
        return None

    def _is_rounded(self, question: list) -> bool:
        return _is_single(question) or (self.sensitive is not None and self.sensitive(*question))

    def _comparison(self, wrong: Iterable[tuple]) -> dict | None:
        """The first of these questions whose outcome is small enough to be shown beside the expected one."""
        return next(filter(None, (compared(self._described(question), *both) for question, *both, _ in wrong)), None)

    def _expected(self, function: Callable, seed: int, index: int) -> Outcome:
        """What a function of ours gives on one question."""
        return _outcome(function, self.draw, self.backends[0], seed, index)

    def _problem(self, question: list, outcome: Outcome, expected: Outcome) -> Verdict | None:
        """What is wrong with one outcome, if anything."""
        if expected.error or outcome.error:
            return None if expected.error == outcome.error else self._wrong_error(question, outcome, expected)
        right, asked = np.asarray(expected.value), f"For {self._described(question)}"
        seen = as_array(outcome.value, "biuf" if right.dtype == bool else "iuf")
        if seen is None or (outcome.type == "tuple" and seen.shape != right.shape):
            return Verdict(False, "type", f"{asked}, {why_no_array(outcome)}")
        if seen.shape != right.shape:
            wanted = f"should have shape {right.shape}, but has" if right.shape else "should be one number, but has shape"
            hint = ONE_GONE if seen.shape == tuple(size for size in right.shape if size > 1) else ""
            return Verdict(False, "shape", f"{asked}, the result {wanted} {seen.shape}.", hint)
        if right.dtype == bool and seen.dtype != bool:
            return self._not_boolean(asked, seen, right)
        if close(seen, right) or (_is_single(question) and close(seen, right, SINGLE, SINGLE)):
            return None
        if seen.dtype.kind in "iu" and (right % 1).any():
            message = (
                f"{asked}, your result has dtype {seen.dtype}: it contains integers where fractions were expected. Something "
                "truncated them, perhaps a result array that was created with an integer dtype."
            )
            return Verdict(False, "dtype", message)
        if not np.isfinite(seen).all():
            return self._wrong_element(asked, seen, right, ~np.isfinite(seen))
        for required in self.properties:
            if not required.holds(seen, *question):
                returned = f"you returned {show(seen)}" if seen.size <= IN_FULL else "that is not the case"
                return Verdict(False, "property", f"{required.sentence} {asked}, {returned}.")
        return self._wrong_element(asked, seen, right, ~np.isclose(seen, right, rtol=RTOL, atol=ATOL))

    def _wrong_element(self, asked: str, seen, right, differs) -> Verdict:
        place = tuple(int(i) for i in np.argwhere(differs)[0])
        where, number = f"element {list(place)}" if place else "the result", bool if right.dtype == bool else float
        values = f"should be {show(number(right[place]), 5)}, but is {show(number(seen[place]), 5)}"
        nearly = right.dtype != bool and np.abs(seen - right).max() <= 2e-3 * np.abs(right).max()
        return Verdict(False, "value", f"{asked}, {where} {values}.", NEARLY_RIGHT if nearly else "")

    def _not_boolean(self, asked: str, seen, right) -> Verdict:
        if not np.array_equal(seen, right):
            message = f"{asked}, your result has dtype {seen.dtype}: it contains numbers where True and False were expected."
            return Verdict(False, "dtype", f"{message} You returned {show(seen)}.")
        message = (
            f"The zeros and ones are in the right places. But they are numbers (dtype {seen.dtype}), and True and False were "
            "expected. To torch this matters: it rejects integers as a mask, and adds floats to the scores, so that 0 forbids "
            "nothing."
        )
        hint = "Pass dtype=bool when you create the array, or compare, as in `array > 0`: comparisons give True and False."
        return Verdict(False, "dtype", message, hint, score=0.5)

    def _raised(self, outcome: Outcome) -> Verdict:
        plain, hint = explained(outcome.message, self.error_hints)
        return Verdict(False, "error", f"`{self.answer_name}` raised {outcome.error}: {plain}", hint)

    def _wrong_error(self, question, outcome, expected) -> Verdict:
        asked = f"For {self._described(question, shapes=True)}"
        if not outcome.error:
            reason = expected.message.partition(" (in `")[0]  # without our own line that raises
            no_result = outcome.value is None or isinstance(outcome.value, str)
            returned = an_object(outcome.type) if no_result else "a result"
            message = f"{asked}, it should raise {expected.error}, since {reason}. It returned {returned}."
            hint = "Raise the error, with `raise`; don't return or print it." if no_result else ""
            return Verdict(False, "error", message, hint)
        plain, hint = explained(outcome.message, self.error_hints)
        if f"{self.answer_name}() " in outcome.message and "positional argument" in outcome.message:
            hint = f"It is called as `{self.answer_name}({', '.join(parameters(self.reference)[: len(question)])})`."
        elif not hint and "(in `raise " in outcome.message and not expected.error:
            hint = OWN_RAISE
        should = f"it should raise {expected.error}, but raised" if expected.error else "it raised"
        what = f"{outcome.error}: {plain}" if plain.partition(" (in `")[0] else f"{outcome.error}{plain}"
        return Verdict(False, "error", f"{asked}, {should} {what}", hint)

    def _mutation(self, questions, outcomes) -> Verdict | None:
        for question, outcome in zip(questions, outcomes, strict=True):
            if outcome.mutated_argument is None:
                continue
            name = parameters(self.reference)[outcome.mutated_argument]
            hint = (
                f"Operators such as `+=`, and assignments such as `{name}[0] = …`, write into the array itself. Copy it "
                f"first: `{name} = {name}.copy()`, or `{name}.clone()` in torch."
            )
            if isinstance(question[outcome.mutated_argument], dict):
                hint = f'`{name}["…"] = …` writes into the caller\'s mapping. Make a new one: `{{"…": …}}`.'
            if isinstance(changed := question[outcome.mutated_argument], list):
                copy = "copy.deepcopy" if any(isinstance(each, list) for each in changed) else "list"
                hint = f"`append`, `+=` and `{name}[0] = …` change the caller's list. Copy it first: `{copy}({name})`."
            message = f"Your values are right, but your function modifies its input: after the call, `{name}` has changed."
            return Verdict(False, "mutated", message, hint, score=0.5)
        return None

    def _described(self, question: list, shapes: bool = False) -> str:
        """The question for a sentence; ``shapes`` leaves the numbers out, since errors seldom depend on them."""

        def described(name, value):
            if isinstance(value, dict):  # many weights: their names are enough
                keys = ", ".join(f'"{key}": …' for key in value)
                return f"{name} = {{{keys}}}"
            large = isinstance(value, np.ndarray) and (shapes or value.size > IN_FULL)
            return f"{name} of shape {value.shape}" if large else f"{name} = {show(value)}"

        return ", ".join(map(described, parameters(self.reference), question))


def no_tensor(kind: str) -> Verdict | None:
    """The verdict on right values of this type, if torch cannot compute their gradient."""
    if kind in ("Tensor", "Parameter"):
        return None
    message = f"Your values are right, but you return {an_object(kind)}, and torch cannot compute its gradient."
    return Verdict(False, "type", message, "Return a tensor: work with torch throughout, without `.item()`.", score=0.5)


def _is_single(question: list) -> bool:
    return any(isinstance(value, np.ndarray) and value.dtype in (np.float32, np.float16) for value in question)


@functools.lru_cache(maxsize=64)
def drawn(draw: Callable, seed: int) -> list[list]:
    """The questions of a seed: drawn once, not for each answer."""
    return draw(np.random.default_rng(seed))


@functools.lru_cache(maxsize=4096)
def _outcome(function: Callable, draw: Callable, backend: str, seed: int, index: int) -> Outcome:
    """What a function of ours gives on one question: worked out once, not for each answer that is compared with it.

    One question at a time, because most mistakes differ from an answer on the first.
    """
    return respond(function, [drawn(draw, seed)[index]], backend, watched=False)[0]
