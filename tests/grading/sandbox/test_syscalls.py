"""The table of system calls, tried on this kernel: whatever is not in it fails with its error."""

import errno
import json
import platform
import signal
import subprocess
import sys

import pytest

from transformer_course.grading.sandbox import syscalls

pytestmark = pytest.mark.usefixtures("needs_sandbox")
# A process that is restricted as a learner's is, makes the calls that it reads, and prints the error of each.
RESTRICTED = """
import ctypes, json, signal, sys
from transformer_course.grading.sandbox import syscalls
from transformer_course.grading.sandbox.inside import locks

calls = json.load(sys.stdin)
call, failed = ctypes.CDLL(None, use_errno=True).syscall, []
locks.give_up_rights(syscalls.program(), 2**40)
for numbers in calls:
    ctypes.set_errno(0)
    result = call(*map(ctypes.c_long, numbers))
    failed.append(ctypes.get_errno() if result == -1 else 0)
print(json.dumps(failed))
"""
# A process that makes one harmless call, getpid, as other kinds of programs make it; restricted, or "free".
OTHERWISE = """
import ctypes, mmap, sys, threading
from transformer_course.grading.sandbox import syscalls
from transformer_course.grading.sandbox.inside import locks

page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex("53 b8 14 00 00 00 cd 80 5b c3"))  # int 0x80 with eax = 20
in_32_bits = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
call = in_32_bits if sys.argv[1] == "int 0x80" else lambda: ctypes.CDLL(None).syscall(2**30 | 39)
if sys.argv[2] == "restricted":
    locks.give_up_rights(syscalls.program(), 2**40)
thread = threading.Thread(target=call)
thread.start()
thread.join()
"""
SIGNALS = """
import os, signal
from transformer_course.grading.sandbox import syscalls
from transformer_course.grading.sandbox.inside import locks

locks.give_up_rights(syscalls.program(), 2**40)
kind = {signal.SIGRTMAX}
signal.pthread_sigmask(signal.SIG_BLOCK, kind)
for _ in range(1000):
    os.kill(os.getpid(), signal.SIGRTMAX)
count = 0
while signal.sigtimedwait(kind, 0):
    count += 1
print(count)
"""
NEVER = """
socket connect bind listen accept accept4 setsockopt fork vfork execve execveat unshare setns mount umount2 pivot_root chroot
move_mount open_tree fsopen fsmount mount_setattr ptrace process_vm_readv process_vm_writev kcmp pidfd_open pidfd_getfd bpf
perf_event_open userfaultfd seccomp io_uring_setup io_uring_enter io_uring_register keyctl add_key request_key personality
setuid setgid setresuid setresgid setgroups capset sched_setaffinity sched_setscheduler sched_setattr setpriority setrlimit
shmget shmat shmctl msgget msgsnd msgctl semget semop semctl mq_open mq_timedsend memfd_create memfd_secret timer_create
timerfd_create signalfd4 inotify_init1 fanotify_init flock mknod mknodat chown fchown lchown setxattr fsetxattr mlock mlockall
rt_sigqueueinfo rt_tgsigqueueinfo vmsplice splice tee quotactl acct swapon reboot init_module finit_module delete_module
kexec_load syslog name_to_handle_at open_by_handle_at membarrier mbind migrate_pages move_pages process_madvise setsid setpgid
"""
PROBED = {335, 336} if platform.machine() == "x86_64" else set()  # no filter sees these; the kernel kills whoever makes them
NEW = 512  # beyond the last number that the kernel has today
UNIX, STREAM, SOCKET = 1, 1, 1
THREAD = 0x3D0F00  # what pthread_create asks for: CLONE_VM, FS, FILES, SIGHAND, THREAD and more
REFUSED = {
    "socketpair": [(2, STREAM), (10, STREAM), (16, 3), (40, STREAM), (UNIX, 3), (UNIX, STREAM | 0o20000)],
    # TIOCSTI, TIOCSCTTY, TIOCSETD, TIOCLINUX, TCSETS, FIOASYNC, FIONREAD with one bit more, FS_IOC_SETFLAGS
    "ioctl": [(0, it) for it in (0x5412, 0x540E, 0x5423, 0x541C, 0x5402, 0x5452, 0x8000541B, 0x40086602)],
    # PDEATHSIG, DUMPABLE, SECCOMP, THP_DISABLE, MM, SUBREAPER, PTRACER, NO_NEW_PRIVS, TIMERSLACK, CAP_AMBIENT, VMA
    "prctl": [(it,) for it in (1, 4, 22, 41, 35, 36, 0x59616D61, 38, 29, 47, 0x53564D41)],
    "getsockopt": [(0, level, it) for level, it in ((6, 1), (0, 4), (41, 1), (SOCKET, 17), (SOCKET, 59), (SOCKET, 28))],
    # F_SETLK, F_SETLKW, F_SETOWN, F_SETSIG, F_OFD_SETLK, F_SETLEASE, F_NOTIFY, F_SETPIPE_SZ, F_ADD_SEALS
    "fcntl": [(0, it) for it in (6, 7, 8, 10, 37, 1024, 1026, 1031, 1033)],
    # a process, and threads with their own files, in a namespace of their own, traced, or without CLONE_VM
    "clone": [(it,) for it in (17, 0, THREAD & ~0x400, THREAD | 0x10000000, THREAD | 0x2000, THREAD & ~0x100)],
    "close_range": [(1000, 1000, 2), (1000, 1000, 6)],  # CLOSE_RANGE_UNSHARE
    "madvise": [(0, 0, it) for it in (12, 21, 100, 101)],  # MERGEABLE, PAGEOUT, HWPOISON, SOFT_OFFLINE
    "prlimit64": [(1,), (2,)],
    "arch_prctl": [(it,) for it in (0x1002, 0x1012, 0x5001)],
}  # fmt: skip


