"""Write a function: judged by a reference, by properties, and by a catalogue of mistakes."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from transformer_course.runner.run import BACKENDS, Outcome, respond

from ..exercise import ATOL, RTOL, Exercise, Verdict, as_array, close, early_verdict, parameters, show, why_no_array


@dataclass(frozen=True)
class Property:
    """What every right answer obeys, whatever its numbers: ``holds(result, *arguments)``."""

    sentence: str
    holds: Callable


@dataclass(frozen=True, kw_only=True)
class Implement(Exercise):
    """Write a function. Judged on questions drawn from a seed, against a reference in NumPy float64."""

    reference: Callable
    draw: Callable[[np.random.Generator], list[list]]
    properties: Sequence[Property] = ()
    alternatives: Sequence[Callable] = ()  # other right ways to write it, in NumPy

    kind: ClassVar[str] = "implement"
    is_function: ClassVar[bool] = True

    def backends(self):
        return BACKENDS

    def questions(self, seed):
        return self.draw(np.random.default_rng(seed))

    def judge(self, seed, outcomes):
        if early := early_verdict(self, outcomes[-1]):
            return early
        questions = self.questions(seed)
        expected = respond(self.reference, questions, "numpy")
        problems = [self._problem(*pair) for pair in zip(questions, outcomes, expected, strict=True)]
        if not any(problems):
            return self._mutations(questions, outcomes) or self.passed()
        if all(outcome.error for outcome in outcomes):
            return problems[0]
        given = [replace(outcome, value=_whole(outcome.value)) for outcome in outcomes]
        for mistake in self.mistakes:
            for variant in (mistake.answer, *mistake.variants):
                # one question after another: most variants differ on the first already
                gives = (respond(variant, [question], "numpy")[0] for question in questions)
                if all(map(agree, given, gives)):
                    return self.named(mistake)
        return min(filter(None, problems), key=lambda problem: problem.score)  # the first that is wrong altogether, if one is

    def _problem(self, question: list, outcome: Outcome, expected: Outcome) -> Verdict | None:
        """What is wrong with one outcome, if anything."""
        if expected.error or outcome.error:
            if expected.error == outcome.error:
                return None
            return self._wrong_error(question, outcome, expected)
        right = np.asarray(expected.value)
        seen = as_array(outcome.value, "biuf" if right.dtype == bool else "iuf")
        if seen is None or (outcome.type == "tuple" and seen.shape != right.shape):
            return Verdict(False, "type", f"For {self._given(question)}, {why_no_array(outcome)}")
        if seen.shape != right.shape:
            message = f"For {self._given(question)}, the result should have shape {right.shape}, and has {seen.shape}."
            return Verdict(False, "shape", message)
        if right.dtype == bool and seen.dtype != bool:
            return self._not_boolean(question, seen, right)
        if close(seen, right):
            return None
        if seen.dtype.kind in "iu" and (right % 1).any():
            message = (
                f"For {self._given(question)}, your result has dtype {seen.dtype}: whole numbers, where fractions were "
                "expected. Something cut them off, perhaps a result array that was made with an integer dtype."
            )
            return Verdict(False, "dtype", message)
        if not np.isfinite(seen).all():
            return self._element(question, seen, right, ~np.isfinite(seen))
        for invariant in self.properties:
            if not invariant.holds(seen, *question):
                message = f"{invariant.sentence} For {self._given(question)}, you returned {show(seen)}."
                return Verdict(False, "property", message)
        return self._element(question, seen, right, ~np.isclose(seen, right, rtol=RTOL, atol=ATOL))

    def _element(self, question, seen, right, differs) -> Verdict:
        place = tuple(int(i) for i in np.argwhere(differs)[0])
        where = f"element {list(place)}" if place else "the result"
        number = bool if right.dtype == bool else float
        message = f"For {self._given(question)}, {where} should be {show(number(right[place]), 5)}"
        return Verdict(False, "value", f"{message}, and is {show(number(seen[place]), 5)}.")

    def _not_boolean(self, question, seen, right) -> Verdict:
        if np.array_equal(seen, right):
            hint = "Say dtype=bool where the array is made, or compare, as in `array > 0`: a comparison gives True and False."
            message = (
                f"The zeros and ones stand in the right places. But they are numbers (dtype {seen.dtype}), and True and False "
                "were asked for. To torch it matters: whole numbers it refuses as a mask, and floats it adds to the scores, "
                "so that 0 forbids nothing."
            )
            return Verdict(False, "dtype", message, hint, score=0.5)
        message = (
            f"For {self._given(question)}, your result has dtype {seen.dtype}: numbers, where True and False were expected. "
            f"You returned {show(seen)}."
        )
        return Verdict(False, "dtype", message)

    def _wrong_error(self, question, outcome, expected) -> Verdict:
        given, raised = self._given(question, shapes=True), _plain(outcome.message)
        hint = ""
        if "return_types" in outcome.message:
            hint = "In torch, max along a dimension returns a pair, the values and their places: use amax."
        elif "one side is a single number" in raised:
            hint = "Give that number its shape before: np.zeros, for example, makes as many as you say."
        elif "cannot be interpreted as an integer" in outcome.message:
            hint = (
                "A shape is made of whole numbers. `/` gives a fraction even where nothing is left over; `//` a whole number."
            )
        elif "values to unpack" in outcome.message:
            hint = (
                "As many names must stand on the left of `=` as there are values on the right. Print the shape to count them."
            )
        elif f"{self.answer_name}() " in outcome.message and "positional argument" in outcome.message:
            hint = f"It is called as `{self.answer_name}({', '.join(parameters(self.reference))})`."
        elif "(in `raise " in outcome.message and not expected.error:
            hint = "That is your own `raise`. For this question its condition should not hold: print what it looks at."
        elif raised != outcome.message:
            hint = (
                "Print the shapes just before that product. Is a size not what you meant, or must two axes change places? In "
                "NumPy, swapaxes(-2, -1) exchanges the last two; transpose(-2, -1) is torch's word, and leaves a NumPy matrix "
                "as it is."
            )
        if outcome.error and expected.error:
            message = f"For {given}, it should raise {expected.error}, and raised {outcome.error}: {raised}"
        elif outcome.error:
            message = f"For {given}, it raised {outcome.error}: {raised}"
        else:
            because = expected.message.partition(" (in `")[0]  # without our own line that raises
            returned = "a result" if outcome.value is not None else outcome.type.removesuffix("Type")
            message = f"For {given}, it should raise {expected.error}, since {because}. It returned {returned}."
            hint = "" if outcome.value is not None else "An error is raised, by `raise`: neither returned nor printed."
        return Verdict(False, "error", message, hint)

    def _mutations(self, questions, outcomes) -> Verdict | None:
        for question, outcome in zip(questions, outcomes, strict=True):
            if outcome.mutated_argument is not None:
                name = parameters(self.reference)[outcome.mutated_argument]
                message = (
                    f"The values are right, but your function changes its input: after the call, `{name}` "
                    f"no longer holds what the caller put there."
                )
                hint = f"Operators such as `+=` write into the array itself. Make a new one: `{name} = {name} + …`."
                if isinstance(question[outcome.mutated_argument], dict):
                    hint = f'`{name}["…"] = …` writes into the caller\'s mapping. Make a new one: `{{"…": …}}`.'
                return Verdict(False, "mutated", message, hint, score=0.5)
        return None

    def _given(self, question: list, shapes: bool = False) -> str:
        """The question in a sentence; ``shapes`` leaves the numbers out, since an error seldom hangs on them."""

        def described(name, value):
            if isinstance(value, dict):  # many weights: their names are enough
                return f"{name} with {', '.join(value)}"
            return f"{name} of shape {value.shape}" if shapes and isinstance(value, np.ndarray) else f"{name} = {show(value)}"

        return ", ".join(map(described, parameters(self.reference), question))


def _plain(message: str) -> str:
    """NumPy's words for a product of what does not fit, in plainer ones."""
    words = r"matmul: Input operand 1 has a mismatch.*\(size (\d+) is different from (\d+)\)"
    message = re.sub(words, r"in a product @, the left has \2 columns and the right \1 rows; these must be equal", message)
    words = r"matmul: Input operand \d does not have enough dimensions \(has 0.*requires 1\)"
    return re.sub(words, "in a product @, one side is a single number; both must be arrays", message)


def agree(given: Outcome, expected: Outcome) -> bool:
    """Whether two outcomes are the same: both raised, or both gave the same numbers. ``given`` is ``_whole`` already: it may
    be large, and is compared with many."""
    if given.error or expected.error:
        return bool(given.error and expected.error)
    return _alike(given.value, _whole(expected.value))


def _whole(value):
    """The value with an array in place of all nested lists that are one."""
    if (array := as_array(value, "biuf")) is not None:
        return array
    return [_whole(item) for item in value] if isinstance(value, list) else value


def _alike(seen, expected) -> bool:
    """Whether two values are the same array, or lists of such arrays: what a function returns as a pair."""
    if isinstance(seen, list) and isinstance(expected, list):
        return len(seen) == len(expected) and all(map(_alike, seen, expected))
    if not isinstance(seen, np.ndarray) or not isinstance(expected, np.ndarray) or seen.shape != expected.shape:
        return False
    if expected.dtype == bool and np.isin(seen, (0, 1)).all():
        seen = seen.astype(bool)  # a mask of zeros and ones shows the same mistake
    return (seen.dtype == bool) == (expected.dtype == bool) and close(seen, expected)
