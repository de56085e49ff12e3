# An alarm that nobody handles, and a timer that asks for the harshest signal: process 1 of a namespace outlives them.
#
# lesson: 03

# %% exercise="attention.shapes"
import signal
import time

for timer in (signal.ITIMER_REAL, signal.ITIMER_PROF, signal.ITIMER_VIRTUAL):
    signal.setitimer(timer, 0.001)
end = time.process_time() + 0.02
while time.process_time() < end:
    pass
shapes = [(7, 6), (11, 6), (11, 10), (7, 11), (7, 10)]
