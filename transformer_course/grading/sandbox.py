"""The process that learners' processes are forked from, seen from outside: started under bubblewrap, and closed on failure."""

import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import suppress

from ..exercises.link import Closed, Link
from . import packages, syscalls
from .graded import GradingError

PATIENCE = 60.0  # seconds until the first learner's process must have been possible
GONE = "The sandbox has ended unexpectedly"
HELP = "docs/grading.md says what grading needs"
CODE = "import sys; sys.path[:0] = {path!r}; from runpy import run_module; run_module('inside.zygote', run_name='__main__')"


class Unavailable(GradingError):
    """The locks cannot be had on this computer, so nobody's code is run."""


class Sandbox:
    """``start`` it, wait until it is ``ready``; then each grader gets a ``boss``, which starts learners' processes."""

    def __init__(self, control: socket.socket, bubble: subprocess.Popen | None, problem: Unavailable | None = None):
        self.control, self.bubble, self.problem = control, bubble, problem

    @classmethod
    def start(cls) -> "Sandbox":
        """Begin to start it: that takes seconds, in which there is other work. Whether it can be had, ``ready`` will tell."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                return cls(ours, cls._begin(ours, theirs))
            except Unavailable as problem:
                return cls(ours, None, problem)

    @staticmethod
    def _begin(ours: socket.socket, theirs: socket.socket) -> subprocess.Popen:
        """Raises Unavailable, with what is missing and what to do."""
        bubblewrap = shutil.which("bwrap")
        if not sys.platform.startswith("linux"):
            raise Unavailable(f"Grading runs on Linux alone (on Windows: in WSL2), and this is {sys.platform}; {HELP}.")
        if bubblewrap is None:
            raise Unavailable(f"bubblewrap is missing (on Debian and Ubuntu: apt install bubblewrap); {HELP}.")
        try:
            program = syscalls.program()
        except (ImportError, OSError, RuntimeError) as error:
            raise Unavailable(f"libseccomp cannot be used ({error}): apt install libseccomp2, and "
                              f"pip install 'transformer-course[instructor]'; {HELP}.") from None  # fmt: skip
        bubble = subprocess.Popen(
            [bubblewrap, *_options(), "--", *_interpreter(theirs.fileno())],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, pass_fds=[theirs.fileno()],
        )  # fmt: skip
        with suppress(OSError):  # one that has ended already says why in ``ready``
            ours.send(program)
        return bubble

    def ready(self) -> None:
        """Wait until a learner's process has been started and locked in. Raises Unavailable where that cannot be had."""
        if self.problem:
            raise self.problem
        self.control.settimeout(PATIENCE)
        try:
            ready = self.control.recv(16)
        except OSError as error:
            raise self._failed(error) from None
        if ready != b"ready":
            raise self._failed("it ended at once")
        self.control.settimeout(None)
        with self.boss() as boss, boss.process() as process:
            process.send({"cells": []}, time.monotonic() + PATIENCE)
            process.receive(time.monotonic() + PATIENCE)

    def _failed(self, reason: object) -> Unavailable:
        """Why there is no sandbox, in bubblewrap's own words where it left some."""
        if self.problem:
            return self.problem
        self.bubble.kill()
        said = self.bubble.stderr.read()[-500:].decode(errors="replace").strip()
        return Unavailable(f"The sandbox could not be started: {said or reason}; {HELP}.")

    def boss(self) -> "Boss":
        """One more boss. It may be asked for before the sandbox is ready."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                socket.send_fds(self.control, [b"boss"], [theirs.fileno()])
            except OSError as error:
                ours.close()
                raise self._failed(error) from None
        return Boss(ours)

    def close(self) -> None:
        self.control.close()
        if self.bubble:
            self.bubble.kill()
            self.bubble.wait()
            self.bubble.stderr.close()

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


def _options() -> list[str]:
    """What bubblewrap is asked for: a file system that holds what is listed, read-only; no network; no environment."""
    options = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent"]
    options += ["--new-session", "--clearenv", "--hostname", "sandbox", "--cap-drop", "ALL"]
    if os.geteuid() == 0:  # then the process inside makes itself nobody; else it never was more than this user
        options += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        options += ["--unshare-user"]
    for name, value in ENVIRONMENT.items():
        options += ["--setenv", name, value]
    options += ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--tmpfs", "/tmp"]
    options += ["--tmpfs", "/dev/pts", "--remount-ro", "/dev/pts"]  # terminals would be seen by all learners' processes
    shown = packages.binds()
    for folder in sorted({parent for inside in shown for parent in inside.parents[:-1]} - set(shown)):
        options += ["--perms", "0755", "--dir", str(folder)]  # made in passing, they would be closed to nobody
    for inside, outside in shown.items():
        options += ["--ro-bind", str(outside), str(inside)]
    for folder in packages.masked():
        options += ["--tmpfs", str(folder), "--remount-ro", str(folder)]
    return [*options, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"]


ENVIRONMENT = {
    "HOME": "/tmp", "TMPDIR": "/tmp", "MPLCONFIGDIR": "/tmp/matplotlib", "MPLBACKEND": "agg", "IPYTHONDIR": "/tmp/ipython",
    "LANG": "C.UTF-8", "PATH": "/nowhere", "PYTHONDONTWRITEBYTECODE": "1", "TRANSFORMER_COURSE_PROGRESS": "off",
    # after a fork, a second thread of these would wait for ever for those that the fork has not copied
    "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
    # all memory in one place and, where the system has them, in large pages: a fork then copies 90 entries instead of 45,000
    "PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}  # fmt: skip


def _interpreter(control: int) -> list[str]:
    code = CODE.format(path=[str(packages.OURS), str(packages.THEIRS)])
    return [str(packages.executable()), "-P", "-s", "-S", "-B", "-c", code, str(control)]
