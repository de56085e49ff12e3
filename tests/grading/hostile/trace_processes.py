# Debugs other processes and itself, and reads their memory.
#
# lesson: 03

# %%
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
TRACE_ME, ATTACH, SEIZE = 0, 16, 0x4206
PIDFD_OPEN, PIDFD_GETFD, PERF_EVENT_OPEN, BPF, USERFAULTFD, IO_URING, KCMP = 434, 438, 298, 321, 323, 425, 312


class Range(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


done = [libc.ptrace(request, pid, None, None) for request in (TRACE_ME, ATTACH, SEIZE) for pid in range(50)]
place = ctypes.create_string_buffer(64)
here = Range(ctypes.addressof(place), 64)
for read in (libc.process_vm_readv, libc.process_vm_writev):
    done += [read(pid, ctypes.byref(here), 1, ctypes.byref(here), 1, 0) for pid in range(50)]
if os.uname().machine == "x86_64":
    for number in (PIDFD_OPEN, PIDFD_GETFD, PERF_EVENT_OPEN, BPF, USERFAULTFD, IO_URING, KCMP):
        done.append(libc.syscall(number, 1, 0, 0, 0, 0))
assert set(done) == {-1}, done
