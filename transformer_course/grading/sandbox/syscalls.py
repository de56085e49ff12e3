"""The system calls that a learner's process may make: those that Python, NumPy and torch need, and no others.

They cannot start programs or processes (only threads), open sockets to anywhere, make namespaces or mounts, trace, or watch
or lease files that everybody sees, or move to another processor, and they include no keys, shared memory, timers that take
kernel memory, io_uring or bpf. Where a call does many things, its arguments are listed too.

A call that is not listed fails with EPERM, so learners' code sees an ordinary error. A call that is made as a program for
another kind of processor makes it (on x86-64: int 0x80 and x32) ends the process: no honest code in here does that.
"""

import errno
import itertools
import tempfile

ALLOWED = """
read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek sendfile copy_file_range
open openat openat2 creat close dup dup2 dup3 fsync fdatasync sync_file_range
stat lstat fstat newfstatat statx statfs fstatfs listxattr llistxattr flistxattr
access faccessat faccessat2 readlink readlinkat getcwd chdir fchdir getdents getdents64 umask
mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat
truncate ftruncate fallocate fadvise64 chmod fchmod fchmodat utime utimes utimensat futimesat
mmap munmap mprotect mremap brk msync
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack kill tkill tgkill
pause alarm setitimer getitimer futex futex_waitv set_robust_list rseq set_tid_address exit exit_group restart_syscall
sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max
sched_get_priority_min getcpu getpriority
getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp getpgid getsid
getrlimit getrusage times sysinfo uname capget wait4 waitid
time gettimeofday clock_gettime clock_getres clock_nanosleep nanosleep getrandom
select pselect6 poll ppoll epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2
pipe pipe2 sendto recvfrom sendmsg recvmsg shutdown getsockname getpeername
"""

WORD = 2**32 - 1  # the part of an argument that the kernel reads as an int
# Calls with listed arguments: the place of each argument, the part of it that counts, and the values that are allowed.
ARGUMENTS = {
    # What pthread_create(3) asks for. A thread with a table of its own for open files would escape their limit.
    "clone": [(0, WORD, [0x3D0F00])],
    "close_range": [(2, WORD ^ 4, [0])],  # flags: CLOSE_RANGE_CLOEXEC, and not CLOSE_RANGE_UNSHARE, which makes such a table
    # Copies and flags of open files, and a pipe's size, which nobody can raise. No locks: on a file that everybody sees,
    # they are messages.
    "fcntl": [(1, WORD, [0, 1, 2, 3, 4, 1030, 1032])],
    # TCGETS, TIOCGPGRP, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX, FICLONE, and TCGETS2 of newer C libraries.
    "ioctl": [(1, WORD, [0x5401, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x40049409, 0x802C542A])],
    # PR_SET_NAME, PR_GET_NAME, PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS, and PR_SVE_GET_VL, which libraries for ARM ask for. No
    # further filters: the kernel would have to keep them all.
    "prctl": [(0, WORD, [15, 16, 21, 39, 51])],
    "arch_prctl": [(0, WORD, [0x1021, 0x1022, 0x1023])],  # may torch use the processor's matrices? (ARCH_…_XCOMP_…)
    # Everything but what shares pages with others (MADV_MERGEABLE), evicts or breaks them.
    "madvise": [(2, WORD, [0, 1, 2, 3, 4, 8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 102, 103])],
    "prlimit64": [(0, WORD, [0])],  # of this process
    "socketpair": [(0, WORD, [1]), (1, WORD ^ 0o2004000, [1, 2, 5])],  # AF_UNIX; flags: SOCK_CLOEXEC, SOCK_NONBLOCK
    # SOL_SOCKET: SO_TYPE, SO_ERROR, SO_SNDBUF, SO_RCVBUF, SO_ACCEPTCONN, SO_PROTOCOL, SO_DOMAIN.
    "getsockopt": [(1, WORD, [1]), (2, WORD, [3, 4, 7, 8, 30, 38, 39])],
}
# clone3, whose flags a filter cannot read, and fchmodat2, by their numbers, which older libseccomps have no names for. If they
# do not exist (ENOSYS), and only then, C libraries fall back to clone and fchmodat.
MISSING = (435, 452)


def program() -> bytes:
    """Return the filter in the form that the kernel takes. Raises ImportError or OSError if libseccomp is missing."""
    import pyseccomp

    rules = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.EPERM))
    rules.set_attr(pyseccomp.Attr.ACT_BADARCH, pyseccomp.KILL_PROCESS)  # not the thread alone, for which others may wait
    for name in ALLOWED.split():
        rules.add_rule(pyseccomp.ALLOW, name)
    for name, listed in ARGUMENTS.items():
        for values in itertools.product(*(values for _, _, values in listed)):
            wanted = [
                pyseccomp.Arg(place, pyseccomp.MASKED_EQ, mask, value)
                for (place, mask, _), value in zip(listed, values, strict=True)
            ]
            rules.add_rule(pyseccomp.ALLOW, name, *wanted)
    for number in MISSING:
        rules.add_rule(pyseccomp.ERRNO(errno.ENOSYS), number)
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
