# Timers by the thousand: the kernel counts them together with those of everybody who has the same user.
#
# lesson: 03

# %%
import ctypes

libc, REALTIME = ctypes.CDLL(None), 0
timer, count = ctypes.c_void_p(), 0
while count < 20_000 and libc.timer_create(REALTIME, None, ctypes.byref(timer)) == 0:
    count += 1
assert count <= 4096, count
