# The first thread ends, and another one goes on waiting: the process is still there, and must be stopped.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout|ended)

# %% exercise="attention.scaled_dot_product"
import ctypes
import threading
import time


def scaled_dot_product(query, key, value):
    libc = ctypes.CDLL(None)
    threading.Thread(target=ctypes.PyDLL(None).usleep, args=(10**9,), daemon=True).start()
    threading.Thread(target=time.sleep, args=(10**6,), daemon=True).start()
    time.sleep(0.05)
    libc.syscall(60 if ctypes.sizeof(ctypes.c_long) == 8 else 1, 0)
