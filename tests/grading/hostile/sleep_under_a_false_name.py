# Threads named as if they were computing, in a process that hides what it can of itself, and sleeps.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout)
# says: was stopped after

# %% exercise="attention.scaled_dot_product"
import ctypes
import time


def scaled_dot_product(query, key, value):
    libc = ctypes.CDLL(None)
    libc.prctl(15, b"x) R 1 1 (R", 0, 0, 0)
    libc.prctl(4, 0, 0, 0, 0)
    time.sleep(10**6)
