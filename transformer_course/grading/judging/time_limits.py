"""How long a learner's code may run while it is graded, and how long judging one answer may take."""

import signal
from contextlib import contextmanager
from dataclasses import dataclass

from transformer_course.runner import limits


@dataclass(frozen=True)
class TimeLimits:
    """Time limits in seconds."""

    cell: float = limits.CELL_SECONDS
    answer: float = limits.ANSWER_SECONDS  # the same as in a notebook
    submission: float = limits.NOTEBOOK_SECONDS
    judging: float = limits.JUDGING_SECONDS  # for our own work on one answer


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
