# Pairs of sockets of every family that there is: each loads a part of the kernel that nobody has looked at for years.
#
# lesson: 03

# %%
import ctypes
import itertools

AF_UNIX, libc = 1, ctypes.CDLL(None, use_errno=True)
pair = (ctypes.c_int * 2)()
kinds = itertools.product([family for family in range(64) if family != AF_UNIX], (1, 2, 3, 4, 5))
got = [kind for kind in kinds if libc.socketpair(*kind, 0, pair) == 0 or libc.socket(*kind, 0) != -1]
assert got == [], got
