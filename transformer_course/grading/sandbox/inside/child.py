"""The learner's process: it runs the cells of a notebook, then answers questions with what the cells defined.

Learners' code can change anything in this process, so anything that the process sends may be a lie. It therefore sends
nothing but data, and the judge outside decides what they are worth. What has to be read here is read by a copy of the runner
that learners' code has no name for.
"""

import errno
import linecache
import socket
import sys
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

import torch  # noqa: F401 (the runner takes from it what it uses)

import transformer_course
from transformer_course.runner import limits

from . import shell
from .private import Runner

CHANGED = "the code that grades was changed, by this code or by a cell above; remove that"
PARTS = "build_parts"
RUNNER, OWN = (
    [package, *(f"{package}.{each.name}" for each in iter_modules(import_module(package).__path__))]
    for package in (limits.__package__, __package__)
)

_held = [Runner("transformer_course.runner", ("link", "run"))]


def serve(link) -> None:
    """Run the cells, then answer one request after another until the other end closes the link."""
    runner = _held.pop()
    child = Child(link.end, runner)
    # The cells can reach the names of this module and the attributes of this object, but not the variables here.
    respond, run, intact, own = answer, runner.run, runner.intact, child.link
    write, encode, too_large = own.end.sendall, runner.wire.encode, runner.wire.WireError
    asked = own.receive()
    make_parts(asked.get("parts", ""))
    child.run_cells(asked["cells"])
    while True:
        ask = own.receive()
        if ask["name"] not in shell.names():
            write(encode({"missing": True}))
            continue
        value = shell.names()[ask["name"]]
        read_here = ask["backend"] in run.RUNNERS  # what is asked of such an answer can only be read in this process
        outcomes = respond(runner, own, value, ask) if read_here else child.answer(own, value, ask)
        if read_here and not intact():  # functions are judged by what they return, and looking costs a millisecond
            outcomes = [run.Outcome(error="RuntimeError", message=CHANGED)] * len(ask["questions"])
        answers = outcomes and [outcome.as_data() for outcome in outcomes]
        try:
            write(encode({"answers": answers}))
        except too_large:  # each of them fits into a frame, but not all of them together: send only their types
            write(encode({"answers": [{**data, "value": None} for data in answers]}))


def hide_names() -> None:
    """Take the modules that grade out of the imported ones: what learners' code imports by these names is a copy.

    This is done once, before processes share the memory that it changes.
    """
    for name in RUNNER:
        sys.modules.pop(name, None)
    del transformer_course.runner
    for name in OWN:
        sys.modules[name] = None  # cannot be imported at all


def make_parts(source: str) -> None:
    """Make the module with the course's own parts of the Build's earlier stages, if the sheet has any."""
    if source:
        module = ModuleType(f"{transformer_course.__name__}.{PARTS}")
        module.__file__ = f"{transformer_course.__path__[0]}/{PARTS}.py"
        linecache.cache[module.__file__] = len(source), None, source.splitlines(keepends=True), module.__file__
        sys.modules[module.__name__] = transformer_course.build_parts = module
        exec(compile(source, module.__file__, "exec"), vars(module))


class Child:
    """The learner's side of the conversation with the judge."""

    def __init__(self, end: socket.socket, runner: Runner):
        self.run, self.wire, self.link = runner.run, runner.wire, runner.link.Link(end)

    def run_cells(self, cells: list) -> None:
        """Run numbered cells in order, and report after each what went wrong, so that the judge knows which one is running."""
        for number, source in cells:
            error, remarks = shell.run(source)
            described = None if error is None else _describe(error)
            self.link.send({"ended": number, "error": described, "remarks": remarks})
        self.link.send({"ready": True})

    def answer(self, link, value, ask: dict) -> list | None:
        return answer(self, link, value, ask)


def answer(runner, link, value, ask: dict) -> list | None:
    """Return the outcomes for all questions of a request, or the value itself as the only outcome if it has none."""
    run, too_large = runner.run, runner.wire.WireError
    if ask["questions"] is None:
        return [run.record(value)]

    def oracle(question: int, arguments: list):
        try:
            link.send({"call": [question, arguments]})
        except too_large as error:
            return run.Outcome(error="TypeError", message=str(error))
        return run.Outcome(**link.receive())

    sys.settrace(None)  # it could change variables below
    sys.setprofile(None)
    try:
        return run.respond(value, ask["questions"], ask["backend"], oracle)
    except KeyboardInterrupt:  # nobody can press stop here, so the answer itself raised it
        return [run.Outcome(error="KeyboardInterrupt")] * len(ask["questions"])


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
        return f" (during grading, code can have at most {limits.THREADS} threads, and limited memory)"
    return ""
