"""The process that learners' processes are forked from, seen from outside: a failure closes it."""

import socket
import time
from contextlib import suppress

from transformer_course.runner.link import Closed, Link

from ..errors import Unavailable
from .bubblewrap import HELP, Bubble

PATIENCE = 60.0  # seconds until the first learner's process must have been possible
GONE = "The sandbox has ended unexpectedly"


class Sandbox:
    """Wait until it is ``ready``; then each grader gets a ``boss``, which starts learners' processes."""

    def __init__(self, bubble: Bubble):
        self.bubble, self.control = bubble, bubble.control

    def ready(self) -> None:
        """Wait until a learner's process has been started and locked in. Raises Unavailable where that cannot be had."""
        if self.bubble.problem:
            raise self.bubble.problem
        self.control.settimeout(PATIENCE)
        try:
            ready = self.control.recv(16)
        except OSError as error:
            raise self.bubble.failed(error) from None
        if ready != b"ready":
            raise self.bubble.failed("it ended at once")
        self.control.settimeout(None)
        with self.boss() as boss, boss.process() as process:
            process.send({"cells": []}, time.monotonic() + PATIENCE)
            process.receive(time.monotonic() + PATIENCE)

    def boss(self) -> "Boss":
        """One more boss. It may be asked for before the sandbox is ready."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                socket.send_fds(self.control, [b"boss"], [theirs.fileno()])
            except OSError as error:
                ours.close()
                raise self.bubble.failed(error) from None
        return Boss(ours)

    def close(self) -> None:
        self.bubble.close()

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_) -> None:
        self.close()


class Boss:
    """Starts learners' processes, one after another. ``control`` may be handed to another process."""

    def __init__(self, control: socket.socket):
        self.control = control
        control.settimeout(PATIENCE)

    def process(self) -> "Process":
        """A fresh one. The one before must have been closed."""
        answers, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self.control, [b"start"], [theirs.fileno()])
            except OSError as error:
                answers.close()
                raise Unavailable(f"{GONE} ({error}).") from None
        return Process(Link(answers), self.control)

    def close(self) -> None:
        self.control.close()

    def __enter__(self) -> "Boss":
        return self

    def __exit__(self, *_) -> None:
        self.close()


class Ended(Exception):
    """A learner's process is gone; ``code`` is its exit status, negative for a signal."""

    def __init__(self, code: int):
        self.code = code


class Process:
    """A learner's process. It and all that it started are gone when this is closed."""

    def __init__(self, link: Link, control: socket.socket):
        self.link, self.control = link, control
        self.told = ""  # how it ended, once it is known

    def receive(self, deadline: float):
        """What it says next. Raises Late, WireError, Ended; Unavailable where the locks were refused."""
        try:
            return self.link.receive(deadline)
        except Closed:
            raise self._ended() from None

    def send(self, value, deadline: float) -> None:
        try:
            self.link.send(value, deadline)
        except Closed:
            raise self._ended() from None

    def _ended(self) -> Exception:
        self.close()
        kind, _, rest = self.told.partition(" ")
        if kind == "exit":
            return Ended(int(rest))
        if kind == "locks":
            return Unavailable(f"A learner's process could not be locked in ({rest}); {HELP}.")
        return Unavailable(f"{GONE}.")

    def close(self) -> None:
        self.link.end.close()
        if not self.told:
            with suppress(OSError):  # then the boss is gone, and may have said why
                self.control.send(b"end")
            try:
                self.told = self.control.recv(2**12).decode() or GONE
            except OSError:
                self.told = GONE

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_) -> None:
        self.close()
