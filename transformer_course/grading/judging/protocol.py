"""The protocol between the judge and a learner's process, and what happens to a process that breaks it.

The judge sends the cells of a notebook. The process reports the end of each cell, then that it is ready. From then on the
judge sends requests. The process replies to each with answers, or says that the name does not exist. Before it replies, it
may call a function that stays with the judge.

Everything that arrives is checked before it is used: a message must have exactly the agreed keys, and values the agreed types.
"""

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields

from transformer_course.runner import limits
from transformer_course.runner.run import Outcome
from transformer_course.runner.wire import Proxy, WireError

from ..sandbox.supervisor import Ended, Process
from .time_limits import Budget, TooLong

SIGNALS = {
    signal.SIGSEGV: "a crash in compiled code (segmentation fault)",
    signal.SIGABRT: "a crash in compiled code (abort)",
    signal.SIGBUS: "a crash in compiled code (bus error), or a full disk",
    signal.SIGILL: "a crash in compiled code (illegal instruction)",
    signal.SIGFPE: "a crash in compiled code (arithmetic error)",
    signal.SIGSYS: "a system call that is not allowed",
    signal.SIGXCPU: "too much computing time",
    signal.SIGKILL: "too much computing time or memory, or a closed connection to the grader",
}
MEMORY = f"more than {limits.MEMORY_BYTES // limits.MIB} MiB of memory"
# How errors begin that the limit on memory has caused: Python's and NumPy's, torch's, and the system's.
NO_MEMORY = re.compile("MemoryError|can't allocate memory|not enough memory|Cannot allocate memory|bad_alloc")
FIELDS = {field.name: field.type for field in fields(Outcome)}


class ProcessLost(Exception):
    """The learner's process cannot answer any more. The message says why, as the end of a sentence."""

    def __init__(self, why: str, reason: str = "ended"):
        super().__init__(why)
        self.reason = reason  # a verdict's: ended, timeout or memory


@contextmanager
def process_errors(process: Process, budget: Budget, seconds: float) -> Iterator[None]:
    """Turn whatever goes wrong on the other side into ProcessLost, which says why."""
    try:
        yield
    except TooLong as late:
        if over := budget.used_up(process):
            raise ProcessLost(over) from None
        computed = f"it was still running after {seconds:g} seconds of processor time"
        waited = f"it had waited for {limits.CLOCK_FACTOR * seconds:g} seconds without computing"
        raise ProcessLost(waited if late.waited else computed, "timeout") from None
    except Ended as end:
        if end.memory:
            raise ProcessLost(f"it needed {MEMORY}", "memory") from None
        raise ProcessLost(describe_exit(end.code)) from None
    except (WireError, MemoryError):  # a message that takes all our memory to read is not an answer
        # A cell that sends reports of others is not the one that seems to be running.
        raise ProcessLost("the grader received a message it could not read, sent by this code or by a cell above") from None


def require(condition: bool) -> None:
    """Raise WireError, which ends the conversation, unless the condition holds."""
    if not condition:
        raise WireError("the message breaks the protocol")


def mapping(message) -> dict:
    require(isinstance(message, dict))
    return message


def is_message(message, name: str, value) -> bool:
    """Return whether the message is ``{name: value}``. Types are compared first: arrays have no single truth value."""
    return mapping(message).keys() == {name} and type(message[name]) is type(value) and message[name] == value


def read_end(message, number: int) -> tuple[tuple[str, str] | None, list[str]]:
    """Read the report that cell ``number`` has ended: the class and message of the error that it raised, and remarks."""
    require(mapping(message).keys() == {"ended", "error", "remarks"})
    require(type(message["ended"]) is int and message["ended"] == number)
    error, remarks = message["error"], message["remarks"]
    require(isinstance(remarks, list) and all(isinstance(remark, str) for remark in remarks))
    if error is None:
        return None, remarks
    require(isinstance(error, list) and len(error) == 2 and all(isinstance(part, str) for part in error))
    return (error[0][:60], error[1][:300]), remarks


def read_call(message, questions: list[list], calls: list[int]) -> tuple[int, list]:
    """Read a call of the function that stays with the judge: the index of its question, and the arguments.

    ``calls`` counts the calls so far for each question.
    """
    require(isinstance(message, list) and len(message) == 2)
    index, arguments = message
    require(type(index) is int and 0 <= index < len(calls) and isinstance(arguments, list))
    require(any(isinstance(value, Proxy) for value in questions[index]))
    require(calls[index] < limits.CALLS)
    return index, arguments


def read_answers(message: dict, backend: str, questions: list[list] | None) -> list[Outcome] | None:
    """Read the outcomes for all questions, or the only outcome if ``questions`` is None.

    Returns None if there are no answers with torch, because the process has never imported it.
    """
    require(message.keys() == {"answers"})
    answers = message["answers"]
    if answers is None:
        require(backend == "torch")
        return None
    expected = 1 if questions is None else len(questions)
    require(isinstance(answers, list) and 1 <= len(answers) <= expected)
    outcomes = [read_outcome(answer) for answer in answers]
    require(len(outcomes) == expected or outcomes[-1].error == "NotAFunction")
    for outcome, question in zip(outcomes, questions or [], strict=False):
        require(outcome.mutated_argument is None or outcome.mutated_argument < len(question))
    return outcomes


def read_outcome(message) -> Outcome:
    """Read an outcome. Every field must have the right type."""
    require(mapping(message).keys() == FIELDS.keys())
    for name, kind in FIELDS.items():
        require(name == "value" or (isinstance(message[name], kind) and type(message[name]) is not bool))
    require(message["mutated_argument"] is None or message["mutated_argument"] >= 0)
    require(all(len(message[name] or "") <= limits.TEXT_CHARACTERS for name in ("message", "type", "error")))
    return Outcome(**message)


def describe_exit(code: int) -> str:
    """Say how a process ended, from its exit status, or a negative number for the signal that killed it."""
    if code < 0:
        return SIGNALS.get(-code, f"signal {-code}")
    return f"it ended its own process (exit status {code})"
