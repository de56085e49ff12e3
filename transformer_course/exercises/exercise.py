"""What an exercise is, and the verdict that judging it returns."""

import functools
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import ClassVar

import numpy as np

from transformer_course.runner.outcome import Outcome

TYPES = {  # an object of each, as learners read it
    "NoneType": "None",
    "ellipsis": "`...`",
    "int": "an integer",
    "float": "a number",
    "str": "a string",
    "bytes": "bytes",
    "dict": "a dictionary",
    "ndarray": "an array",
    "Tensor": "a tensor",
    "type": "a class",
    "builtin_function_or_method": "a function",
}
IN_FULL = 9  # numbers of an array that are shown in a sentence
NO_TENSOR, NO_ARRAY = r"'numpy\.\w+' object has no attribute", r"'Tensor' object has no attribute"
TENSOR_CODE = rf"{NO_TENSOR}|must be Tensor|argument '(keepdim|dim|descending|unbiased)'|axes don't match array"
RTOL, ATOL = 1e-4, 1e-5  # wide enough for float32, narrow enough for every mistake in the catalogue


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that learners really give, the misconception behind it, and where to look next."""

    name: str
    diagnosis: str
    hint: str
    answer: object  # a function in NumPy for "implement"; else the wrong answer itself
    variants: Sequence[object] = ()  # other ways to write the same mistake
    recognise: Callable | None = None  # a predicate, if many wrong answers share one cause


class Mistakes(tuple):
    """Mistakes in the order in which they are looked for. In a table, ``**`` puts them among others, by their names."""

    def keys(self):
        return [each.name for each in self]

    def __getitem__(self, place):
        return next(each for each in self if each.name == place) if isinstance(place, str) else super().__getitem__(place)


def in_order(mistakes: "Iterable[Mistake] | Mapping[str, Mistake | tuple]") -> Mistakes:
    """Mistakes, also from a table: by a name, the diagnosis, the hint and the answers, of which the first is the typical one.

    One with a predicate stands in the table as a `Mistake`, whatever name it has itself.
    """
    if isinstance(mistakes, Mapping):
        return Mistakes(_named(name, each) for name, each in mistakes.items())
    return Mistakes(mistakes)


def _named(name: str, each: Mistake | tuple) -> Mistake:
    if isinstance(each, Mistake):
        return each if each.name == name else replace(each, name=name)
    return Mistake(name, *each[:3], each[3:])


@dataclass(frozen=True)
class Verdict:
    """The result of judging an answer: plain data, which can be stored, sent and shown anywhere."""

    passed: bool
    # passed, empty, mistake, property, value, shape, dtype, type, mutated, error, timeout; graded: missing, ended, memory
    reason: str
    message: str
    hint: str = ""
    mistake: str | None = None
    score: float = 0.0  # from 0 to 1: partial credit
    comparison: dict | None = None  # of a small result: "question", "given" and "expected", as text


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """One graded exercise. ``answer_name`` is the variable that holds the learner's answer in the sheet."""

    id: str
    answer_name: str
    prompt: str
    hints: Sequence[str]
    why: str = ""  # one sentence for those who passed: why the right answer is right
    mistakes: Sequence[Mistake] = ()  # may be given as a table; see `in_order`

    kind: ClassVar[str]
    is_function: ClassVar[bool] = False  # whether the answer is called on questions; if not, it is the outcome itself
    backends: ClassVar[Sequence[str]] = ("numpy",)  # the backends in which an answer is tried, or the name of its own runner
    blank: ClassVar[str] = "..."  # the placeholder for the answer in an empty sheet

    def __post_init__(self):
        object.__setattr__(self, "mistakes", in_order(self.mistakes))

    def questions(self, seed: int) -> list[list]:
        """The arguments of each call of the answer: data alone, drawn from the seed."""
        return []

    def oracle(self, seed: int, question: int, arguments: list) -> Outcome:
        """The result of calling the ``Proxy`` in that question."""
        raise NotImplementedError

    def judge(self, seed: int, outcomes: list[Outcome]) -> Verdict:
        """The verdict on the outcomes of all questions (or of the answer itself), in their order."""
        raise NotImplementedError

    def passed(self) -> Verdict:
        return Verdict(True, "passed", "Right.", score=1.0)

    def named(self, mistake: Mistake, score: float = 0.0) -> Verdict:
        return Verdict(False, "mistake", mistake.diagnosis, mistake.hint, mistake.name, score)

    def empty(self) -> Verdict:
        answer = f"There's no answer in `{self.answer_name}` yet."
        return Verdict(False, "empty", f"{answer} Write one in the cell above, run that cell, then run this check.")


