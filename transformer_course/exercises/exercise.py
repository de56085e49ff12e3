"""What an exercise is, and what judging one gives."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

import numpy as np

from transformer_course.runner import limits
from transformer_course.runner.run import Outcome

LATE = f"Your function was still running after {limits.ANSWER_SECONDS:g} seconds, and was stopped. Does a loop never end?"
RTOL, ATOL = 1e-4, 1e-5  # wide enough for float32, narrow enough for every mistake in the catalogue


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that learners really give, what it shows, and where to look next."""

    name: str
    diagnosis: str
    hint: str
    answer: object  # a function in NumPy for "implement"; else the wrong answer itself
    variants: Sequence[object] = ()  # other ways to write the same mistake
    recognise: Callable | None = None  # where many wrong answers share one cause: whether this is one of them


@dataclass(frozen=True)
class Verdict:
    """What the judge says. Plain data: it may be stored, sent, and shown anywhere."""

    passed: bool
    reason: str  # passed, empty, mistake, property, value, shape, dtype, type, mutated, error, timeout; graded: missing, ended
    message: str
    hint: str = ""
    mistake: str | None = None
    score: float = 0.0  # from 0 to 1: partial credit


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """One graded exercise. ``answer_name`` is the name that its cell in the sheet gives to the learner's answer."""

    id: str
    answer_name: str
    prompt: str
    hints: Sequence[str]
    minutes: int
    mistakes: Sequence[Mistake] = ()

    kind: ClassVar[str]
    is_function: ClassVar[bool] = False  # whether the answer is called on questions, or is itself the outcome
    blank: ClassVar[str] = "..."  # what stands in the empty sheet where the answer goes

    def backends(self) -> Sequence[str]:
        return ("numpy",)

    def questions(self, seed: int) -> list[list]:
        """What the answer is called with, one list of arguments a call: data alone, drawn from the seed."""
        return []

    def oracle(self, seed: int, question: int, arguments: list) -> Outcome:
        """What a ``Proxy`` in that question gives."""
        raise NotImplementedError

    def judge(self, seed: int, outcomes: list[Outcome]) -> Verdict:
        """The verdict on the outcomes of all questions (or of the answer itself), in their order."""
        raise NotImplementedError

    def passed(self) -> Verdict:
        return Verdict(True, "passed", "Right.", score=1.0)

    def named(self, mistake: Mistake, score: float = 0.0) -> Verdict:
        return Verdict(False, "mistake", mistake.diagnosis, mistake.hint, mistake.name, score)

    def empty(self) -> Verdict:
        return Verdict(
            False,
            "empty",
            f"`{self.answer_name}` is still empty. Write your answer in the cell above, run that cell, then run this check.",
        )


def early_verdict(exercise: Exercise, outcome: Outcome) -> Verdict | None:
    """The verdict on an answer that could not be run at all, or that the learner has not written yet."""
    # "ellipsis" is the type of `...`, also where it still stands inside a list or a mapping
    if outcome.error == "NotImplementedError" or outcome.type == "ellipsis":
        return exercise.empty()
    if outcome.error == "NotAFunction":
        message = f"`{exercise.answer_name}` should be a function, and this is {outcome.message}. Hand over its name alone."
        return Verdict(False, "type", message)
    if outcome.error == "KeyboardInterrupt":  # in a notebook, it stops the check; while grading, no key is pressed
        return Verdict(False, "error", "Your function raised KeyboardInterrupt, which stops a program. Take that line out.")
    if outcome.error == "TimeLimit":
        hint = "Look at what ends each loop: does the condition ever become false?"
        return Verdict(False, "timeout", outcome.message, hint)
    return None


# How an answer is asked: (backend, questions, oracle) -> its outcomes, or None where that backend cannot be had.
Ask = Callable[[str, list[list], Callable], list[Outcome] | None]


