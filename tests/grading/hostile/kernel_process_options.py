# Options of its own process that could hide it, keep rights, or tie it to others; what is allowed changes only itself.
#
# lesson: 03

# %%
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
KEEP_RIGHTS, SECURE_BITS, MEMORY_MAP, AMBIENT, CORE_SCHEDULING, KILL_EARLY = 8, 28, 35, 47, 62, 33
for option in (1, 4, 26, 29, 36, 41, 52, 53, 59, 0x59616D61):
    libc.prctl(option, 0, 0, 0, 0)
got = [option for option in (SECURE_BITS, MEMORY_MAP, AMBIENT) if libc.prctl(option, 2, 3, 0, 0) == 0]
assert got == [], got
assert libc.setresuid(0, 0, 0) == libc.setresgid(0, 0, 0) == -1
assert libc.prctl(CORE_SCHEDULING, 1, 0, 1, 0) == -1  # a core's other half would be kept from everybody else
