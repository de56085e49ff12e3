"""Our end of the sandbox. When anything inside fails, its socket closes, and the methods here raise an error."""

import math
import socket
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

from transformer_course.runner.link import Closed, Link

from ..errors import Unavailable
from .bubblewrap import HELP, Bubblewrap

START_SECONDS = 600.0  # that the sandbox may take to be ready, and then to carry out each order, however busy the computer is
FRESH_SECONDS = 0.02  # for which a processor time is not asked for again: asking each time took about a tenth of grading
TIME, LOOK = b"time", b"look"
GONE = "The sandbox ended unexpectedly"


class _Closing(AbstractContextManager):
    """What closes at the end of a ``with`` block."""

    def __exit__(self, *_) -> None:
        self.close()


class Sandbox(_Closing):
    """A sandbox for several graders. Wait until it is ``ready``, then give each grader a ``supervisor``."""

    def __init__(self, bubblewrap: Bubblewrap):
        self.bubblewrap, self.control = bubblewrap, bubblewrap.control

    def ready(self) -> None:
        """Wait until a learner's process has been started and restricted. Raises Unavailable if that is impossible."""
        if self.bubblewrap.problem:
            raise self.bubblewrap.problem
        self.control.settimeout(START_SECONDS)
        try:
            ready = self.control.recv(16)
        except OSError as error:
            raise self.bubblewrap.failed(error) from None
        if ready != b"ready":
            raise self.bubblewrap.failed("it ended at once")
        self.control.settimeout(None)
        with self.supervisor() as supervisor, supervisor.process() as process:
            process.send({"cells": []}, time.monotonic() + START_SECONDS)
            process.receive(time.monotonic() + START_SECONDS)
            self.bubblewrap.cgroups.require_member()

    def supervisor(self) -> "Supervisor":
        """Return a new supervisor. You may ask for one before the sandbox is ready."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, self.bubblewrap.cgroups.learner() as group:
            try:
                socket.send_fds(self.control, [b"supervisor"], [theirs.fileno(), *group])
            except OSError as error:
                ours.close()
                raise self.bubblewrap.failed(error) from None
        return Supervisor(ours)

    def close(self) -> None:
        self.bubblewrap.close()


class Supervisor(_Closing):
    """Starts learners' processes, one after another. Its socket ``control`` may be passed on to another process."""

    def __init__(self, control: socket.socket):
        self.control = control
        control.settimeout(START_SECONDS)

    def process(self) -> "Process":
        """Start a new process for a learner. The previous one must be closed."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self.control, [b"start"], [theirs.fileno()])
            except OSError as error:
                ours.close()
                raise Unavailable(f"{GONE} ({error}).") from None
        return Process(Link(ours), self.control)

    def close(self) -> None:
        self.control.close()


class Ended(Exception):
    """A learner's process has ended; ``code`` is its exit status, or a negative number for the signal that killed it.

    ``memory`` says whether the kernel killed it because it had used up the memory of its control group.
    """

    def __init__(self, code: int, memory: bool = False):
        self.code, self.memory = code, memory


class Process(_Closing):
    """A learner's process. Closing it ends the process and everything that it started."""

    def __init__(self, link: Link, control: socket.socket):
        self.link, self.control = link, control
        self.ending = ""  # how it ended, in the supervisor's words, as soon as that is known
        self.used, self.asked = 0.0, -math.inf  # the processor time that it had used, and when that was
        self.waited = 0.0  # for how long looks have found that it neither computes nor could
        self.awaited, self.used_before = 0.0, 0.0  # since the last look: how long we waited for it; and its time at that look

    def receive(self, deadline: float):
        """Return the next message. Raises Late, WireError or Ended, or Unavailable if the process was not restricted."""
        with self._awaiting():
            return self.link.receive(deadline)

    def send(self, value, deadline: float) -> None:
        with self._awaiting():
            self.link.send(value, deadline)

    def send_rest(self, deadline: float) -> None:
        """Go on sending after Late."""
        with self._awaiting():
            self.link.send_rest(deadline)

    @contextmanager
    def _awaiting(self) -> Iterator[None]:
        """Count the time for which we wait for the process. Raises what says how it ended if it is gone."""
        start = time.monotonic()
        try:
            yield
        except Closed:
            raise self._ended() from None
        finally:
            self.awaited += time.monotonic() - start

    def processor_seconds(self) -> float:
        """Return the processor time that the process has used, in all its threads, or had FRESH_SECONDS ago at most.

        Raises Unavailable if nobody can say.
        """
        if not self.ending:
            if time.monotonic() - self.asked >= FRESH_SECONDS:
                self._ask(TIME)
            return self.used
        kind, _, rest = self.ending.partition(" ")
        return float(rest.split()[1]) if kind == "exit" else 0.0

    def look(self, seconds: float) -> None:
        """Look whether the process waits, and add to ``waited`` if it does. ``seconds`` is the usual time between two looks.

        One moment stands for all the time for which we have waited since the last look, however many messages came in between,
        if no processor time was used since. Otherwise it stands for no more than ``seconds``: nobody knows what the process
        did while this computer was too busy to look.
        """
        if self.ending:
            return
        if self._ask(LOOK):
            self.waited += self.awaited if self.used == self.used_before else min(self.awaited, seconds)
        self.awaited, self.used_before = 0.0, self.used

    def _ask(self, order: bytes) -> bool:
        """Ask for the processor time, and with LOOK whether the process waits. Raises Unavailable if nobody can say."""
        try:
            self.control.send(order)
            _, used, waits = self.control.recv(64).split()
            self.used = float(used)
        except (OSError, ValueError):
            raise Unavailable(f"{GONE}.") from None
        self.asked = time.monotonic()
        return waits == b"1"

    def _ended(self) -> Exception:
        self.close()
        kind, _, rest = self.ending.partition(" ")
        if kind == "exit":
            code, _, memory = rest.split()
            return Ended(int(code), memory == "1")
        if kind == "unrestricted":
            return Unavailable(f"A learner's process could not be sandboxed ({rest}); {HELP}.")
        return Unavailable(f"{GONE}.")

    def close(self) -> None:
        self.link.end.close()
        if not self.ending:
            with suppress(OSError):  # the supervisor is gone, but it may have said why
                self.control.send(b"end")
            try:
                while (ending := self.control.recv(2**12)).startswith(TIME):
                    pass  # an alarm rang while we were waiting for this
                self.ending = ending.decode() or GONE
            except OSError:
                self.ending = GONE
