"""How long a learner's code may run while it is graded, and how long judging one answer may take.

What others do on this computer must not decide. So code that computes is stopped by the processor time that it has used. Code
that waits, for example because it sleeps, is stopped by the clock, which runs only while the code could not go on even if
every processor were free: see ``Process.look``.
"""

import random
import signal
import time
from contextlib import contextmanager, suppress

from transformer_course.runner import limits
from transformer_course.runner.link import Late

from ..run import TimeLimits
from ..sandbox.supervisor import Process

LOOK_SECONDS = 0.1  # between two looks at a learner's process, on average


class TooLong(Exception):
    """A learner's process has used up its processor time; or, if it ``waited``, the time for which it may wait."""

    def __init__(self, waited: bool):
        self.waited = waited


class TooBusy(Exception):
    """The computer is so busy that nobody can say how long the learner's process would take."""


class Allowance:
    """The processor time that a learner's process may use from now on, and the time for which it may wait."""

    def __init__(self, process: Process, computing: float, waiting: float, end: float):
        self.process, self.end = process, end
        self.computing, self.waiting = process.processor_seconds() + computing, process.waited + waiting
        self._plan_look()

    def receive(self):
        """Return the process's next message. Raises TooLong, TooBusy, and what ``Process.receive`` raises."""
        while True:
            self._check()
            with suppress(Late):
                return self.process.receive(self.next_look)
            self._look()

    def send(self, value) -> None:
        """Send a message to the process, which may refuse to read it. Raises what ``receive`` raises."""
        with suppress(Late):
            return self.process.send(value, self.next_look)
        while True:
            self._look()
            self._check()
            with suppress(Late):
                return self.process.send_rest(self.next_look)

    def _check(self) -> None:
        if self.process.processor_seconds() >= self.computing:
            raise TooLong(waited=False)
        if self.process.waited >= self.waiting:
            raise TooLong(waited=True)
        if time.monotonic() >= self.end:
            raise TooBusy

    def _look(self) -> None:
        self.process.look(LOOK_SECONDS)
        self._plan_look()

    def _plan_look(self) -> None:
        """Choose a random time, so that no process can be awake only then."""
        self.next_look = time.monotonic() + random.uniform(0, 2 * LOOK_SECONDS)


class Budget:
    """What a whole submission may use, in all the processes that run it one after another."""

    def __init__(self, time_limits: TimeLimits):
        self.limits, self.computing = time_limits, time_limits.submission
        self.waiting = limits.CLOCK_FACTOR * time_limits.submission
        self.spent, self.waited = 0.0, 0.0  # by processes that have ended
        self.end = time.monotonic() + time_limits.clock

    def charge(self, process: Process) -> None:
        """Count what a process that has ended has used."""
        self.spent += process.processor_seconds()
        self.waited += process.waited

    def allowance(self, process: Process, seconds: float) -> Allowance:
        """Return an allowance of so many seconds, or of what is left of the submission's time if that is less."""
        computing, waiting = self._left(process)
        return Allowance(process, min(seconds, computing), min(limits.CLOCK_FACTOR * seconds, waiting), self.end)

    def used_up(self, process: Process | None = None) -> str:
        """Say which time of the submission is over, if any. ``process`` is the one that is running, if any."""
        computing, waiting = self._left(process)
        if computing <= 0:
            return f"the notebook had used up its {self.computing:g} seconds of processor time"
        return f"the notebook had waited for {self.waiting:g} seconds in total without computing" if waiting <= 0 else ""

    def _left(self, process: Process | None) -> tuple[float, float]:
        used, waited = (process.processor_seconds(), process.waited) if process else (0.0, 0.0)
        return self.computing - self.spent - used, self.waiting - self.waited - waited


class JudgeTimeout(KeyboardInterrupt):
    """Our own side took too long to judge an answer. As an interrupt, it passes through code that catches exceptions."""


@contextmanager
def alarm(seconds: float):
    """Raise JudgeTimeout if the body uses more processor time: learners choose the numbers that we compute with.

    The time for which we wait for a learner's process does not count.
    """

    def ring(*_):
        raise JudgeTimeout

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
