"""How long a learner's code may run while it is graded, and how long judging one answer may take."""

import signal
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from transformer_course.runner import limits
from transformer_course.runner.link import Late

from ..sandbox.supervisor import Process

SHORTEST_WAIT = 0.05  # seconds between two looks at the processor time that a learner's process has used


@dataclass(frozen=True)
class TimeLimits:
    """Time limits in seconds: of the learner's process, in processor time (see ``limits``); of our own work, on the clock."""

    cell: float = limits.CELL_SECONDS
    answer: float = limits.ANSWER_SECONDS  # the same as in a notebook
    submission: float = limits.NOTEBOOK_SECONDS
    judging: float = limits.JUDGING_SECONDS  # for our own work on one answer


class Allowance:
    """The processor time that a learner's process may use from now on; on the clock, it may take CLOCK_FACTOR times as long.

    It ends at the time ``end`` in any case.
    """

    def __init__(self, process: Process, seconds: float, end: float):
        self.process = process
        self.last = process.processor_seconds() + seconds
        self.end = min(time.monotonic() + limits.CLOCK_FACTOR * seconds, end)

    def receive(self):
        """Return the process's next message. Raises Late when its time is used up, and what ``Process.receive`` raises."""
        while (left := min(self.last - self.process.processor_seconds(), self.end - time.monotonic())) > 0:
            with suppress(Late):
                return self.process.receive(time.monotonic() + max(left, SHORTEST_WAIT))
        raise Late


class JudgeTimeout(KeyboardInterrupt):
    """Our own side took too long to judge an answer. As an interrupt, it passes through code that catches exceptions."""


@contextmanager
def alarm(seconds: float):
    """Raise JudgeTimeout if the body takes longer: learners choose the numbers that we compute with."""

    def ring(*_):
        raise JudgeTimeout

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
