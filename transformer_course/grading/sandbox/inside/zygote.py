"""The process from which all others inside the sandbox are forked. It has imported what notebooks use, and knows no exercise.

    zygote                    imports torch once, then forks a supervisor for each grader
    └─ supervisor             enters new namespaces and forks; then it only waits
       └─ its process 1       forks a process for each notebook, and kills it when the grader has finished with it
          └─ learner          restricts itself, runs the cells and answers questions

A forked process needs no time to import anything, and nothing that it changes reaches its parent or the next notebook.
"""

import gc
import os
import re
import signal
import socket
import sys
import threading
import time
from contextlib import suppress

gc.disable()  # during all these imports: they leave almost no garbage, and looking for it takes longer than importing

from transformer_course.runner import limits
from transformer_course.runner.link import Closed, Link

from . import child, heap, locks, shell

CPU_CLOCK = 2  # with a process's number, this makes the number of the clock of its processor time: clock_getcpuclockid(3)


def serve(control: socket.socket) -> None:
    """Prepare everything once, then fork a supervisor whenever the other end of ``control`` sends a socket for one.

    With the socket may come two files of the learners' control group (see ``cgroups.py``).
    """
    syscall_filter = control.recv(2**16)
    locks.drop_root()
    shell.warm_up()
    child.hide_names()
    threading.stack_size(limits.STACK_BYTES)  # whatever this terminal's limit is
    memory = _mapped_bytes() + limits.MEMORY_BYTES + limits.THREADS * limits.STACK_BYTES
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for supervisors, so the kernel cleans up after them
    gc.freeze()  # otherwise a collection in a child would write to every page that it shares, and so copy it
    gc.enable()
    heap.fill_holes()
    _discard_output()
    control.send(b"ready")
    while True:
        message, files, _, _ = socket.recv_fds(control, 16, 3)
        if not message:
            os._exit(0)  # at once: there is nothing to clean up
        if os.fork() == 0:
            control.close()
            _Supervisor(socket.socket(fileno=files[0]), files[1:], syscall_filter, memory).run()
        for file in files:
            os.close(file)


def _mapped_bytes() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _discard_output() -> None:
    """Connect the standard streams to /dev/null: nobody reads what notebooks print."""
    null = os.open("/dev/null", os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    os.close(null)


class _Supervisor:
    """Starts and ends learners' processes for one grader, which sends its orders over ``control``.

    On "start", which comes with a socket for the learner, it starts a process. On "time" it reports the processor time that
    the process has used, and on "look" also whether it waits at this moment. On "end" it kills the process and everything that
    it started, and reports how it ended, with the processor time, and whether it had used up the memory of its control group.
    When the grader is gone, the supervisor ends too.
    """

    def __init__(self, control: socket.socket, group: list[int], syscall_filter: bytes, memory: int):
        self.control, self.group, self.syscall_filter, self.memory = control, group, syscall_filter, memory

    def run(self) -> None:
        """Serve the grader until it is gone. Never returns.

        Each learner's process is process 1 of its own namespace, so that killing it kills everything in there. To make the
        next such namespace, a process must first return to its own, which the kernel allows only if that one belongs to its
        own user namespace. So the supervisor makes namespaces for itself too, and its child, process 1 there, does the work.
        """
        try:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            # One network for all learners of a grader: nothing is in it, and none of them may use it or open a socket.
            locks.new_namespaces(locks.NEW_PIDS | locks.NEW_NET)
            pid = os.fork()
            if pid:
                self.control.close()
                os.waitpid(pid, 0)
            else:
                own_namespace = os.open("/proc/self/ns/pid", os.O_RDONLY)
                while self._serve_one_learner(own_namespace):
                    pass
        except OSError as error:
            self._report(f"unrestricted {error}")
        finally:
            os._exit(0)

    def _serve_one_learner(self, own_namespace: int) -> bool:
        """Start a learner's process, end it when asked to, and report how it ended. Return False if the grader is gone."""
        message, files, _, _ = socket.recv_fds(self.control, 16, 1)
        if not message:
            return False
        killed = self._killed_for_memory()
        pid, report = self._start_learner(files[0], own_namespace)
        restricted, _, number = report.partition(b" ")
        while (order := self.control.recv(16)) in (b"time", b"look"):
            used = time.clock_gettime(~pid << 3 | CPU_CLOCK)
            self._report(f"time {used} {int(order == b'look' and _waits(int(number)))}")
        os.kill(pid, signal.SIGKILL)
        _, status, used = os.wait4(pid, 0)
        if restricted == b"restricted":
            memory = int(self._killed_for_memory() != killed)
            self._report(f"exit {os.waitstatus_to_exitcode(status)} {used.ru_utime + used.ru_stime} {memory}")
        else:
            self._report(f"unrestricted {report.decode()}")
        return bool(order)  # empty if the grader is gone

    def _start_learner(self, answers: int, own_namespace: int) -> tuple[int, bytes]:
        """Fork a learner's process. Return its number, and its report.

        This is "restricted" and the number that the process has in /proc, or the error that kept it from being restricted.
        """
        locks.new_process_namespace()
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            self._be_learner(answers, writer)
        os.close(answers)
        os.close(writer)
        locks.return_to_process_namespace(own_namespace)
        with open(reader, "rb") as pipe:
            return pid, pipe.read()  # until the child closes its end, which it does before it runs any cell

    def _be_learner(self, answers: int, report: int) -> None:
        """Restrict this process, say so, and serve the judge through the socket ``answers``. Never returns."""
        try:
            if self.group:
                with suppress(OSError):  # ``Sandbox.ready`` notices
                    os.write(self.group[0], b"0")  # this process
            number = os.readlink("/proc/self")
            first, last = sorted((answers, report))
            for start, end in ((3, first), (first + 1, last), (last + 1, 2**16)):  # all open files but these two
                os.closerange(start, end)
            # kill(0, …) reaches the whole process group, in all namespaces. And the scheduler gives each session the same
            # share of the processors, however many threads are in it (sched(7): autogroup).
            os.setsid()
            try:
                locks.new_namespaces(locks.NEW_MOUNTS | locks.NEW_IPC)
                locks.private_files()
                locks.give_up_rights(self.syscall_filter, self.memory)
            except OSError as error:
                os.write(report, str(error).encode())
                return
            os.write(report, f"restricted {number}".encode())
            os.close(report)
            child.serve(Link(socket.socket(fileno=answers)))
        except Closed:
            pass
        finally:
            os._exit(0)

    def _killed_for_memory(self) -> bytes:
        """Return how often the kernel has killed a process of our control group for its memory; empty without a group."""
        return re.search(rb"oom_kill \d+|$", os.pread(self.group[1], 2**12, 0))[0] if self.group else b""

    def _report(self, text: str) -> None:
        with suppress(OSError):  # the grader is gone
            self.control.send(text.encode())


def _waits(process: int) -> bool:
    """Return whether no thread of a process computes, or is only kept from it by others, or reads a disk: see proc(5).

    A thread whose control group has used up its share of time is ready to compute too.
    """
    threads = f"/proc/{process}/task"
    for thread in os.listdir(threads):
        with suppress(FileNotFoundError, ProcessLookupError), open(f"{threads}/{thread}/stat", "rb") as file:  # it has ended
            if file.read().rpartition(b") ")[2].startswith((b"R", b"D")):  # after the thread's name
                return False
    return True


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
