"""The learner's process: it runs the cells of a notebook, then answers questions with what the cells defined.

Learners' code can change anything in this process, so anything that the process sends may be a lie. It therefore sends
nothing but data, and the judge outside decides what they are worth.
"""

import errno
import socket

from transformer_course.runner import limits
from transformer_course.runner.link import Link
from transformer_course.runner.run import Outcome, record, respond
from transformer_course.runner.wire import WireError

from . import shell


def serve(link: Link) -> None:
    """Run the cells, then answer one request after another until the other end closes the link."""
    run_cells(link, link.receive()["cells"])
    while True:
        ask = link.receive()
        if ask["name"] not in shell.names():
            link.send({"missing": True})
            continue
        outcomes = answer(link, shell.names()[ask["name"]], ask)
        answers = outcomes and [outcome.as_data() for outcome in outcomes]
        try:
            link.send({"answers": answers})
        except WireError:  # each of them fits into a frame, but not all of them together: send only their types
            link.send({"answers": [{**data, "value": None} for data in answers]})


def run_cells(link: Link, cells: list) -> None:
    """Run numbered cells in order, and report after each what went wrong, so that the judge knows which one is running."""
    for number, source in cells:
        error, remarks = shell.run(source)
        described = None if error is None else _describe(error)
        link.send({"ended": number, "error": described, "remarks": remarks})
    link.send({"ready": True})


def answer(link: Link, value, ask: dict) -> list[Outcome] | None:
    """Return the outcomes for all questions of a request, or the value itself as the only outcome if it has none."""
    if ask["questions"] is None:
        return [record(value)]

    def oracle(question: int, arguments: list) -> Outcome:
        try:
            link.send({"call": [question, arguments]})
        except WireError as error:
            return Outcome(error="TypeError", message=str(error))
        return Outcome(**link.receive())

    try:
        return respond(value, ask["questions"], ask["backend"], oracle)
    except KeyboardInterrupt:  # nobody can press stop here, so the answer itself raised it
        return [Outcome(error="KeyboardInterrupt")] * len(ask["questions"])


def _describe(error: BaseException) -> list[str]:
    """Return the name of an error's class and its message."""
    name = type(error).__name__[: limits.REMARK_CHARACTERS]
    try:
        if isinstance(error, SyntaxError):  # its own text names a file that learners do not know
            return [name, f"{error.msg} (line {error.lineno} of the cell)"[: limits.REMARK_CHARACTERS]]
        return [name, f"{error}{_explanation(error)}"[: limits.REMARK_CHARACTERS]]
    except Exception:  # the error's own __str__ fails
        return [name, ""]


def _explanation(error: BaseException) -> str:
    """Return what a learner should know about an error that comes from the sandbox alone."""
    if isinstance(error, OSError):
        if isinstance(error, socket.gaierror) or isinstance(getattr(error, "reason", None), OSError):
            return " (there is no network during grading)"
        if error.errno in (errno.EPERM, errno.EACCES, errno.EROFS):
            return " (during grading, code cannot start programs or processes, and can write only to a temporary folder)"
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        return f" (during grading, code can have at most {limits.THREADS} threads)"
    return ""
