# Code that waits for ever when the interpreter exits or the answer is deleted: nobody waits for it.
#
# lesson: 03

# %%
import atexit
import time


class Last:
    def __del__(self):
        time.sleep(10**6)


keep = [Last(), atexit.register(time.sleep, 10**6)]
