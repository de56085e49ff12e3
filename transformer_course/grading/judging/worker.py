"""``python -m transformer_course.grading.judging.worker LINK CONTROL``: grade the submissions that arrive, one by one.

LINK and CONTROL are the numbers of open sockets. Learners choose the numbers that judging computes with, so it happens in
separate processes: their memory is limited, and if one fails, only one submission loses its mark.
"""

import ctypes
import gc
import os
import resource
import signal
import socket
import sys
from dataclasses import asdict
from pathlib import Path

from transformer_course.exercises.catalogue import by_lesson
from transformer_course.exercises.exercise import Verdict
from transformer_course.runner.link import Closed, Link

from ..errors import Unavailable
from ..graded import Graded
from ..sandbox.supervisor import Supervisor
from ..submissions.notebook_file import NotANotebook, read
from .judge import grade
from .time_limits import TimeLimits

MEMORY_BYTES = 4 * 2**30
DIE_WITH_PARENT = 1  # for prctl(2)


def job(file: Path, within: Path, sheet: str, seed: int, time_limits: TimeLimits) -> dict:
    """Return the message that asks a worker to grade a notebook inside the folder ``within``."""
    return {"file": str(file), "within": str(within), "sheet": sheet, "seed": seed, "time_limits": asdict(time_limits)}


def read_reply(reply: dict) -> Graded:
    """Return the result in a worker's reply. Raises Unavailable if the sandbox is gone."""
    if "unavailable" in reply:
        raise Unavailable(reply["unavailable"])
    verdicts = {name: verdict and Verdict(**verdict) for name, verdict in reply["verdicts"].items()}
    return Graded(**reply | {"verdicts": verdicts})


def _grade(task: dict, supervisor: Supervisor) -> dict:
    try:
        cells = read(Path(task["file"]), Path(task["within"]))
        graded = grade(cells, by_lesson()[task["sheet"]], task["seed"], supervisor, TimeLimits(**task["time_limits"]))
    except NotANotebook as problem:
        graded = Graded({}, [], str(problem))
    except Unavailable as problem:
        return {"unavailable": str(problem)}
    return asdict(graded)


def main(link: Link, supervisor: Supervisor) -> None:
    ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    by_lesson()  # load the exercises before the first submission arrives
    gc.freeze()  # none of this becomes garbage, so that no collection needs to look at it
    try:
        while True:
            link.send(_grade(link.receive(), supervisor))
    except Closed:
        os._exit(0)


if __name__ == "__main__":
    main(Link(socket.socket(fileno=int(sys.argv[1]))), Supervisor(socket.socket(fileno=int(sys.argv[2]))))
