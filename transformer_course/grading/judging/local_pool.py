"""Many submissions at once: one sandbox, and as many graders beside it as there are processors."""

import hashlib
import hmac
import os
import queue
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from transformer_course._util import paths
from transformer_course.runner.link import Closed, Late, Link

from ..graded import Graded, Submission
from ..sandbox.supervisor import Sandbox
from .judge import Patience
from .worker import job, read_reply

SLACK = 120.0  # seconds beyond a submission's own, after which a grader counts as lost
FAILED = "The grader itself failed on this submission, so that it has no mark. Your teacher sees this too."


def edition() -> str:
    """A hash of what verdicts depend on besides the submission: the exercises, grading, and what runs an answer."""
    files = sorted(file for part in ("exercises", "grading", "runner") for file in (paths.PACKAGE / part).rglob("*.py"))
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def seed(secret: bytes, digest: str) -> int:
    """The seed of a submission's questions: the same each time it is graded, and known to nobody without the secret."""
    return int.from_bytes(hmac.digest(secret, digest.encode(), "sha256")[:7], "big")


def grade_all(
    submissions: Sequence[Submission],
    within: Path,
    sheet: str,
    seeds: Sequence[int],
    done: Callable[[int, Graded], None],
    workers: int,
    sandbox: Sandbox,
    patience: Patience = Patience(),  # noqa: B008  frozen
) -> None:
    """Grade all, and tell ``done`` the place and the result of each as it comes. Raises Unavailable without the locks.

    ``done`` is called in this thread; what it raises ends the run.
    """
    jobs: queue.SimpleQueue = queue.SimpleQueue()
    for place, submission in enumerate(submissions):
        jobs.put((place, job(submission.file, within, sheet, seeds[place], patience)))
    results: queue.SimpleQueue = queue.SimpleQueue()
    graders: list[Grader] = []
    try:
        for _ in range(max(1, min(workers, len(submissions)))):
            graders.append(Grader(sandbox))
        sandbox.ready()
        for grader in graders:
            threading.Thread(target=grader.work, args=(jobs, results), daemon=True).start()
        for _ in submissions:
            place, result = results.get()
            if isinstance(result, Exception):
                raise result
            done(place, result)
    finally:
        for grader in graders:
            grader.close()


class Grader:
    """A process of its own that judges; replaced by a fresh one where it fails."""

    def __init__(self, sandbox: Sandbox):
        self.sandbox = sandbox
        self._start()

    def _start(self) -> None:
        boss = self.sandbox.boss()
        ours, theirs = socket.socketpair()
        numbers = [theirs.fileno(), boss.control.fileno()]
        command = [sys.executable, "-m", f"{__package__}.worker", *map(str, numbers)]
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        with theirs, boss:
            # in a group of its own: Ctrl+C in the terminal is for the one that has started it
            self.process = subprocess.Popen(
                command, pass_fds=numbers, env=environment, stdin=subprocess.DEVNULL, process_group=0
            )
        self.link = Link(ours)

    def work(self, jobs: queue.SimpleQueue, results: queue.SimpleQueue) -> None:
        while True:
            try:
                place, told = jobs.get_nowait()
            except queue.Empty:
                return
            try:
                results.put((place, self.grade(told)))
            except Exception as error:  # raised again where the results are awaited
                results.put((place, error))
                return

    def grade(self, told: dict) -> Graded:
        """The result of a ``job``. Raises Unavailable where the sandbox is gone."""
        deadline = time.monotonic() + told["patience"]["submission"] + SLACK
        try:
            self.link.send(told, deadline)
            return read_reply(self.link.receive(deadline))
        except (Closed, Late):
            self.close()
            self._start()
            return Graded({}, [], FAILED)

    def close(self) -> None:
        self.link.end.close()
        self.process.kill()
        self.process.wait()
