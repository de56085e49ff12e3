"""What came of a call, as data: an ``Outcome``, and how any Python value is recorded in one."""

import difflib
import inspect
import math
import traceback
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from types import CodeType, MappingProxyType

import numpy as np

from . import limits
from .tensors import tensors
from .wire import WireError, encode


@dataclass(frozen=True)
class Outcome:
    """The result of one call: a value, or an exception's class and message; and whether the call modified its input."""

    value: object = None
    type: str = "NoneType"  # the Python type before recording, also of what is not data
    error: str | None = None  # the exception's class
    message: str = ""
    mutated_argument: int | None = None  # the index of the first argument that the call modified
    library: str = ""  # "numpy" or "torch", if the answer's own code names one of them
    calls: int = 0  # how often the answer called the function that stays with the judge

    def as_data(self) -> dict:
        return dict(vars(self))  # not asdict, which would copy every value


class _NotData(TypeError):
    pass


def record(value) -> Outcome:
    """Record a value; keep only the type of what is not data, or is too large to be sent.

    If `...` is anywhere in the value, the type is that of `...`, and the recorded value has None in its place.
    """
    try:
        return Outcome(value=sendable(value), type=type_name(... if _has_ellipsis(value) else value))
    except Exception as error:  # a type of the learner's own may raise anything
        return Outcome(type=str(error)[: limits.ERROR_CHARACTERS] if isinstance(error, _NotData) else type_name(value))


def type_name(value) -> str:
    return type(value).__name__[: limits.ERROR_CHARACTERS // 5]


def code_of(answer) -> CodeType | None:
    """The code of a learner's function, or of a method of a learner's class, such as ``forward``; None if there is none."""
    try:
        answer = inspect.unwrap(answer)  # without a decorator, such as torch.no_grad
        methods = getattr(answer, "forward", None), *vars(answer).values()
        code = getattr(answer, "__code__", None) or next(each.__code__ for each in methods if hasattr(each, "__code__"))
        return code if isinstance(code, CodeType) else None
    except Exception:  # an answer may decide itself what its attributes are
        return None


def described_error(error: BaseException, answer) -> str:
    """An error's message, and the line of the learner's own code that raised it, if Python knows it."""
    try:
        message = f"{error}{_suggestion(error)}"[: limits.ERROR_CHARACTERS]
    except Exception:  # its own __str__ fails
        message = ""
    file = getattr(code_of(answer), "co_filename", None)
    lines = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f"{message} (in `{lines[-1].line[: limits.ERROR_CHARACTERS // 5]}`)" if lines and lines[-1].line else message


def _suggestion(error: BaseException) -> str:
    """The name that was probably meant, as Python says it in a traceback: `scores.sotfmax` gives `softmax`."""
    try:
        close = difflib.get_close_matches(error.name, dir(error.obj), n=1, cutoff=0.75)
    except Exception:  # another kind of error, or an object that decides itself what its attributes are
        return ""
    return f". Did you mean `{close[0]}`?" if close else ""


def _has_ellipsis(value) -> bool:
    """Whether `...` is anywhere in a value that ``to_data`` could read."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "O":
        value = value.tolist()
    if isinstance(value, MappingProxyType):
        value = dict(value)
    if isinstance(value, list | tuple | dict):
        # Not any(): learners who redefine it would lose all their answers.
        return True in [_has_ellipsis(item) for item in (value.values() if isinstance(value, dict) else value)]
    return value is ...


def sendable(value):
    """Convert a value to data that fits into a frame; else TypeError.

    The size is checked even where nothing is sent, so that every judge sees the same.
    """
    data = to_data(value)
    try:
        if isinstance(data, str | list | dict):  # single numbers and arrays have limits of their own
            encode(data)
    except WireError:
        raise _NotData(f"{type_name(value)} that is too large to be read") from None
    return data


def to_data(value, depth: int = 0):
    """Convert tensors and scalars to NumPy arrays and Python numbers, also inside lists and mappings; else TypeError."""
    torch = tensors()
    if torch is not None and isinstance(value, torch.Tensor):
        value = torch.array(value)
    if isinstance(value, str):
        return str(value)  # np.str_ is a str as well as a NumPy scalar
    if isinstance(value, np.generic):
        value = np.asarray(value)
    if isinstance(value, np.ndarray):
        elements = math.prod(max(1, size) for size in value.shape)  # an axis of length 0 does not excuse the others
        if elements > limits.ARRAY_ELEMENTS or value.ndim > limits.FRAME_DEPTH:
            raise _NotData(f"array of {elements} elements (at most {limits.ARRAY_ELEMENTS} are read)")
        if value.dtype.kind in "OU" and depth < limits.VALUE_DEPTH:
            return to_data(value.tolist(), depth + 1)
        if value.dtype.kind not in "biuf":
            raise _NotData(f"array of {value.dtype}")
        return np.array(value, np.float64 if value.dtype.itemsize > 8 else value.dtype)
    if value is ...:
        return None
    if isinstance(value, Fraction | Decimal):
        return float(value)
    if isinstance(value, MappingProxyType):
        value = dict(value)
    if value is None or isinstance(value, bool | int | float):
        beyond = isinstance(value, int) and not -(2**63) <= value < 2**63
        return float(value) if beyond else value
    if isinstance(value, list | tuple) and depth < limits.VALUE_DEPTH and len(value) <= limits.ARRAY_ELEMENTS:
        return [to_data(item, depth + 1) for item in value]
    if isinstance(value, dict) and depth < limits.VALUE_DEPTH and all(isinstance(key, str) for key in value):
        return {key: to_data(item, depth + 1) for key, item in value.items()}
    raise _NotData(type_name(value))
