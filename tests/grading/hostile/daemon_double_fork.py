# A process that would outlive the notebook, started in every possible way.
#
# lesson: 03

# %%
import multiprocessing
import os
import subprocess
import sys

started = []
for start in (
    os.fork,
    lambda: os.posix_spawn(sys.executable, ["python"], {}),
    lambda: subprocess.Popen([sys.executable, "-c", "pass"]),
    lambda: multiprocessing.get_context("fork").Process(target=print).start(),
    lambda: multiprocessing.get_context("spawn").Process(target=print).start(),
    lambda: os.execv(sys.executable, ["python"]),
    os.setsid,
    lambda: os.setpgid(0, 0),
):
    try:
        started.append(start())
    except OSError:
        continue
assert started == [], started
