"""Start what grading does not trust with bubblewrap, isolated from everything that it does not need.

That is the sandbox in which learners' code runs, and each of the judges, which compute with what learners' code sends: should
a bug let that code take over a judge, it would still have no network, no home, and nothing that it could write to.

This module imports little, so that the sandbox starts early. Inside, importing torch takes longer than anything else; it goes
on while this side imports the rest of grading.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from transformer_course.runner import limits

from ..errors import Unavailable
from . import syscalls, visible
from .cgroups import Cgroups

HELP = "docs/grading.md says what grading needs"
ENDING_SECONDS = 5.0  # that the sandbox may take to end by itself; it may still be importing torch
ADDRESSES = 16 * 2**30  # torch and NumPy map far more than they use
CODE = "import sys; sys.path[:0] = {path!r}; from runpy import run_module; run_module({module!r}, run_name='__main__')"
JUDGE = "transformer_course.grading.judging.worker"


class Bubblewrap:
    """A sandbox that is starting. If it could not be started, ``process`` is None and ``problem`` says why.

    ``control`` is our end of the socket to the process inside. ``cgroups`` are the groups of learners' processes, if any.
    """

    def __init__(
        self,
        control: socket.socket,
        cgroups: Cgroups,
        process: subprocess.Popen | None,
        problem: Unavailable | None = None,
    ):
        self.control, self.cgroups, self.process, self.problem = control, cgroups, process, problem

    @classmethod
    def start(cls) -> "Bubblewrap":
        """Start a sandbox. Never raises: a problem matters only when the sandbox is needed, and is reported then."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        cgroups = Cgroups()
        with theirs:
            try:
                return cls(ours, cgroups, _start(ours, theirs))
            except Unavailable as problem:
                return cls(ours, cgroups, None, problem)

    def failed(self, reason: object) -> Unavailable:
        """Return the error that says why there is no sandbox, in bubblewrap's own words if it left any."""
        if self.problem:
            return self.problem
        kill(self.process)
        last_words = self.process.stderr.read()[-500:].decode(errors="replace").strip()
        return Unavailable(f"The sandbox could not be started: {last_words or reason}; {HELP}.")

    def close(self) -> None:
        """Let the sandbox end, and kill it if it does not. Killed, its child would be left to process 1."""
        self.control.close()
        if self.process:
            try:
                self.process.wait(ENDING_SECONDS)
            except subprocess.TimeoutExpired:
                kill(self.process)
                self.process.wait()
            self.process.stderr.close()
        self.cgroups.close()


def kill(process: subprocess.Popen) -> None:
    """Kill bubblewrap and its child as a group.

    If only bubblewrap were killed early on, its child would wait for it for ever, because the child has not yet asked the
    kernel to end the two together.
    """
    if process.returncode is None:  # until we wait for the process, no other group can have its number
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def start_judge(files: Sequence[int]) -> subprocess.Popen:
    """Start a judge (see ``judging/worker.py``), which gets these open sockets. Raises Unavailable if that is impossible."""
    command = [_program(), *_options(visible.judge_binds(), JUDGE_ENVIRONMENT), "--", *_command(JUDGE, files)]
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, **streams, pass_fds=files, process_group=0)


def _start(ours: socket.socket, theirs: socket.socket) -> subprocess.Popen:
    """Start bubblewrap. Raises Unavailable, which says what is missing and what to do."""
    program = _program()
    _require_no_lower_limits()
    try:
        syscall_filter = syscalls.program()
    except (ImportError, OSError, RuntimeError) as error:
        raise Unavailable(f"libseccomp cannot be used ({error}). Run: apt install libseccomp2, and then, in the "
                          f"clone, pip install -c constraints.txt -e '.[instructor]'; {HELP}.") from None  # fmt: skip
    options = _options(visible.binds(), ENVIRONMENT, *_for_learners())
    process = subprocess.Popen(
        [program, *options, "--", *_command("inside.zygote", [theirs.fileno()])],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, pass_fds=[theirs.fileno()],
        process_group=0,
    )  # fmt: skip
    with suppress(OSError):  # if it has ended already, ``Sandbox.ready`` reports why
        ours.send(syscall_filter)
    return process


def _program() -> str:
    """Return the path of bubblewrap. Raises Unavailable if there is none."""
    if not sys.platform.startswith("linux"):
        raise Unavailable(f"Grading needs Linux (on Windows: WSL2), but this is {sys.platform}; {HELP}.")
    if (program := shutil.which("bwrap")) is None:
        raise Unavailable(f"bubblewrap is missing (on Debian and Ubuntu: apt install bubblewrap); {HELP}.")
    return program


