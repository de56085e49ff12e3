"""The process that learners' processes are forked from: it has imported what notebooks use, and knows no exercise.

For each notebook it gets a message with two sockets, and forks a boss. The boss sets up the learner's namespaces, forks the
learner's process into them, waits for it or for the word to end it, and reports how it ended. The word is the closing of
the boss's socket, so that the end of the judge, in whatever way, is the end of the learner's process too.
"""

import gc
import os
import select
import signal
import socket
import sys

from . import child, locks, shell
from .link import Closed, Link

MEMORY_BEYOND = 2**30  # bytes a learner's process may have beyond what is mapped already
SECONDS = 100  # of processor time; the judge's own limits end it long before


def serve(control: socket.socket) -> None:
    program = control.recv(2**16)
    locks.drop_root()
    shell.warm_up()
    with open("/proc/self/statm") as file:
        memory = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE") + MEMORY_BEYOND
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a boss
    gc.collect()
    gc.freeze()  # a collection in a child would write to, and so copy, every page that it shares
    nowhere = os.open("/dev/null", os.O_RDWR)
    for stream in range(3):  # what notebooks print is nobody's business here
        os.dup2(nowhere, stream)
    os.close(nowhere)
    control.send(b"ready")
    while True:
        message, ends, _, _ = socket.recv_fds(control, 16, 2)
        if not message:
            return
        if os.fork() == 0:
            control.close()
            _boss(*ends, program, locks.Limits(memory, SECONDS))
        for end in ends:
            os.close(end)


def _boss(answers: int, status: int, program: bytes, limits: locks.Limits) -> None:
    """Never returns."""
    try:
        link = Link(socket.socket(fileno=status))
        try:
            link.send(_watch(answers, link, program, limits))
        except OSError as error:
            link.send({"locks": str(error)})
    except Closed:
        pass
    finally:
        os._exit(0)


def _watch(answers: int, link: Link, program: bytes, limits: locks.Limits) -> dict:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    locks.separate()
    locked, to_lock = os.pipe()
    pid = os.fork()
    if pid == 0:
        _learner(answers, to_lock, program, limits)
    os.close(answers)
    os.close(to_lock)
    with open(locked, "rb") as pipe:
        said = pipe.read()  # ends when the child has closed its end: before any cell is run
    if said != b"locked":
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        return {"locks": said.decode(errors="replace")}
    over = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(over, select.POLLIN)
    poll.register(link.end, select.POLLIN)
    if all(ready != over for ready, _ in poll.poll()):
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    return {"exit": os.waitstatus_to_exitcode(status)}


def _learner(answers: int, to_lock: int, program: bytes, limits: locks.Limits) -> None:
    """The first process of the new namespaces; never returns."""
    try:
        first, last = sorted((answers, to_lock))
        for start, end in ((3, first), (first + 1, last), (last + 1, 2**16)):
            os.closerange(start, end)
        try:
            locks.give_up_rights(program, limits)
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
