# Kernel memory, used up by pipes and sockets that nobody reads: their number is limited.
#
# lesson: 03

# %%
import os

ends = []
try:
    while True:
        ends += os.pipe()
        os.set_blocking(ends[-1], False)
        os.write(ends[-1], bytes(2**16))
except OSError:
    count = len(ends)
    for end in ends:
        os.close(end)
assert count < 256, count
