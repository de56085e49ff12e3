"""The restrictions on a learner's process, which it imposes on itself before it runs a line of learners' code.

They are plain system calls through ctypes. Each raises OSError if the system refuses it. See namespaces(7), tmpfs(5),
capabilities(7) and seccomp(2).
"""

import ctypes
import os
import re
import resource

from transformer_course.runner import limits

NEW_MOUNTS, NEW_IPC, NEW_USER, NEW_PIDS, NEW_NET = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
READ_ONLY, NO_SUID, NO_DEVICES, NO_EXEC, RECURSIVE, PRIVATE = 0x1, 0x2, 0x4, 0x8, 0x4000, 0x40000
SET_DUMPABLE, SET_SECCOMP, SET_NO_NEW_PRIVILEGES, SECCOMP_FILTER = 4, 22, 38, 2
CAPABILITY_VERSION = 0x20080522
NOBODY = 65534
SCRATCH = "/tmp"  # the only folder that the process can write to; no other process sees its files

_libc = ctypes.CDLL(None, use_errno=True)


def _call(name: str, *arguments) -> None:
    if getattr(_libc, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def drop_root() -> None:
    """Turn root into the user "nobody", so that root's rights and files are out of reach, and resource limits apply."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        _call("prctl", SET_DUMPABLE, 1, 0, 0, 0)  # otherwise root owns /proc/self, and we can make no namespace


def new_namespaces(flags: int) -> None:
    """Enter new namespaces, always including a user namespace. With NEW_PIDS, the next child becomes process 1 of its own."""
    user, group = os.geteuid(), os.getegid()
    _call("unshare", NEW_USER | flags)
    for file, content in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{file}", "w") as opened:
            opened.write(content)


def new_process_namespace() -> None:
    """Make the next child process 1 of another new namespace."""
    _call("unshare", NEW_PIDS)


def return_to_process_namespace(namespace: int) -> None:
    """Start later children in our own process namespace again. ``namespace`` is an open file that stands for it."""
    _call("setns", namespace, NEW_PIDS)


def private_files() -> None:
    """Mount one small private folder that the process can write to, and hide all other processes from it."""
    _call("mount", None, b"/", None, RECURSIVE | PRIVATE, None)
    options = f"size={limits.SCRATCH_BYTES},nr_inodes={limits.SCRATCH_FILES},mode=700".encode()
    _call("mount", b"tmpfs", SCRATCH.encode(), b"tmpfs", NO_SUID | NO_DEVICES, options)
    _call("mount", b"tmpfs", b"/proc", b"tmpfs", NO_SUID | NO_DEVICES | NO_EXEC | READ_ONLY, b"size=4096,mode=555")
    os.chdir(SCRATCH)


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def threads(release: str, most: int) -> int:
    """Return the limit on threads for a kernel and the limit ``most`` that this process cannot raise.

    Linux counts those of our own user namespace alone, but before 5.14 it counted all processes of a user. There the limit
    only keeps one learner from using up the computer's: it must leave room for everybody else's.
    """
    version = tuple(map(int, re.findall(r"\d+", release)[:2]))
    limit = limits.THREADS if version >= (5, 14) else 100 * limits.THREADS
    return limit if most == resource.RLIM_INFINITY else min(limit, most)


def give_up_rights(syscall_filter: bytes, memory: int) -> None:
    """Limit resources, drop all capabilities for good, and allow only the system calls that ``syscall_filter`` lets pass."""
    for resource_kind, limit in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, limits.PROCESSOR_SECONDS),
        (resource.RLIMIT_FSIZE, limits.SCRATCH_BYTES),
        (resource.RLIMIT_NOFILE, limits.OPEN_FILES),
        (resource.RLIMIT_NPROC, threads(os.uname().release, resource.getrlimit(resource.RLIMIT_NPROC)[1])),
        (resource.RLIMIT_SIGPENDING, limits.PENDING_SIGNALS),
        (resource.RLIMIT_CORE, 1),  # unlike 0, this keeps the system's crash reporter from starting (core(5))
    ):
        resource.setrlimit(resource_kind, (limit, limit))
    no_capabilities = (ctypes.c_uint32 * 6)()
    _call("capset", ctypes.byref(_CapabilityHeader(CAPABILITY_VERSION, 0)), ctypes.byref(no_capabilities))
    allow_system_calls(syscall_filter)


def allow_system_calls(syscall_filter: bytes) -> None:
    """Allow only the system calls that ``syscall_filter`` lets pass, for good."""
    _call("prctl", SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    _call("prctl", SET_SECCOMP, SECCOMP_FILTER, ctypes.byref(_Filter(len(syscall_filter) // 8, syscall_filter)), 0, 0)