def run(program: str, *arguments: str, given: object = None) -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, timeout=600)


def number_of(name: str) -> int:
    import pyseccomp

    return pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)


def wrong(expected: dict[tuple[int, ...], int]) -> dict:
    """Return the calls that do not fail as expected, with the error that they got, or 0 for none."""
    failed = run(RESTRICTED, given=[*expected])
    assert failed.returncode == 0, failed
    return {call: got for call, got in zip(expected, json.loads(failed.stdout), strict=True) if got != expected[call]}


def test_every_call_outside_the_table_fails_with_its_error():
    inside = {number_of(name) for name in (*syscalls.ALLOWED.split(), *syscalls.ARGUMENTS)}
    numbers = [number for number in (*range(NEW), 2**30 - 1) if number not in inside | PROBED]
    assert not inside & {number_of(name) for name in NEVER.split()}
    missing = {number_of("clone3"), 452}  # fchmodat2: see open(2) and chmod(2) in glibc, which fall back on ENOSYS alone
    assert wrong({(it, *[-1] * 6): errno.ENOSYS if it in missing else errno.EPERM for it in numbers}) == {}


def test_a_call_with_arguments_outside_its_list_fails():
    assert REFUSED.keys() == syscalls.ARGUMENTS.keys()
    calls = [(number_of(name), *call) for name, refused in REFUSED.items() for call in refused]
    for name, listed in syscalls.ARGUMENTS.items():
        for place, mask, values in listed:
            call = [0] * 6
            for other, _, allowed in listed:
                call[other] = allowed[0]
            for value in (*range(256), 2**31, 2**32 - 1):
                if value & mask not in values:
                    calls.append((number_of(name), *call[:place], value, *call[place + 1 :]))
    calls = [call for call in calls if call[0] >= 0]  # this processor has the call
    # What the kernel ignores makes no difference: the upper half of an int.
    calls += [(number_of("prctl"), 2**32 + 22), (number_of("socketpair"), 2**32 + 2, STREAM), (number_of("ioctl"), 0, 3 << 32)]
    assert wrong(dict.fromkeys(calls, errno.EPERM)) == {}


def test_an_allowed_call_reaches_the_kernel_whatever_is_in_the_half_of_an_argument_that_it_ignores():
    calls = {(number_of("ioctl"), 1000, 0x5401 | high << 32): errno.EBADF for high in (0, 1)}
    calls |= {(number_of("getsockopt"), 1000, SOCKET, 3): errno.EBADF, (number_of("madvise"), 1, 0, 4): errno.EINVAL}
    calls |= {
        (number_of("socketpair"), UNIX, STREAM | 0o2004000, 0, 0): errno.EFAULT,
        (number_of("prctl"), 15, 1): errno.EFAULT,
    }
    assert wrong(calls) == {}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="only these processors run other kinds of programs")
@pytest.mark.parametrize("way", ["int 0x80", "x32"])
def test_a_call_that_is_made_as_other_kinds_of_programs_make_it_ends_the_process(way):
    if run(OTHERWISE, way, "free").returncode:
        pytest.skip("this kernel runs no 32-bit programs")
    assert run(OTHERWISE, way, "restricted").returncode == -signal.SIGSYS


def test_signals_do_not_pile_up():
    ran = run(SIGNALS)
    assert 0 < int(ran.stdout) <= 64, ran