class Value(Exercise):
    """An exercise whose answer is not called, but read: ``_read(outcome)`` gives what it says, or a verdict on its form."""

    def judge(self, seed, outcomes):
        (outcome,) = outcomes
        if early := early_verdict(self, outcome):
            return early
        given = self._read(outcome)
        return given if isinstance(given, Verdict) else self._judged(given, seed)


def early_verdict(exercise: Exercise, outcome: Outcome) -> Verdict | None:
    """The verdict on an answer that the learner has not written yet, or that could not be run; else None."""
    # "ellipsis" is the type of `...`, also of a list or mapping that still contains it. Torch raises NotImplementedError too,
    # such as '"softmax_lastdim_kernel_impl" not implemented for 'Long'' and 'Cannot copy out of meta tensor'
    own_raise = outcome.error == "NotImplementedError" and not re.search("not implemented for '|meta tensor", outcome.message)
    if own_raise or outcome.type == "ellipsis":
        return exercise.empty()
    if outcome.error == "NotAFunction":
        message = f"`{exercise.answer_name}` should be a function, but is {an_object(outcome.message)}."
        return Verdict(False, "type", message if outcome.message == "type" else f"{message} Pass its name alone.")
    if outcome.error == "KeyboardInterrupt":  # in a notebook, it stops the check; during grading, nobody presses a key
        return Verdict(False, "error", "Your function raised KeyboardInterrupt, which stops a program. Remove that line.")
    if outcome.error == "TimeLimit":
        hint = "Look at the condition of each loop: does it ever become false?"
        return Verdict(False, "timeout", outcome.message, hint)
    return None


# How an answer is run: (backend, questions, oracle) -> its outcomes, or None if that backend is not available.
Ask = Callable[[str, list[list], Callable], list[Outcome] | None]


def examine(exercise: Exercise, ask: Ask, seed: int) -> Verdict:
    """Run an answer and judge its outcomes. Functions may be written for NumPy arrays or for torch tensors: an answer that
    fails on one is tried on the other, and the more informative verdict is kept."""
    judged = []
    for backend in exercise.backends:
        outcomes = ask(backend, exercise.questions(seed), lambda *call: exercise.oracle(seed, *call))
        if outcomes is None:
            break
        with np.errstate(all="ignore"):  # learners choose the numbers
            verdict = exercise.judge(seed, outcomes)
        if verdict.passed or verdict.reason in ("empty", "timeout"):
            return verdict
        rank = suits, _, works, *_ = _verdict_rank(verdict, backend, outcomes[0].library)
        judged.append((rank, verdict))
        if suits and works and backend == "numpy":
            break  # NumPy's code must be right about arrays: as float64, a tensor's numbers of float32 hide its rounding
    return max(judged, key=lambda pair: pair[0])[1]


def _verdict_rank(verdict: Verdict, backend: str, library: str) -> tuple:
    """How informative a failed verdict is. The backend that the answer was written for comes first, unless tensors raised an
    error (code that names torch may take arrays alone), or arrays one that looks like code for tensors (which may name np).
    Otherwise a named mistake comes first, then a result, then an error that is not due to the wrong kind of argument."""
    error = verdict.message if verdict.reason == "error" or " Besides: " in verdict.message else ""
    suits = backend == library and not (error if backend == "torch" else re.search(TENSOR_CODE, error))
    wrong_kind = {"numpy": (NO_TENSOR, NO_ARRAY)}.get(library, (TENSOR_CODE, "(?!)"))[backend == "torch"]
    return suits, verdict.reason == "mistake", not error, not re.search(wrong_kind, error), backend == library