def _require_no_lower_limits() -> None:
    """Raise Unavailable if the terminal limits its programs to less than a learner may use: nobody can raise such a limit."""
    import resource  # only on Unix

    for kind, least, option, words in (
        (resource.RLIMIT_AS, ADDRESSES, "v", f"{ADDRESSES // limits.MIB} MiB of address space"),
        (resource.RLIMIT_FSIZE, limits.SCRATCH_BYTES, "f", f"files of {limits.SCRATCH_BYTES // limits.MIB} MiB"),
        (resource.RLIMIT_NOFILE, limits.OPEN_FILES, "n", f"{limits.OPEN_FILES} open files"),
        (resource.RLIMIT_NPROC, limits.THREADS, "u", f"{limits.THREADS} processes"),
        (resource.RLIMIT_SIGPENDING, limits.PENDING_SIGNALS, "i", f"{limits.PENDING_SIGNALS} pending signals"),
        (resource.RLIMIT_CPU, limits.PROCESSOR_SECONDS, "t", f"{limits.PROCESSOR_SECONDS} seconds of processor time"),
    ):
        most = resource.getrlimit(kind)[1]
        if most != resource.RLIM_INFINITY and most < least:
            raise Unavailable(f"Grading needs {words}, but this terminal's limit is lower (ulimit -{option}). Start "
                              "grading in a terminal, or on a computer, without this limit.")  # fmt: skip


def _options(shown: Mapping[Path, Path], environment: Mapping[str, str], *more: str) -> list[str]:
    """Return bubblewrap's options: a read-only file system with only what is ``shown``, no network, no other environment.

    ``more`` are options that take effect before the file system becomes read-only.
    """
    options = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent"]
    # Bubblewrap waits for the process inside if this is process 1 there. A process 1 of its own it would leave to the system.
    options += ["--as-pid-1", "--new-session", "--clearenv", "--hostname", "sandbox", "--cap-drop", "ALL"]
    if os.geteuid() != 0:
        options += ["--unshare-user"]
    for name, value in environment.items():
        options += ["--setenv", name, value]
    options += more
    for folder in sorted({parent for inside in shown for parent in inside.parents[:-1]} - set(shown)):
        options += ["--perms", "0755", "--dir", str(folder)]  # created by a bind, they would be closed to the user "nobody"
    for inside, outside in shown.items():
        options += ["--ro-bind", str(outside), str(inside)]
    for folder in visible.masked():
        options += ["--tmpfs", str(folder), "--remount-ro", str(folder)]
    return [*options, "--remount-ro", "/", "--chdir", "/"]


def _for_learners() -> list[str]:
    """Return the options for what only learners' code needs: processes, devices and a place for files, all made for it."""
    options = ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--tmpfs", "/tmp"]
    options += ["--tmpfs", "/dev/pts", "--remount-ro", "/dev/pts"]  # otherwise all learners' processes would share terminals
    if os.geteuid() == 0:  # then the process inside needs these to become "nobody"
        options += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    return [*options, "--remount-ro", "/dev"]


ENVIRONMENT = {
    "HOME": "/tmp", "TMPDIR": "/tmp", "MPLCONFIGDIR": "/tmp/matplotlib", "MPLBACKEND": "agg", "IPYTHONDIR": "/tmp/ipython",
    "LANG": "C.UTF-8", "PATH": "/nowhere", "PYTHONDONTWRITEBYTECODE": "1", "TRANSFORMER_COURSE_PROGRESS": "off",
    # a fork copies one thread only, so a child that used these libraries' threads would wait for the others for ever
    "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
    # all memory in one heap and, if the system has them, in large pages: a fork copies 90 page-table entries, not 45,000.
    # If every thread had a heap of its own, 32 threads would need more addresses than a learner may have.
    "PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1:glibc.malloc.arena_max=1",
}  # fmt: skip
# Judges run side by side, one per processor. With their own threads, each of them would take time from the others.
JUDGE_ENVIRONMENT = {"LANG": "C.UTF-8", "PATH": "/nowhere", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def _command(module: str, files: Sequence[int]) -> list[str]:
    """Return the command that runs inside: Python with only our folders on its path, and the numbers of its open sockets."""
    code = CODE.format(path=[str(visible.COURSE), str(visible.PACKAGES)], module=module)
    return [str(visible.executable()), "-P", "-s", "-S", "-B", "-c", code, *map(str, files)]
