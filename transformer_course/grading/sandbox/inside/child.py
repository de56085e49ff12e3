"""The learner's process: it runs the cells of a notebook, then answers questions with what they made.

Everything that it says may be a lie, since learners' code can change whatever stands in this process. So it says nothing but
data, and the judge, outside, decides what they are worth.
"""

from transformer_course.runner import limits
from transformer_course.runner.link import Link
from transformer_course.runner.run import Outcome, record, respond
from transformer_course.runner.wire import WireError

from . import shell


def serve(link: Link) -> None:
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
        except WireError:  # each can be sent, but not together: then their types alone
            link.send({"answers": [{**data, "value": None} for data in answers]})


def run_cells(link: Link, cells: list) -> None:
    """Run numbered cells in their order, and say after each what went wrong: so the judge knows which is running."""
    for number, source in cells:
        error, remarks = shell.run(source)
        told = None if error is None else _told(error)
        link.send({"ended": number, "error": told, "remarks": remarks})
    link.send({"ready": True})


def answer(link: Link, value, ask: dict) -> list[Outcome] | None:
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
    except KeyboardInterrupt:  # nobody presses stop here: it is the answer's own
        return [Outcome(error="KeyboardInterrupt")] * len(ask["questions"])


def _told(error: BaseException) -> list[str]:
    name = type(error).__name__[: limits.REMARK_CHARACTERS]
    try:
        if isinstance(error, SyntaxError):  # whose own words name a file that nobody knows
            return [name, f"{error.msg} (line {error.lineno} of the cell)"[: limits.REMARK_CHARACTERS]]
        return [name, str(error)[: limits.REMARK_CHARACTERS]]
    except Exception:  # its own __str__ fails
        return [name, ""]
