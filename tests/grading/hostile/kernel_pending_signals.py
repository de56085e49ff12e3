# Signals by the thousand that are blocked and so wait in the kernel, which counts them for everybody of the same user.
#
# lesson: 03

# %%
import signal
import threading

signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGRTMIN})
count = 0
try:
    while count < 20_000:
        signal.pthread_kill(threading.get_ident(), signal.SIGRTMIN)
        count += 1
except BlockingIOError:
    pass
assert count <= 4096, count
