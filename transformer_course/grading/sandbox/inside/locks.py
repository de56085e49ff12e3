"""The locks around a learner's process, set by the process itself before it runs a line of theirs.

They are plain system calls through ctypes; each raises OSError when the system refuses it. See namespaces(7), tmpfs(5),
capabilities(7), seccomp(2).
"""

import ctypes
import os
import resource

from transformer_course.runner import limits

NEW_MOUNTS, NEW_IPC, NEW_USER, NEW_PIDS, NEW_NET = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
READ_ONLY, NO_SUID, NO_DEVICES, NO_EXEC, RECURSIVE, PRIVATE = 0x1, 0x2, 0x4, 0x8, 0x4000, 0x40000
SET_DUMPABLE, SET_SECCOMP, SET_NO_NEW_PRIVILEGES, SECCOMP_FILTER = 4, 22, 38, 2
CAPABILITY_VERSION = 0x20080522
NOBODY = 65534
SCRATCH = "/tmp"  # the only place that can be written, and this process's alone

_libc = ctypes.CDLL(None, use_errno=True)


def _call(what: str, *arguments) -> None:
    if getattr(_libc, what)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def drop_root() -> None:
    """Root becomes nobody, so that what only root may do or read is out of reach, and limits hold."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        _call("prctl", SET_DUMPABLE, 1, 0, 0, 0)  # else /proc/self belongs to root, and no namespace can be made


def new_namespaces(flags: int) -> None:
    """Enter namespaces of one's own, a user namespace among them; with NEW_PIDS, the next child is its first process."""
    user, group = os.geteuid(), os.getegid()
    _call("unshare", NEW_USER | flags)
    for file, content in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{file}", "w") as opened:
            opened.write(content)


def new_processes() -> None:
    """Once more, the next child is the first process of a namespace."""
    _call("unshare", NEW_PIDS)


def back_to(namespace: int) -> None:
    """Children belong to one's own process namespace again, which an open file stands for."""
    _call("setns", namespace, NEW_PIDS)


def private_files() -> None:
    """One folder that can be written, small, and this process's alone; and nothing to be learned of other processes."""
    _call("mount", None, b"/", None, RECURSIVE | PRIVATE, None)
    options = f"size={limits.SCRATCH_BYTES},nr_inodes={limits.SCRATCH_FILES},mode=700".encode()
    _call("mount", b"tmpfs", SCRATCH.encode(), b"tmpfs", NO_SUID | NO_DEVICES, options)
    _call("mount", b"tmpfs", b"/proc", b"tmpfs", NO_SUID | NO_DEVICES | NO_EXEC | READ_ONLY, b"size=4096,mode=555")
    os.chdir(SCRATCH)


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Instruction(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def give_up_rights(program: bytes, memory: int) -> None:
    """Resource limits, no capabilities, no way to new rights, and only the system calls that ``program`` lets through."""
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, limits.PROCESSOR_SECONDS),
        (resource.RLIMIT_FSIZE, limits.SCRATCH_BYTES),
        (resource.RLIMIT_NOFILE, limits.OPEN_FILES),
        (resource.RLIMIT_NPROC, limits.THREADS),
        (resource.RLIMIT_CORE, 1),  # with 0, a crash would still start the crash reporter of the system (core(5)); not with 1
    ):
        resource.setrlimit(what, (most, most))
    nothing = (ctypes.c_uint32 * 6)()
    _call("capset", ctypes.byref(_CapabilityHeader(CAPABILITY_VERSION, 0)), ctypes.byref(nothing))
    _call("prctl", SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    _call("prctl", SET_SECCOMP, SECCOMP_FILTER, ctypes.byref(_Instruction(len(program) // 8, program)), 0, 0)
