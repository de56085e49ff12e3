"""The kinds of exercises, each with its way to judge. All of them see data alone: outcomes in, a verdict out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .exercise import ATOL, RTOL, Exercise, Mistake, Verdict, as_array, close, parameters, show, why_no_array
from .run import FLAVOURS, Outcome, respond
from .wire import Proxy


def refused(exercise: Exercise, outcome: Outcome) -> Verdict | None:
    """The verdict on an answer that could not be run at all, or that the learner has not written yet."""
    # "ellipsis" is the type of `...`, also where it still stands inside a list or a mapping
    if outcome.error == "NotImplementedError" or outcome.type == "ellipsis":
        return exercise.empty()
    if outcome.error == "NotAFunction":
        message = f"`{exercise.answer}` should be a function, and this is {outcome.message}. Hand over its name alone."
        return Verdict(False, "type", message)
    if outcome.error == "TimeLimit":
        hint = "Look at what ends each loop: does the condition ever become false?"
        return Verdict(False, "timeout", outcome.message, hint)
    return None


@dataclass(frozen=True)
class Law:
    """What every right answer obeys, whatever its numbers: ``holds(result, *arguments)``."""

    sentence: str
    holds: Callable


@dataclass(frozen=True, kw_only=True)
class Implement(Exercise):
    """Write a function. Judged on questions drawn from a seed, against a reference in NumPy float64."""

    reference: Callable
    draw: Callable[[np.random.Generator], list[list]]
    laws: Sequence[Law] = ()
    styles: Sequence[Callable] = ()  # other right ways to write it, in NumPy

    kind: ClassVar[str] = "implement"
    is_function: ClassVar[bool] = True

    def flavours(self):
        return FLAVOURS

    def questions(self, seed):
        return self.draw(np.random.default_rng(seed))

    def judge(self, seed, outcomes):
        if early := refused(self, outcomes[-1]):
            return early
        questions = self.questions(seed)
        expected = respond(self.reference, questions, "numpy")
        faults = [self._fault(*pair) for pair in zip(questions, outcomes, expected, strict=True)]
        if not any(faults):
            return self._edits(questions, outcomes) or self.passed()
        if all(outcome.error for outcome in outcomes):
            return faults[0]
        for mistake in self.mistakes:
            for spelling in (mistake.answer, *mistake.also):
                if all(map(agree, outcomes, respond(spelling, questions, "numpy"))):
                    return self.named(mistake)
        return next(filter(None, faults))

    def _fault(self, question: list, outcome: Outcome, expected: Outcome) -> Verdict | None:
        """What is wrong with one outcome, if anything."""
        if expected.error or outcome.error:
            if expected.error == outcome.error:
                return None
            return self._wrong_error(question, outcome, expected)
        seen, right = as_array(outcome.value), expected.value
        if seen is None or (outcome.type == "tuple" and seen.shape != right.shape):
            return Verdict(False, "type", f"For {self._given(question)}, {why_no_array(outcome)}")
        if seen.shape != right.shape:
            message = f"For {self._given(question)}, the result should have shape {right.shape}, and has {seen.shape}."
            return Verdict(False, "shape", message)
        if close(seen, right):
            return None
        if seen.dtype.kind in "iu":
            message = (
                f"For {self._given(question)}, your result has dtype {seen.dtype}: whole numbers, where fractions were "
                "expected. Something cut them off, perhaps a result array that was made with an integer dtype."
            )
            return Verdict(False, "dtype", message)
        if not np.isfinite(seen).all():
            return self._element(question, seen, right, ~np.isfinite(seen))
        for law in self.laws:
            if not law.holds(seen, *question):
                message = f"{law.sentence} For {self._given(question)}, you returned {show(seen)}."
                return Verdict(False, "law", message)
        return self._element(question, seen, right, ~np.isclose(seen, right, rtol=RTOL, atol=ATOL))

    def _element(self, question, seen, right, differs) -> Verdict:
        place = tuple(int(i) for i in np.argwhere(differs)[0])
        where = f"element {list(place)}" if place else "the result"
        message = f"For {self._given(question)}, {where} should be {show(float(right[place]), 5)}"
        return Verdict(False, "value", f"{message}, and is {show(float(seen[place]), 5)}.")

    def _wrong_error(self, question, outcome, expected) -> Verdict:
        given = self._given(question)
        if outcome.error and expected.error:
            message = f"For {given}, it should raise {expected.error}, and raised {outcome.error}: {outcome.message}"
        elif outcome.error:
            message = f"For {given}, it raised {outcome.error}: {outcome.message}"
        else:
            message = f"For {given}, it should raise {expected.error}: {expected.message} It returned a result."
        return Verdict(False, "error", message)

    def _edits(self, questions, outcomes) -> Verdict | None:
        for question, outcome in zip(questions, outcomes, strict=True):
            if outcome.edited is not None:
                name = parameters(self.reference)[outcome.edited]
                message = (
                    f"The values are right, but your function changes its input: after the call, `{name}` "
                    f"no longer holds what the caller put there."
                )
                hint = f"Operators such as `+=` write into the array itself. Make a new one: `{name} = {name} + …`."
                return Verdict(False, "edited", message, hint, score=0.5)
        return None

    def _given(self, question: list) -> str:
        names = parameters(self.reference)
        return ", ".join(f"{name} = {show(value)}" for name, value in zip(names, question, strict=True))


def agree(left: Outcome, right: Outcome) -> bool:
    """Whether two outcomes are the same: both raised, or both gave the same numbers."""
    if left.error or right.error:
        return bool(left.error and right.error)
    seen, expected = as_array(left.value), as_array(right.value)
    return seen is not None and expected is not None and close(seen, expected)


@dataclass(frozen=True, kw_only=True)
class Number(Exercise):
    """Give one or several numbers, worked out by hand."""

    value: object
    atol: float

    kind: ClassVar[str] = "number"

    def judge(self, seed, outcomes):
        (outcome,) = outcomes
        right = np.asarray(self.value, float)
        if early := refused(self, outcome):
            return early
        seen = as_array(outcome.value)
        if seen is None or seen.shape != right.shape:
            saw = f"has shape {seen.shape}" if seen is not None else _what(outcome)
            return Verdict(False, "shape", f"`{self.answer}` should be {_form(right)}, and {saw}.")
        if close(seen, right, rtol=0, atol=self.atol):
            return self.passed()
        for mistake in self.mistakes:
            if mistake.recognise(seen) if mistake.recognise else close(seen, np.asarray(mistake.answer), 0, self.atol):
                return self.named(mistake)
        wrong = ~np.isclose(seen, right, rtol=0, atol=self.atol)
        score = float(1 - wrong.mean())
        if close(seen, right, rtol=0, atol=20 * self.atol):
            return Verdict(False, "value", "Nearly: you are on the right way, and rounded too early or too much.", score=score)
        if right.ndim == 0:
            return Verdict(False, "value", f"{show(float(seen))} is not it.")
        first = show(float(seen[wrong][0]))
        return Verdict(False, "value", f"{wrong.sum()} of {right.size} numbers are off. The first of these is {first}.", score=score)


def _what(outcome: Outcome) -> str:
    return "holds something that is no number" if isinstance(outcome.value, list) else f"is {outcome.type}"


def _form(right: np.ndarray) -> str:
    if right.ndim == 0:
        return "one number"
    return f"a list of {right.size} numbers" if right.ndim == 1 else f"numbers of shape {right.shape}"


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


@dataclass(frozen=True, kw_only=True)
class WriteTest(Exercise):
    """Write a test of a function: it must accept every right one and refuse every mistaken one."""

    target: Implement
    caught: Mapping[str, str]  # the target's mistakes that the test must refuse, each with an input that shows it

    kind: ClassVar[str] = "test"
    is_function: ClassVar[bool] = True

    def candidates(self, seed: int) -> list[tuple[Callable, Mistake | None]]:
        """Right and mistaken functions in an order that the seed decides."""
        right = [(style, None) for style in (self.target.reference, *self.target.styles)]
        wrong = [(mistake.answer, mistake) for mistake in self.target.mistakes if mistake.name in self.caught]
        together = right + wrong
        return [together[i] for i in np.random.default_rng(seed).permutation(len(together))]

    def questions(self, seed):
        return [[Proxy()] for _ in self.candidates(seed)]

    def oracle(self, seed, question, arguments):
        names = parameters(self.target.reference)
        if len(arguments) != len(names) or not all(isinstance(argument, np.ndarray) for argument in arguments):
            given = ", ".join(type(argument).__name__ for argument in arguments)
            return Outcome(error="TypeError", message=f"f takes {len(names)} NumPy array(s), {', '.join(names)}; given: {given}")
        (outcome,) = respond(self.candidates(seed)[question][0], [arguments], "numpy")
        return outcome

    def judge(self, seed, outcomes):
        if early := refused(self, outcomes[-1]):
            return early
        missed, caught = [], 0
        for (_, mistake), outcome in zip(self.candidates(seed), outcomes, strict=True):
            if outcome.error is None and not _is_bool(outcome.value):
                what = "nothing (None)" if outcome.type == "NoneType" else outcome.type
                return Verdict(False, "type", f"A test answers True or False, and yours returned {what}.")
            accepted = outcome.error is None and bool(outcome.value)
            if mistake is None and not accepted:
                return self._too_strict(outcome)
            if mistake is not None:
                caught += not accepted
                missed += [mistake] * accepted
        score = caught / (caught + len(missed))
        if not missed:
            return self.passed()
        message = f"It caught {caught} of {caught + len(missed)} broken functions. It let this one through: {missed[0].name}."
        return Verdict(False, "mistake", message, self.caught[missed[0].name], missed[0].name, score)

    def _too_strict(self, outcome: Outcome) -> Verdict:
        if outcome.error:
            return Verdict(False, "error", f"On a right function, your test raised {outcome.error}: {outcome.message}")
        hint = (
            "If you compare with numbers rounded to four digits, say so: np.allclose(…, atol=1e-4). If you compare with a "
            "softmax of your own, make sure that it is right itself, for large scores too."
        )
        return Verdict(False, "value", "Your test refuses a function that is right.", hint)


def _is_bool(value) -> bool:
    return isinstance(value, bool) or (isinstance(value, np.ndarray) and value.dtype == bool and value.size == 1)


@dataclass(frozen=True, kw_only=True)
class TwoTier(Exercise):
    """Choose a claim, the reason for it, and give the printed value that supports it."""

    right: Mapping[str, object]  # claim, reason: letters; value: a number
    choices: Mapping[str, Sequence[str]]
    atol: float

    kind: ClassVar[str] = "two-tier"
    blank: ClassVar[str] = '{"claim": ..., "reason": ..., "value": ...}'

    def judge(self, seed, outcomes):
        (outcome,) = outcomes
        if early := refused(self, outcome):
            return early
        given = outcome.value
        if not isinstance(given, dict) or set(given) != set(self.right):
            return Verdict(False, "type", f"`{self.answer}` should keep its form: {self.blank}.")
        for part, letters in self.choices.items():
            if not isinstance(given[part], str) or given[part] not in tuple(letters):
                return Verdict(False, "type", f"`{part}` should be one of {', '.join(letters)}, and is {show(given[part])}.")
        for part in set(self.right) - set(self.choices):
            if as_array(given[part]) is None or as_array(given[part]).shape != ():
                return Verdict(False, "type", f"`{part}` should be one number, without quotation marks.")
        wrong = [part for part in self.right if not self._same(part, given[part])]
        if not wrong:
            return self.passed()
        score = 1 - len(wrong) / len(self.right)
        for mistake in self.mistakes:
            if all(self._same(part, given[part], to=value) for part, value in mistake.answer.items()):
                return self.named(mistake, score)
        verb = "does" if len(wrong) == 1 else "do"
        return Verdict(False, "value", f"The {' and the '.join(wrong)} {verb} not fit yet.", score=score)

    def _same(self, part: str, given, to=None) -> bool:
        expected = self.right[part] if to is None else to
        if part in self.choices:
            return given == expected
        return abs(float(as_array(given)) - expected) <= self.atol
