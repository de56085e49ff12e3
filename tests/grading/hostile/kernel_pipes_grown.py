# Pipes, each made as large as the kernel allows and filled: it lets one user have only so much in all pipes together.
#
# lesson: 03

# %%
import contextlib
import fcntl
import os

ends, held = [], 0
try:
    while True:
        ends += os.pipe()
        with contextlib.suppress(OSError):
            fcntl.fcntl(ends[-1], fcntl.F_SETPIPE_SZ, 2**20)
        os.set_blocking(ends[-1], False)
        held += os.write(ends[-1], bytes(2**20))
except OSError:
    for end in ends:
        os.close(end)
assert held <= 16 * 2**20, held
