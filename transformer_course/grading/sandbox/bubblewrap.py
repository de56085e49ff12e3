"""Starting the sandbox: bubblewrap, and what it is asked for.

Little is imported here: inside, torch is loaded, which takes longest of all, while this side loads what else grading needs.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress

from ..errors import Unavailable
from . import syscalls, visible

HELP = "docs/grading.md says what grading needs"
CODE = "import sys; sys.path[:0] = {path!r}; from runpy import run_module; run_module('inside.zygote', run_name='__main__')"


class Bubble:
    """A sandbox on its way: ``control`` is its socket; ``process`` is None where there is none, and ``problem`` says why."""

    def __init__(self, control: socket.socket, process: subprocess.Popen | None, problem: Unavailable | None = None):
        self.control, self.process, self.problem = control, process, problem

    @classmethod
    def start(cls) -> "Bubble":
        """Never raises: whether a sandbox can be had, is told once one is needed."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                return cls(ours, _begin(ours, theirs))
            except Unavailable as problem:
                return cls(ours, None, problem)

    def failed(self, reason: object) -> Unavailable:
        """Why there is no sandbox, in bubblewrap's own words where it left some."""
        if self.problem:
            return self.problem
        self._kill()
        said = self.process.stderr.read()[-500:].decode(errors="replace").strip()
        return Unavailable(f"The sandbox could not be started: {said or reason}; {HELP}.")

    def close(self) -> None:
        self.control.close()
        if self.process:
            self._kill()
            self.process.wait()
            self.process.stderr.close()

    def _kill(self) -> None:
        """End bubblewrap with the child that it begins as: alone, a child that had not yet asked to die with it would wait for
        its word for ever."""
        if self.process.returncode is None:  # until it is waited for, the number of the group is its own
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)


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
        raise Unavailable(f"libseccomp cannot be used ({error}): apt install libseccomp2, and in the clone "
                          f"pip install -c constraints.txt -e '.[instructor]'; {HELP}.") from None  # fmt: skip
    bubble = subprocess.Popen(
        [bubblewrap, *_options(), "--", *_interpreter(theirs.fileno())],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, pass_fds=[theirs.fileno()],
        process_group=0,
    )  # fmt: skip
    with suppress(OSError):  # one that has ended already says why in ``ready``
        ours.send(program)
    return bubble


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
    shown = visible.binds()
    for folder in sorted({parent for inside in shown for parent in inside.parents[:-1]} - set(shown)):
        options += ["--perms", "0755", "--dir", str(folder)]  # made in passing, they would be closed to nobody
    for inside, outside in shown.items():
        options += ["--ro-bind", str(outside), str(inside)]
    for folder in visible.masked():
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
    code = CODE.format(path=[str(visible.OURS), str(visible.THEIRS)])
    return [str(visible.executable()), "-P", "-s", "-S", "-B", "-c", code, str(control)]
