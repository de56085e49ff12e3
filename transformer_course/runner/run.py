"""Run an answer: call the learner's function on each question and record what comes back.

This side knows the questions, never references or verdicts. It may run in a different process from the judge.
"""

import builtins
import contextlib
import functools
import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from types import CodeType

import numpy as np

from . import limits
from .forms import run_in_place, run_on_strings, run_on_tensors, run_tokenizer
from .generation import run_generation, run_text
from .modules import run_around_linear, run_class, run_of_linear
from .outcome import Outcome, code_of, described_error, record, sendable, to_data, type_name
from .tensors import imported_torch, tensors
from .training_steps import run_estimate, run_fit, run_loss, run_training_steps
from .wire import Proxy, mapped

BACKENDS = ("numpy", "torch")
OF_CLASSES = (run_class, run_around_linear, run_of_linear, run_tokenizer)
OF_FUNCTIONS = (
    *(run_training_steps, run_estimate, run_fit, run_loss, run_in_place),
    *(run_on_strings, run_on_tensors, run_generation, run_text),
)
RUNNERS = {run.__name__: run for run in (*OF_CLASSES, *OF_FUNCTIONS)}  # by the names under which a kind asks for them


class TimeLimit(Exception):
    """An answer did not return in time."""


Oracle = Callable[[int, list], Outcome]  # (question, arguments of the proxied call) -> what the function gives


def respond(
    answer,
    questions: list[list],
    backend: str,
    oracle: Oracle | None = None,
    call: Callable = lambda function, arguments: function(*arguments),
    watched: bool = True,
) -> list[Outcome] | None:
    """The outcomes of ``answer`` on each question, whose arrays it gets as NumPy arrays or as torch tensors.

    The backend is "numpy" or "torch" for a function of arrays. Those in ``RUNNERS`` run other answers, such as a class.
    ``call`` makes the call (a notebook sets a time limit there); after a ``TimeLimit`` no further question is tried.
    None means that this backend is not available: torch was never imported here. A function of ours need not be ``watched``:
    whether it changes its arguments takes longer to see than to run it.
    """
    if backend == "torch" and tensors() is None:
        return None
    if not callable(answer) or (isinstance(answer, type) and RUNNERS.get(backend) not in OF_CLASSES):
        return [Outcome(error="NotAFunction", message=record(answer).type)]
    function = functools.partial(RUNNERS[backend], answer) if backend in RUNNERS else answer
    outcomes, library, torch = [], _library(answer), tensors()
    with torch.usual() if torch else contextlib.nullcontext():
        for index, question in enumerate(questions):
            proxied = _ProxiedFunction(index, oracle)
            arguments, late = mapped([*question], functools.partial(_present, backend=backend, proxied=proxied)), False
            try:
                with warnings.catch_warnings(), np.errstate(all="ignore"):
                    warnings.simplefilter("ignore")
                    outcome = record(call(function, arguments))
            except KeyboardInterrupt:
                raise  # the learner pressed stop
            except BaseException as error:  # whatever the answer raises is its outcome, SystemExit too
                late = isinstance(error, TimeLimit)
                outcome = Outcome(error=type_name(error), message=described_error(error, answer))
            mutated = _mutated_argument(question, arguments) if watched else None
            outcomes.append(replace(outcome, mutated_argument=mutated, library=library, calls=proxied.calls))
            if late:
                break
    return outcomes


def _library(answer) -> str:
    """Which of the two libraries an answer was written for, judging by the names in its code; empty if unclear."""
    names, codes = set(), [code_of(answer)]
    while codes:
        if isinstance(code := codes.pop(), CodeType):
            names.update(code.co_names)
            codes.extend(code.co_consts)
    return "torch" if names & {"torch", "F"} else "numpy" if names & {"np", "numpy"} else ""


def _present(value, backend: str, proxied: "_ProxiedFunction"):
    """An item of a question as the answer gets it: always a copy; for torch, floats have torch's default dtype, float32."""
    if isinstance(value, Proxy):
        return proxied
    if not isinstance(value, np.ndarray):
        return value
    if backend != "torch":
        return value.copy()
    return imported_torch().from_numpy(value.astype(np.float32) if value.dtype == np.float64 else value.copy())


class _ProxiedFunction:
    """The function under test, as a learner's own test sees it: the judge answers every call."""

    def __init__(self, index: int, oracle: Oracle | None):
        self.index, self.oracle, self.calls = index, oracle, 0

    def __call__(self, *arguments):
        given = sendable(list(arguments))
        if self.calls == limits.CALLS:
            raise RuntimeError(f"a test may call the function at most {limits.CALLS} times")
        self.calls += 1
        outcome = self.oracle(self.index, given)
        if outcome.error is not None:
            kind = getattr(builtins, outcome.error, ValueError)
            raise (kind if isinstance(kind, type) and issubclass(kind, Exception) else ValueError)(outcome.message)
        torch = tensors()
        if torch is not None and any(isinstance(argument, torch.Tensor) for argument in arguments):
            return torch.as_tensor(outcome.value)
        return outcome.value


_ProxiedFunction.__name__ = "function"  # the name that Python uses in a message to the learner


def _mutated_argument(question: list, arguments: list) -> int | None:
    for index, (before, after) in enumerate(zip(question, arguments, strict=True)):
        if isinstance(before, Proxy):
            continue
        try:
            same = _same(before, after)
        except Exception:  # it has become an array of something else
            same = False
        if not same:
            return index
    return None


def _same(before, after) -> bool:
    if isinstance(before, np.ndarray):
        now = to_data(after)
        before = before.astype(now.dtype)
        return now.shape == before.shape and b"\1" not in ((now != before) & ((now == now) | (before == before))).tobytes()
    if isinstance(before, list):
        return len(before) == len(after) and all(map(_same, before, after))
    if isinstance(before, dict):
        return before.keys() == after.keys() and all(_same(before[key], after[key]) for key in before)
    return before == after or (isinstance(before, float) and math.isnan(before))
