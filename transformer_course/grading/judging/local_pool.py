"""Grade many submissions at once on this computer: one sandbox, and a grader per processor."""

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
from transformer_course.runner import limits
from transformer_course.runner.link import Closed, Late, Link

from ..graded import Graded, Submission
from ..sandbox.supervisor import Sandbox
from .time_limits import TimeLimits
from .worker import job, read_reply

EXTRA_SECONDS = 120.0  # beyond a submission's own time, after which its grader counts as lost
CGROUP = Path("/sys/fs/cgroup")  # in a container, it says which share of processor time the container has
GRADER_FAILED = "The grader itself failed on this submission, so there is no mark. Your teacher sees this too."


def grading_version() -> str:
    """Return a hash of the code that verdicts depend on: the exercises, grading, and the code that runs an answer."""
    files = sorted(file for part in ("exercises", "grading", "runner") for file in (paths.PACKAGE / part).rglob("*.py"))
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def processors() -> int:
    """Return how many processors this process may use: no more than a container's share of processor time allows."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    for files in (["cpu.max"], ["cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"]):  # of cgroups, version 2 and version 1
        try:
            quota, period = " ".join((CGROUP / name).read_text(encoding="utf-8") for name in files).split()
            if int(quota) > 0:  # version 1 writes -1 where there is no quota, version 2 "max"
                return max(1, min(count, int(quota) // int(period)))
        except (OSError, ValueError):
            pass
    return count


def seed(secret: bytes, digest: str) -> int:
    """Return the seed of a submission's questions: the same every time, and impossible to guess without the secret."""
    return int.from_bytes(hmac.digest(secret, digest.encode(), "sha256")[:7], "big")


def grade_all(
    submissions: Sequence[Submission],
    within: Path,
    sheet: str,
    seeds: Sequence[int],
    done: Callable[[int, Graded], None],
    workers: int,
    sandbox: Sandbox,
) -> None:
    """Grade all submissions. As each is finished, call ``done`` with its index and its result.

    ``done`` runs in this thread; an error that it raises ends the run. Raises Unavailable if there is no sandbox.
    """
    jobs: queue.SimpleQueue = queue.SimpleQueue()
    for index, submission in enumerate(submissions):
        jobs.put((index, job(submission.file, within, sheet, seeds[index], TimeLimits())))
    results: queue.SimpleQueue = queue.SimpleQueue()
    graders: list[Grader] = []
    try:
        for _ in range(max(1, min(workers, len(submissions)))):
            graders.append(Grader(sandbox))
        sandbox.ready()
        for grader in graders:
            threading.Thread(target=grader.work, args=(jobs, results), daemon=True).start()
        for _ in submissions:
            index, result = results.get()
            if isinstance(result, Exception):
                raise result
            done(index, result)
    finally:
        for grader in graders:
            grader.close()


class Grader:
    """A separate process that judges submissions. If it fails, a new one replaces it."""

    def __init__(self, sandbox: Sandbox):
        self.sandbox = sandbox
        self._start()

    def _start(self) -> None:
        supervisor = self.sandbox.supervisor()
        ours, theirs = socket.socketpair()
        files = [theirs.fileno(), supervisor.control.fileno()]
        command = [sys.executable, "-m", f"{__package__}.worker", *map(str, files)]
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        with theirs, supervisor:
            # a process group of its own, so that Ctrl+C in the terminal reaches only the command that was typed there
            self.process = subprocess.Popen(
                command, pass_fds=files, env=environment, stdin=subprocess.DEVNULL, process_group=0
            )
        self.link = Link(ours)

    def work(self, jobs: queue.SimpleQueue, results: queue.SimpleQueue) -> None:
        """Take jobs and put results until no job is left, or until one raises an error, which becomes the last result."""
        while True:
            try:
                index, task = jobs.get_nowait()
            except queue.Empty:
                return
            try:
                results.put((index, self.grade(task)))
            except Exception as error:  # raised again by the thread that waits for the results
                results.put((index, error))
                return

    def grade(self, task: dict) -> Graded:
        """Return the result of a ``job``. Raises Unavailable if the sandbox is gone."""
        deadline = time.monotonic() + limits.CLOCK_FACTOR * task["time_limits"]["submission"] + EXTRA_SECONDS
        try:
            self.link.send(task, deadline)
            return read_reply(self.link.receive(deadline))
        except (Closed, Late):
            self.close()
            self._start()
            return Graded({}, [], GRADER_FAILED)

    def close(self) -> None:
        self.link.end.close()
        self.process.kill()
        self.process.wait()
