# A timer that interrupts this process ten thousand times a second, while it answers.
#
# lesson: 03

# %%
import signal

signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 1e-4, 1e-4)