def examine(exercise: Exercise, ask: Ask, seed: int) -> Verdict:
    """Put the questions and judge the outcomes. Functions may be written for NumPy arrays or for torch tensors:
    what fails on one is tried on the other, and the verdict that tells the learner most is kept."""
    judged = []
    for backend in exercise.backends():
        outcomes = ask(backend, exercise.questions(seed), lambda *call: exercise.oracle(seed, *call))
        if outcomes is None:
            break
        with np.errstate(all="ignore"):  # learners choose the numbers
            verdict = exercise.judge(seed, outcomes)
        if verdict.passed or verdict.reason in ("empty", "timeout"):
            return verdict
        judged.append((_verdict_rank(verdict, backend, outcomes[0].library), verdict))
    return max(judged, key=lambda pair: pair[0])[1]


def _verdict_rank(verdict: Verdict, backend: str, library: str) -> tuple:
    """How much a failed verdict tells: first comes the backend that the answer was written for. Where its code names neither
    library, a named mistake comes first, then NumPy's verdict, unless its error looks like tensor code."""
    tensor_words = (
        "must be Tensor",
        "'numpy.ndarray' object has no attribute",
        "'keepdim'",
        "'dim'",
        "axes don't match array",
    )
    foreign = backend == "numpy" and any(words in verdict.message for words in tensor_words)
    return backend == library, verdict.reason == "mistake", not foreign, verdict.reason != "error"


def parameters(function: Callable) -> list[str]:
    return list(inspect.signature(function).parameters)


def as_array(value, kinds: str = "iuf") -> np.ndarray | None:
    """Numbers as one array; None for what is no array of numbers, a ragged list among it. With "b" among the ``kinds``, True
    and False are read as well."""
    if isinstance(value, list | int | float | np.ndarray) and not isinstance(value, bool):
        if isinstance(value, list) and not _numbers(value):
            return None
        try:
            array = np.asarray(value)
        except ValueError:
            return None
        if array.dtype.kind in kinds:
            return array
    return None


def _numbers(values: list) -> bool:
    """Whether nested lists hold numbers alone: of a list with one long text, NumPy would make an array of long texts."""
    return all(_numbers(v) if isinstance(v, list) else isinstance(v, bool | int | float | np.ndarray) for v in values)


def show(value, digits: int = 4, levels: int = 2) -> str:
    """A value in a sentence: what is small in full, large arrays by their shape, of all else the beginning."""
    if isinstance(value, np.ndarray):
        if value.size > 9:
            return f"an array of shape {value.shape}"
        rounded = value if value.dtype.kind in "biu" else np.round(value.astype(float), digits) + 0.0  # no "-0."
        return " ".join(np.array2string(rounded, separator=", ", floatmode="maxprec").split()).replace("[ ", "[")
    if isinstance(value, list | dict):
        first = list(islice(value, 9)) if levels else []
        if isinstance(value, dict):
            parts = [f"{key:.40}: {show(value[key], digits, levels - 1)}" for key in first]
        else:
            parts = [show(item, digits, levels - 1) for item in first]
        inside = ", ".join([*parts, *["…"] * (len(value) > len(first))])
        return f"{{{inside:.200}}}" if isinstance(value, dict) else f"[{inside:.200}]"
    return f"{value:.{digits}g}" if isinstance(value, float) else f"{value!r:.80}"


def close(seen: np.ndarray, expected: np.ndarray, rtol: float = RTOL, atol: float = ATOL) -> bool:
    return seen.shape == expected.shape and np.allclose(
        seen.astype(float), expected.astype(float), rtol=rtol, atol=atol, equal_nan=True
    )


def why_no_array(outcome: Outcome) -> str:
    """What to tell about an outcome that is no array of numbers."""
    if outcome.type == "NoneType":
        return "it returned None. Is a `return` missing at its end?"
    if isinstance(outcome.value, list) and outcome.type == "tuple":
        return f"it returned {len(outcome.value)} values as a tuple. Return the one that is asked for."
    if isinstance(outcome.value, list):
        return "it returned a list that is no array of numbers: its rows differ in length, or hold something else."
    if isinstance(outcome.value, np.ndarray):
        return f"its result has dtype {outcome.value.dtype}, where numbers were expected."
    return f"it returned {outcome.type}, where an array was expected (an array, a tensor or nested lists)."
