"""Grade many submissions at once on this computer: one sandbox, and a grader per processor."""

import os
import queue
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from transformer_course.runner.link import Closed, Late, Link

from ..errors import Unavailable
from ..graded import Graded, Submission
from ..run import Run
from ..sandbox import bubblewrap, syscalls
from ..sandbox.supervisor import Sandbox
from ..submissions.notebook_file import NotANotebook, read
from .worker import job, read_reply

START_SECONDS = 600.0  # that a judge may take to start, however busy the computer is
LOST_SECONDS = 4 * 3600.0  # after which a judge counts as lost; its processor time ends much earlier, see worker.py
CGROUP = Path("/sys/fs/cgroup")  # in a container, it says which share of processor time the container has
GRADER_FAILED = "The grader itself failed on this submission, so there is no mark. Your teacher sees this too."


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


def grade_all(
    run: Run, submissions: Sequence[Submission], done: Callable[[Submission, Graded], None], workers: int, sandbox: Sandbox
) -> None:
    """Grade these submissions of a run. As each is finished, call ``done`` with it and its result.

    ``done`` runs in this thread; an error that it raises ends the run. Raises Unavailable if there is no sandbox.
    """
    jobs: queue.SimpleQueue = queue.SimpleQueue()
    for submission in submissions:
        jobs.put(submission)
    results: queue.SimpleQueue = queue.SimpleQueue()
    graders: list[Grader] = []

    def grade(grader: Grader, submission: Submission) -> Graded:
        try:
            cells = read(submission.file, run.folder)
        except NotANotebook as problem:
            return Graded({}, [], str(problem))
        return grader.grade(job(cells, run.sheet, run.seed(submission), run.time_limits))

    def work(grader: Grader) -> None:
        """Take jobs and put results until no job is left, or until one raises an error, which becomes the last result."""
        while True:
            try:
                submission = jobs.get_nowait()
            except queue.Empty:
                return
            try:
                results.put((submission, grade(grader, submission)))
            except Exception as error:  # raised again by the thread that waits for the results
                results.put((submission, error))
                return

    try:
        for _ in range(max(1, min(workers, len(submissions)))):
            graders.append(Grader(sandbox))
        sandbox.ready()
        for grader in graders:
            grader.ready()
            threading.Thread(target=work, args=(grader,), daemon=True).start()
        for _ in submissions:
            submission, result = results.get()
            if isinstance(result, Exception):
                raise result
            done(submission, result)
    finally:
        for grader in graders:
            grader.close()


class Grader:
    """A judge in a process of its own. If it fails, a new one replaces it."""

    def __init__(self, sandbox: Sandbox):
        self.sandbox = sandbox
        self._start()

    def _start(self) -> None:
        supervisor = self.sandbox.supervisor()
        ours, theirs = socket.socketpair()
        with theirs, supervisor:
            self.process = bubblewrap.start_judge([theirs.fileno(), supervisor.control.fileno()])
        self.link = Link(ours)
        with suppress(Closed):  # ``ready`` says why
            self.link.send(np.frombuffer(syscalls.program(), np.uint8))

    def ready(self) -> None:
        """Wait until the judge has started and is restricted. Raises Unavailable if it has ended instead."""
        try:
            self.link.receive(time.monotonic() + START_SECONDS)
        except (Closed, Late):
            bubblewrap.kill(self.process)
            words = self.process.stderr.read().decode(errors="replace").strip().rpartition("\n")[2]
            raise Unavailable(f"A judge could not be started: {words[:500]}; {bubblewrap.HELP}.") from None

    def grade(self, task: dict) -> Graded:
        """Return the result of a ``job``. Raises Unavailable if the sandbox is gone."""
        deadline = time.monotonic() + LOST_SECONDS
        try:
            self.link.send(task, deadline)
            return read_reply(self.link.receive(deadline))
        except (Closed, Late):
            self.close()
            self._start()
            self.ready()
            return Graded({}, [], GRADER_FAILED)

    def close(self) -> None:
        self.link.end.close()
        bubblewrap.kill(self.process)
        self.process.wait()
        self.process.stderr.close()
