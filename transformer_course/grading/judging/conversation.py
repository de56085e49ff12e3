"""What is agreed between the judge and a learner's process, and what becomes of one that does not keep to it.

Nothing that is said is believed before it is looked at: each frame has its names and no others, and each value its type.
"""

import signal

from transformer_course.runner import limits
from transformer_course.runner.run import Outcome
from transformer_course.runner.wire import WireError

SIGNALS = {
    signal.SIGSEGV: "a crash in compiled code (segmentation fault)",
    signal.SIGABRT: "a crash in compiled code (abort)",
    signal.SIGBUS: "a crash in compiled code (bus error), or a full disk",
    signal.SIGILL: "a crash in compiled code (illegal instruction)",
    signal.SIGFPE: "a crash in compiled code (arithmetic)",
    signal.SIGSYS: "a call of the system that is not allowed",
    signal.SIGXCPU: "too much work",
    signal.SIGKILL: "too much work or memory, or a closed connection to the grader",
}


class Lost(Exception):
    """The learner's process cannot be asked any more; the message says why, in the middle of a sentence."""


def mapping(said) -> dict:
    agreed(isinstance(said, dict))
    return said


def says(said, name: str, value) -> bool:
    """Whether this and nothing else was said. Types come first: an array is compared place by place, and says nothing."""
    return mapping(said).keys() == {name} and type(said[name]) is type(value) and said[name] == value


FIELDS = {
    "value": object,
    "type": str,
    "error": str | None,
    "message": str,
    "mutated_argument": int | None,
    "library": str,
    "calls": int,
}


def read_outcome(said) -> Outcome:
    """An outcome in which every field is of its kind."""
    agreed(mapping(said).keys() == FIELDS.keys())
    for name, kind in FIELDS.items():
        agreed(name == "value" or (isinstance(said[name], kind) and type(said[name]) is not bool))
    agreed(said["mutated_argument"] is None or said["mutated_argument"] >= 0)
    agreed(all(len(said[name] or "") <= limits.TEXT_CHARACTERS for name in ("message", "type", "error")))
    return Outcome(**said)


def read_end(said, number: int) -> tuple[str, list[str]]:
    """What was said when a cell came to its end: the error that it raised, or an empty string, and remarks."""
    agreed(mapping(said).keys() == {"ended", "error", "remarks"} and type(said["ended"]) is int and said["ended"] == number)
    error, remarks = said["error"], said["remarks"]
    agreed(isinstance(remarks, list) and all(isinstance(remark, str) for remark in remarks))
    if error is None:
        return "", remarks
    agreed(isinstance(error, list) and len(error) == 2 and all(isinstance(part, str) for part in error))
    name, message = error[0][:60], error[1][:300]
    return f"{name}: {message}" if message else f"{name}.", remarks


def agreed(holds: bool) -> None:
    if not holds:
        raise WireError("not what was agreed")


def how(code: int) -> str:
    if code < 0:
        return SIGNALS.get(-code, f"signal {-code}")
    return f"the process was ended from within (exit status {code})"
