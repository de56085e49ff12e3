"""``python -m transformer_course.grading.judging.worker LINK CONTROL``: grades one submission after another, as it is told.

Judging is done in processes of their own, since learners choose what is computed with: here memory is limited, and what goes
wrong costs the mark of one submission.
"""

import ctypes
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
from ..sandbox.supervisor import Boss
from ..submissions.notebook_file import NotANotebook, read
from .judge import Patience, grade

MEMORY = 4 * 2**30
DIE_WITH_PARENT = 1


def job(file: Path, within: Path, sheet: str, seed: int, patience: Patience) -> dict:
    return {"file": str(file), "within": str(within), "sheet": sheet, "seed": seed, "patience": asdict(patience)}


def read_reply(reply: dict) -> Graded:
    """Raises Unavailable where the sandbox is gone."""
    if "unavailable" in reply:
        raise Unavailable(reply["unavailable"])
    verdicts = {name: verdict and Verdict(**verdict) for name, verdict in reply["verdicts"].items()}
    return Graded(**reply | {"verdicts": verdicts})


def _do(told: dict, boss: Boss) -> dict:
    try:
        cells = read(Path(told["file"]), Path(told["within"]))
        graded = grade(cells, by_lesson()[told["sheet"]], told["seed"], boss, Patience(**told["patience"]))
    except NotANotebook as problem:
        graded = Graded({}, [], str(problem))
    except Unavailable as problem:
        return {"unavailable": str(problem)}
    return asdict(graded)


def main(link: Link, boss: Boss) -> None:
    ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    by_lesson()
    try:
        while True:
            link.send(_do(link.receive(), boss))
    except Closed:
        os._exit(0)


if __name__ == "__main__":
    main(Link(socket.socket(fileno=int(sys.argv[1]))), Boss(socket.socket(fileno=int(sys.argv[2]))))
