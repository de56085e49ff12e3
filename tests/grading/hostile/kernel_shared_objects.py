# Memory, semaphores and queues that outlive a process, in all their forms.
#
# lesson: 03

# %%
import ctypes
import os
from multiprocessing import shared_memory

libc = ctypes.CDLL(None, use_errno=True)
made = [libc.semget(1, 1, 0o1600), libc.msgget(1, 0o1600), libc.shmget(2, 4096, 0o1600)]
made += [libc.shm_open(b"/left-by-hostile", os.O_CREAT | os.O_RDWR, 0o600)]
if os.uname().machine == "x86_64":
    made += [libc.syscall(240, b"left-by-hostile", os.O_CREAT | os.O_RDWR, 0o600, None), libc.syscall(447, 0)]
for make in (lambda: shared_memory.SharedMemory("left-by-hostile", True, 4096), lambda: os.memfd_create("left-by-hostile")):
    try:
        made.append(make())
    except OSError:
        continue
assert set(made) == {-1}, made
