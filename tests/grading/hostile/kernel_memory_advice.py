# Advice about memory: to lock it all, to give pages back broken, to share them with other processes by their contents.
#
# lesson: 03

# %%
import ctypes
import mmap

libc = ctypes.CDLL(None, use_errno=True)
BROKEN, OFFLINE, MERGEABLE, HUGE = 100, 101, 12, 14
area = mmap.mmap(-1, 2**28)
start = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(area)))
assert libc.madvise(start, 4096, BROKEN) == libc.madvise(start, 4096, OFFLINE) == -1
assert libc.mlockall(7) == -1
for advice in (MERGEABLE, HUGE, 8, 9, 11, 16, 18, 19, 20, 21, 23):
    libc.madvise(start, 2**28, advice)
libc.mlock(start, 2**28)
