# Signals to the process group (which must not contain the sandbox's own processes), to all processes, and to every number.
#
# lesson: 03

# %%
import contextlib
import os
import signal

for number in (signal.SIGTERM, signal.SIGSTOP, signal.SIGHUP, signal.SIGKILL):
    for whom in (0, -1, os.getppid(), *range(-100, 1000)):
        with contextlib.suppress(OSError):
            os.kill(whom, number)
    with contextlib.suppress(OSError):
        os.killpg(0, number)
