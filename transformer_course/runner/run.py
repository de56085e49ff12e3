"""Ask an answer: call the learner's function on each question, and write down what came back as data.

This side knows questions, never references or verdicts. It may run in another process than the judge.
"""

import builtins
import math
import sys
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import CodeType

import numpy as np

from . import limits
from .wire import Proxy, WireError, encode

BACKENDS = ("numpy", "torch")


@dataclass(frozen=True)
class Outcome:
    """What one call gave: a value, or an exception's class and message; and whether the call changed its input."""

    value: object = None
    type: str = "NoneType"  # the Python type as it was, also of what is not data
    error: str | None = None  # the exception's class
    message: str = ""
    mutated_argument: int | None = None  # the place of the first argument that was changed
    library: str = ""  # "numpy" or "torch", where the answer's own code names one of them
    calls: int = 0  # how often the answer called the function that stayed with the judge

    def as_data(self) -> dict:
        return dict(vars(self))  # not asdict, which would copy every value


class TimeLimit(Exception):
    """An answer that did not come back in time."""


Oracle = Callable[[int, list], Outcome]  # (question, arguments of the proxied call) -> what the function gives


def respond(
    answer,
    questions: list[list],
    backend: str,
    oracle: Oracle | None = None,
    call: Callable = lambda function, arguments: function(*arguments),
) -> list[Outcome] | None:
    """The outcomes of ``answer`` on each question, its arrays handed over as NumPy arrays or as torch tensors.

    ``call`` makes the call (a notebook puts a time limit there); after a ``TimeLimit`` no further question is asked.
    None means that this backend cannot be had: torch was never imported here.
    """
    if backend == "torch" and "torch" not in sys.modules:
        return None
    if not callable(answer):
        return [Outcome(error="NotAFunction", message=record(answer).type)]
    outcomes, library = [], _library(answer)
    for index, question in enumerate(questions):
        asker = _Asker(index, oracle)
        arguments, late = [_present(value, backend, asker) for value in question], False
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                outcome = record(call(answer, arguments))
        except KeyboardInterrupt:
            raise  # the learner pressed stop
        except BaseException as error:  # whatever the answer raises is its outcome, SystemExit too
            late = isinstance(error, TimeLimit)
            outcome = Outcome(error=_name(error), message=f"{_message(error)}{_where(error, answer)}")
        mutated = _mutated_argument(question, arguments)
        outcomes.append(replace(outcome, mutated_argument=mutated, library=library, calls=asker.calls))
        if late:
            break
    return outcomes


def _library(answer) -> str:
    """Which of the two libraries an answer was written for, as far as the names in its code tell."""
    names, codes = set(), [getattr(answer, "__code__", None)]
    while codes:
        if isinstance(code := codes.pop(), CodeType):
            names.update(code.co_names)
            codes.extend(code.co_consts)
    return "torch" if names & {"torch", "F"} else "numpy" if names & {"np", "numpy"} else ""


def _where(error: BaseException, answer) -> str:
    """The line of the learner's own code that raised, as far as Python knows it."""
    file = getattr(getattr(answer, "__code__", None), "co_filename", None)
    lines = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f" (in `{lines[-1].line[: limits.ERROR_CHARACTERS // 5]}`)" if lines and lines[-1].line else ""


def _message(error: BaseException) -> str:
    try:
        return str(error)[: limits.ERROR_CHARACTERS]
    except Exception:  # its own __str__ fails
        return ""


