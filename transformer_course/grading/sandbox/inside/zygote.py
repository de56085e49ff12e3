"""The process that all others are forked from: it has imported what notebooks use, and knows no exercise.

For each grader it forks a boss. For each notebook, the boss forks a learner's process into namespaces of its own, and when
the grader is done with it, or is gone itself, ends it with all that it started, and says how it ended.
"""

import ctypes
import gc
import os
import signal
import socket
import sys
from contextlib import suppress

gc.disable()  # while all of this is imported: what is garbage then is next to nothing, and looking for it takes longer

from transformer_course.runner import limits
from transformer_course.runner.link import Closed, Link

from . import child, locks, shell

BLOCKS = (*range(2**16, 2**12, -(2**12)), *range(2**12, 2**10, -(2**8)), *range(2**10, 0, -(2**4)))  # bytes


def serve(control: socket.socket) -> None:
    program = control.recv(2**16)
    locks.drop_root()
    shell.warm_up()
    with open("/proc/self/statm") as file:
        memory = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE") + limits.MEMORY_BYTES
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a boss
    gc.freeze()  # else a collection in a child would write to, and so copy, every page that it shares
    gc.enable()
    _fill_holes()
    nowhere = os.open("/dev/null", os.O_RDWR)
    for stream in range(3):  # what notebooks print is nobody's business here
        os.dup2(nowhere, stream)
    os.close(nowhere)
    control.send(b"ready")
    while True:
        message, ends, _, _ = socket.recv_fds(control, 16, 1)
        if not message:
            return
        if os.fork() == 0:
            control.close()
            _Boss(socket.socket(fileno=ends[0]), program, memory).begin()
        os.close(ends[0])


def _fill_holes() -> None:
    """Take the free places between the objects of the heap: what a child makes then lies side by side in pages that are new.

    In a hole, each of its objects would write to, and so copy, another shared page: that was a third of all that are copied.
    """
    malloc = ctypes.CDLL(None).malloc
    malloc.argtypes, malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
    highest = malloc(2 * BLOCKS[0])
    for size in BLOCKS:
        for _ in range(2**12):
            if (place := malloc(size)) > highest:  # beyond all that is used: no hole of this size is left
                highest = place
                break


class _Boss:
    """Serves one grader, whose end of ``control`` says "start", with a socket for the learner's process, and then "end"."""

    def __init__(self, control: socket.socket, program: bytes, memory: int):
        self.control, self.program, self.memory = control, program, memory

    def begin(self) -> None:
        """Never returns. Only the first process of a namespace of our own may make further ones within, again and again."""
        try:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            locks.new_namespaces(locks.NEW_PIDS)
            pid = os.fork()
            if pid:
                self.control.close()
                os.waitpid(pid, 0)
            else:
                self.own_processes = os.open("/proc/self/ns/pid", os.O_RDONLY)
                while self._one_learner():
                    pass
        except OSError as error:
            self._tell(f"locks {error}")
        finally:
            os._exit(0)

    def _one_learner(self) -> bool:
        """Start a learner's process, wait for the word to end it, and tell how it ended; False when the grader is gone."""
        message, ends, _, _ = socket.recv_fds(self.control, 16, 1)
        if not message:
            return False
        locks.new_processes()
        locked, to_lock = os.pipe()
        pid = os.fork()
        if pid == 0:
            self._learner(ends[0], to_lock)
        os.close(ends[0])
        os.close(to_lock)
        locks.back_to(self.own_processes)
        with open(locked, "rb") as pipe:
            said = pipe.read()  # ends when the child has closed its end, which is before any cell is run
        ended = self.control.recv(16)
        os.kill(pid, signal.SIGKILL)  # the first process of a namespace takes all others with it
        _, status = os.waitpid(pid, 0)
        self._tell(f"exit {os.waitstatus_to_exitcode(status)}" if said == b"locked" else f"locks {said.decode()}")
        return bool(ended)

    def _tell(self, words: str) -> None:
        with suppress(OSError):  # the grader is gone
            self.control.send(words.encode())

    def _learner(self, answers: int, to_lock: int) -> None:
        """The first process of its namespaces; never returns."""
        try:
            first, last = sorted((answers, to_lock))
            for start, end in ((3, first), (first + 1, last), (last + 1, 2**16)):
                os.closerange(start, end)
            os.setsid()  # kill(0, …) reaches a process group, whatever namespaces its members are in
            try:
                locks.new_namespaces(locks.NEW_MOUNTS | locks.NEW_NET | locks.NEW_IPC)
                locks.private_files()
                locks.give_up_rights(self.program, self.memory)
            except OSError as error:
                os.write(to_lock, str(error).encode())
                return
            os.write(to_lock, b"locked")
            os.close(to_lock)
            child.serve(Link(socket.socket(fileno=answers)))
        except Closed:
            pass
        finally:
            os._exit(0)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