@functools.cache
def parameters(function: Callable) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)


def as_array(value, kinds: str = "iuf") -> np.ndarray | None:
    """Numbers as one array; None for anything else, such as a ragged list. With "b" among the ``kinds``, True and False are
    allowed as well."""
    if isinstance(value, list | int | float | np.ndarray | np.generic) and not isinstance(value, bool):
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
    """Whether nested lists contain only numbers. With a long string among them, NumPy would make an array of strings."""
    return all(_numbers(v) if isinstance(v, list) else isinstance(v, bool | int | float | np.ndarray) for v in values)


def show(value, digits: int = 4, levels: int = 2) -> str:
    """A value for a sentence: small ones in full, large arrays as their shape, the beginning of anything else."""
    if isinstance(value, np.ndarray):
        if value.size > IN_FULL:
            return f"an array of shape {value.shape}"
        text = np.array2string(rounded(value, digits), separator=", ", floatmode="maxprec")
        return re.sub(r"\.? *(?=[,\]])", "", " ".join(text.split()).replace("[ ", "["))  # no "1. ," but "1,"
    if isinstance(value, list | dict):
        first = list(islice(value, 9)) if levels else []
        if isinstance(value, dict):
            parts = [f"{key:.40}: {show(value[key], digits, levels - 1)}" for key in first]
        else:
            parts = [show(item, digits, levels - 1) for item in first]
        kept = [part for place, part in enumerate(parts) if len(", ".join(parts[: place + 1])) <= 200]
        inside = ", ".join([*kept, *["…"] * (len(value) > len(kept))])
        return f"{{{inside}}}" if isinstance(value, dict) else f"[{inside}]"
    if isinstance(value, float | np.floating):
        return f"{value + 0.0:.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:.{digits}g}"
    return f"{value.item() if isinstance(value, np.generic) else value!r:.80}"


def rounded(array: np.ndarray, digits: int = 4) -> np.ndarray:
    """An array as it is shown: rounded, and as integers if it contains nothing else."""
    if array.dtype.kind in "biu":
        return array
    if array.any() and not np.round(array.astype(float), digits).any():  # but not to nothing
        return np.vectorize(lambda each: float(f"{each:.2g}"))(array)
    array = np.round(array.astype(float), digits) + 0.0  # no "-0."
    return array.astype(int) if array.size and (np.abs(array) < 1e15).all() and not (array % 1).any() else array


def an_object(kind: str) -> str:
    """An object of a Python type, by its name, for a sentence: "an integer", "None"."""
    return TYPES.get(kind) or f"{'an' if kind[:1].lower() in tuple('aeio') else 'a'} {kind}"


def continued(sentence: str) -> str:
    """A sentence for the place after a colon or a comma: its first word begins small, unless it is a name such as `ReLU`."""
    return re.sub(r"^(A|[A-Z][a-z]+)\b(?![-_])", lambda word: word[0].lower(), sentence)


def listed(words: Sequence[str]) -> str:
    """Words as a list in a sentence: "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def close(seen: np.ndarray, expected: np.ndarray, rtol: float = RTOL, atol: float = ATOL) -> bool:
    """Whether two arrays have the same shape and nearly the same numbers, nan being equal to nan.

    This is np.allclose, written out: judging calls it so often that np.allclose would take most of the time.
    """
    if seen.shape != expected.shape:
        return False
    seen, expected = seen.astype(float, copy=False), expected.astype(float, copy=False)
    with np.errstate(all="ignore"):
        near = (np.abs(seen - expected) <= atol + rtol * np.abs(expected)) & np.isfinite(expected)
    return bool((near | (seen == expected) | (np.isnan(seen) & np.isnan(expected))).all())
