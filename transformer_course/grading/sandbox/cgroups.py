"""A control group for each learner, where the system lets us make some: see cgroups(7), version 2.

They count what resource limits cannot: all memory that is in use, and nobody else's threads. Those limits hold in any case.
Groups are made only where this command is alone in a group that it may change, as in a service or scope of systemd with
``Delegate=yes``: all other groups belong to somebody else.

    the group that we find ourselves in
    └─ transformer-course-…    made by this command, and removed when it ends; if it was killed, by the next one
       ├─ graders              our own processes: no group may have both processes and groups with limits inside
       ├─ learner-0            whatever learner the first grader is grading
       └─ learner-1
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from transformer_course.runner import limits

ROOT, MEMBERSHIP = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
CONTROLLERS = ("cpu", "memory", "pids")
PREFIX = "transformer-course-"
MORE_BYTES = 256 * limits.MIB  # for scratch files, and for the pages of its parent that a learner's process writes to
SETTINGS = {
    "memory.max": limits.MEMORY_BYTES + MORE_BYTES,
    "memory.swap.max": 0,
    "memory.oom.group": 1,
    "pids.max": limits.THREADS,
    "cpu.weight": 100,  # the same for everybody
}


class Cgroups:
    """The groups of one sandbox. Make them before the first process is started. As text, they say whether there are any."""

    def __init__(self, root: Path = ROOT, membership: Path = MEMBERSHIP):
        self.home: Path | None = None  # the group that this command has made
        self.why_not, self.count = "", 0
        try:
            self._make(root, membership)
        except OSError as error:
            self._give_up(f"this system does not allow them ({error.strerror})")

    def __str__(self) -> str:
        if not self.why_not:
            return "Each learner's process has resource limits and a control group."
        return f"Each learner's process has resource limits, but no control group, because {self.why_not}."

    def _make(self, root: Path, membership: Path) -> None:
        lines = membership.read_text().splitlines()
        own = root.joinpath(*(line.removeprefix("0::/") for line in lines if line.startswith("0::/")))
        if not (own / "cgroup.controllers").exists():
            return self._give_up("this system has no control groups of version 2")
        if missing := set(CONTROLLERS) - set((own / "cgroup.controllers").read_text().split()):
            return self._give_up(f"{own} does not control {' and '.join(sorted(missing))}")
        is_root = not (own / "cgroup.type").exists()  # only there may be both processes and groups with limits
        if not os.access(own / "cgroup.procs", os.W_OK) or not (is_root or _processes(own) == [os.getpid()]):
            return self._give_up(f"{own} is not delegated to this command alone")
        for other in own.glob(f"{PREFIX}*"):
            _remove_if_unused(other)
        self.home = Path(tempfile.mkdtemp(prefix=PREFIX, dir=own))
        self.lock = os.open(self.home, os.O_RDONLY)  # for as long as this command runs
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        if not is_root:
            (self.home / "graders").mkdir()
            _write(self.home / "graders" / "cgroup.procs", os.getpid())
        _switch(own, "+")
        _switch(self.home, "+")

    @contextmanager
    def learner(self) -> Iterator[list[int]]:
        """Make a group; yield two open files: one in which a process enters it, and one that counts who was killed there."""
        with ExitStack() as stack:
            try:
                files = [stack.enter_context(file) for file in self._make_learner()] if self.home else []
            except OSError as error:
                self._give_up(f"this system does not allow them ({error.strerror})")
                files = []
            yield [file.fileno() for file in files]

    def _make_learner(self) -> Iterator[BinaryIO]:
        group = self.home / f"learner-{self.count}"
        self.count += 1
        group.mkdir()
        for name, value in SETTINGS.items():
            with suppress(FileNotFoundError):  # a kernel may not limit swap
                _write(group / name, value)
        yield (group / "cgroup.procs").open("wb")
        yield (group / "memory.events").open("rb")

    def require_member(self) -> None:
        """Make no more groups unless the learner's process that is running has entered the last one."""
        if self.home and not _processes(self.home / f"learner-{self.count - 1}"):
            self._give_up("this kernel lets no process enter one from inside the sandbox (Linux 5.16 does)")

    def close(self) -> None:
        """Remove the groups, and return to the one in which we were."""
        if self.home:
            with suppress(OSError):
                if (self.home / "graders").exists():
                    _switch(self.home, "-")
                    _switch(self.home.parent, "-")
                    _write(self.home.parent / "cgroup.procs", os.getpid())
            _remove(self.home)
            os.close(self.lock)
            self.home = None

    def _give_up(self, why: str) -> None:
        self.close()
        self.why_not = why


def _processes(group: Path) -> list[int]:
    return list(map(int, (group / "cgroup.procs").read_text().split()))


def _write(file: Path, value: object) -> None:
    """Write to one of the kernel's files. If there is none, it is not made."""
    opened = os.open(file, os.O_WRONLY | os.O_TRUNC)
    try:
        os.write(opened, str(value).encode())
    finally:
        os.close(opened)


def _switch(group: Path, sign: str) -> None:
    """Switch the controllers of a group's children on ("+") or off ("-")."""
    _write(group / "cgroup.subtree_control", " ".join(f"{sign}{name}" for name in CONTROLLERS))


def _remove(group: Path) -> None:
    for folder in (*group.glob("*/"), group):
        with suppress(OSError):  # a process in it is still ending, and the next command tries again
            folder.rmdir()


def _remove_if_unused(group: Path) -> None:
    """Remove another command's group unless that command is still running: then it holds a lock."""
    with suppress(OSError):
        lock = os.open(group, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(group)
        finally:
            os.close(lock)
