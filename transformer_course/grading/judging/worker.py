"""A judge: a process that grades the submissions that arrive, one by one. Its arguments are the numbers of two open sockets.

Learners choose the numbers that judging computes with, so it happens in separate processes. Each sees no more than it needs
(see ``sandbox/bubblewrap.py``), can make only the system calls that learners' code can make, and has limited memory and
processor time. If one fails, only one submission loses its mark.
"""

import gc
import os
import resource
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict

from transformer_course.exercises.catalogue import by_lesson
from transformer_course.exercises.exercise import Verdict
from transformer_course.runner.link import Closed, Link

from ..errors import Unavailable
from ..graded import Graded
from ..run import TimeLimits
from ..sandbox.inside import locks
from ..sandbox.supervisor import Supervisor
from ..submissions.notebook_file import Cell
from .judge import grade

MEMORY_BYTES = 4 * 2**30


def job(cells: Sequence[Cell], sheet: str, seed: int, time_limits: TimeLimits) -> dict:
    """Return the message that asks a judge to grade the cells of a notebook."""
    return {"cells": [asdict(cell) for cell in cells], "sheet": sheet, "seed": seed, "time_limits": asdict(time_limits)}


def read_reply(reply: dict) -> Graded:
    """Return the result in a judge's reply. Raises Unavailable if the sandbox is gone."""
    if "unavailable" in reply:
        raise Unavailable(reply["unavailable"])
    verdicts = {name: verdict and Verdict(**verdict) for name, verdict in reply["verdicts"].items()}
    return Graded(**reply | {"verdicts": verdicts})


def _grade(task: dict, supervisor: Supervisor) -> dict:
    cells = [Cell(**cell | {"tags": tuple(cell["tags"])}) for cell in task["cells"]]
    exercises, time_limits = by_lesson()[task["sheet"]], TimeLimits(**task["time_limits"])
    # No alarm interrupts one long computation in compiled code, but the kernel ends a process that has used up its time.
    most = int(time.process_time() + (len(exercises) + 1) * time_limits.judging)
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
    try:
        graded = grade(cells, exercises, task["seed"], supervisor, time_limits)
    except Unavailable as problem:
        return {"unavailable": str(problem)}
    return asdict(graded)


def main(link: Link, supervisor: Supervisor) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    dict(by_lesson())  # load the exercises before the first submission arrives
    gc.freeze()  # none of this becomes garbage, so that no collection needs to look at it
    try:
        locks.allow_system_calls(link.receive().tobytes())
        link.send("ready")
        while True:
            link.send(_grade(link.receive(), supervisor))
    except Closed:
        os._exit(0)


if __name__ == "__main__":
    main(Link(socket.socket(fileno=int(sys.argv[1]))), Supervisor(socket.socket(fileno=int(sys.argv[2]))))