def _name(value) -> str:
    return type(value).__name__[: limits.ERROR_CHARACTERS // 5]


def record(value) -> Outcome:
    """A value as an outcome; what is not data, or too large to be sent, is known by its type alone.

    Where `...` still stands in it, its type is that of `...`, and None stands in the value in place of each.
    """
    try:
        return Outcome(value=_sendable(value), type=_name(... if _open(value) else value))
    except Exception as error:  # a type of the learner's own may raise anything
        return Outcome(type=str(error)[: limits.ERROR_CHARACTERS] if isinstance(error, _NotData) else _name(value))


def _open(value) -> bool:
    """Whether `...` stands anywhere in a value that ``to_data`` could read."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "O":
        value = value.tolist()
    if isinstance(value, list | tuple | dict):
        # Not any(): a learner's code may have changed it, and would lose all that it answers.
        return True in [_open(item) for item in (value.values() if isinstance(value, dict) else value)]
    return value is ...


class _NotData(TypeError):
    pass


def _sendable(value):
    """A value as data of which a frame can be made, here too where none is sent: so every judge sees the same."""
    data = to_data(value)
    try:
        if isinstance(data, str | list | dict):  # of numbers and arrays, each has its limit
            encode(data)
    except WireError:
        raise _NotData(f"{_name(value)} that is too large to be read") from None
    return data


def to_data(value, depth: int = 0):
    """Tensors and scalars as NumPy arrays and Python numbers, lists and mappings alike inside; else TypeError."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        value = value.detach().cpu()
        value = (value.float() if value.dtype == torch.bfloat16 else value).numpy()
    if isinstance(value, np.generic):
        value = np.asarray(value)
    if isinstance(value, np.ndarray):
        elements = math.prod(max(1, size) for size in value.shape)  # where an axis is 0, the others count all the same
        if elements > limits.ARRAY_ELEMENTS or value.ndim > limits.FRAME_DEPTH:
            raise _NotData(f"array of {elements} elements (at most {limits.ARRAY_ELEMENTS} are read)")
        if value.dtype.kind == "O" and depth < limits.VALUE_DEPTH:
            return to_data(value.tolist(), depth + 1)
        if value.dtype.kind not in "biuf":
            raise _NotData(f"array of {value.dtype}")
        return np.array(value, np.float64 if value.dtype.itemsize > 8 else value.dtype)
    if value is ...:
        return None
    if value is None or isinstance(value, bool | int | float | str):
        beyond = isinstance(value, int) and not -(2**63) <= value < 2**63
        return float(value) if beyond else value
    if isinstance(value, list | tuple) and depth < limits.VALUE_DEPTH and len(value) <= limits.ARRAY_ELEMENTS:
        return [to_data(item, depth + 1) for item in value]
    if isinstance(value, dict) and depth < limits.VALUE_DEPTH and all(isinstance(key, str) for key in value):
        return {key: to_data(item, depth + 1) for key, item in value.items()}
    raise _NotData(_name(value))


def _present(value, backend: str, ask: "_Asker"):
    """A question's value as the answer gets it: always a copy; torch's backend in torch's own default, float32."""
    if isinstance(value, Proxy):
        return ask
    if isinstance(value, list):
        return [_present(item, backend, ask) for item in value]
    if isinstance(value, dict):
        return {key: _present(item, backend, ask) for key, item in value.items()}
    if not isinstance(value, np.ndarray):
        return value
    if backend == "numpy":
        return value.copy()
    import torch

    return torch.from_numpy(value.astype(np.float32) if value.dtype == np.float64 else value.copy())


class _Asker:
    """The function under test, as a learner's own test sees it: every call goes to the judge and comes back."""

    def __init__(self, index: int, oracle: Oracle | None):
        self.index, self.oracle, self.calls = index, oracle, 0

    def __call__(self, *arguments):
        given = _sendable(list(arguments))
        if self.calls == limits.CALLS:
            raise RuntimeError(f"a test may call the function {limits.CALLS} times, no more")
        self.calls += 1
        outcome = self.oracle(self.index, given)
        if outcome.error is not None:
            kind = getattr(builtins, outcome.error, ValueError)
            raise (kind if isinstance(kind, type) and issubclass(kind, Exception) else ValueError)(outcome.message)
        torch = sys.modules.get("torch")
        if torch is not None and any(isinstance(argument, torch.Tensor) for argument in arguments):
            return torch.as_tensor(outcome.value)
        return outcome.value


_Asker.__name__ = "function"  # what Python calls it in a message to the learner


def _mutated_argument(question: list, arguments: list) -> int | None:
    for place, (before, after) in enumerate(zip(question, arguments, strict=True)):
        if isinstance(before, Proxy):
            continue
        try:
            same = _same(before, after)
        except Exception:  # it has become an array of something else
            same = False
        if not same:
            return place
    return None


def _same(before, after) -> bool:
    if isinstance(before, np.ndarray):
        now = to_data(after)
        return now.shape == before.shape and np.array_equal(now, before.astype(now.dtype), equal_nan=now.dtype.kind == "f")
    if isinstance(before, list):
        return len(before) == len(after) and all(map(_same, before, after))
    if isinstance(before, dict):
        return before.keys() == after.keys() and all(_same(before[key], after[key]) for key in before)
    return before == after or (isinstance(before, float) and math.isnan(before))
