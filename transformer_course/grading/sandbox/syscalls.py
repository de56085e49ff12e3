"""The system calls that a learner's process may make: those that Python, NumPy and torch need, and no others.

They cannot start programs or processes (only threads), open sockets to anywhere, make namespaces or mounts, trace, or watch
or lease files that everybody sees, or move to another processor, and they include no keys, shared memory, io_uring or bpf. A
call that is not listed fails with EPERM, so learners' code sees an ordinary error.
"""

import errno
import tempfile

ALLOWED = """
read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek _llseek sendfile copy_file_range
open openat openat2 creat close close_range dup dup2 dup3 ioctl fsync fdatasync sync_file_range
stat lstat fstat stat64 lstat64 fstat64 newfstatat fstatat64 statx statfs fstatfs statfs64 fstatfs64
access faccessat faccessat2 readlink readlinkat getcwd chdir fchdir getdents getdents64 umask
mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat
truncate ftruncate truncate64 ftruncate64 fallocate fadvise64 chmod fchmod fchmodat utime utimes utimensat futimesat
mmap mmap2 munmap mprotect mremap madvise brk mincore msync mlock munlock membarrier
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack sigreturn kill tkill tgkill
pause alarm setitimer getitimer timer_create timer_settime timer_gettime timer_getoverrun timer_delete
futex futex_waitv set_robust_list get_robust_list rseq set_tid_address arch_prctl prctl exit exit_group restart_syscall
sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max
sched_get_priority_min getcpu getpriority
getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp getpgid getsid
getrlimit ugetrlimit prlimit64 getrusage times sysinfo uname capget wait4 waitid
time gettimeofday clock_gettime clock_getres clock_nanosleep nanosleep clock_gettime64 clock_nanosleep_time64 getrandom
select pselect6 poll ppoll epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2
pipe pipe2 socketpair sendto recvfrom sendmsg recvmsg shutdown getsockopt getsockname getpeername
"""

THREAD, NAMESPACES = 0x10000, 0x7E020080  # flags of clone(2)
# Commands of fcntl(2): copies and flags of open files, pipe sizes. No locks: on a file that everybody sees, they are messages.
FCNTL = (*range(5), 1030, 1031, 1032)


def program() -> bytes:
    """Return the filter in the form that the kernel takes. Raises ImportError or OSError if libseccomp is missing."""
    import pyseccomp

    rules = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.EPERM))
    for name in ALLOWED.split():
        rules.add_rule(pyseccomp.ALLOW, name)
    thread = pyseccomp.Arg(0, pyseccomp.MASKED_EQ, THREAD | NAMESPACES, THREAD)
    rules.add_rule(pyseccomp.ALLOW, "clone", thread)
    for command in FCNTL:
        rules.add_rule(pyseccomp.ALLOW, "fcntl", pyseccomp.Arg(1, pyseccomp.MASKED_EQ, 2**32 - 1, command))
    rules.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "clone3")  # a filter cannot read its flags; C libraries fall back to clone
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
