# What is to happen when the interpreter ends, or when the answer is thrown away, finds nobody waiting.
#
# lesson: 03

# %%
import atexit
import time


class Last:
    def __del__(self):
        time.sleep(10**6)


keep = [Last(), atexit.register(time.sleep, 10**6)]
