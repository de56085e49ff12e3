# Threads that start and end as fast as they can, while the process only waits: whoever counts them meets some that are gone.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout)
# says: was stopped after

# %% exercise="attention.scaled_dot_product"
import _thread
import contextlib
import time


def scaled_dot_product(query, key, value):
    while True:
        with contextlib.suppress(RuntimeError):
            for _ in range(30):
                _thread.start_new_thread(time.sleep, (0.001,))
        time.sleep(0.002)
