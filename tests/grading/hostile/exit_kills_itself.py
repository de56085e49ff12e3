# Process 1 of a namespace cannot kill itself: nothing happens, and the answer after it is right.
#
# lesson: 03

# %% exercise="attention.shapes"
import os
import signal

for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM):
    os.kill(os.getpid(), number)
shapes = [(7, 6), (11, 6), (11, 10), (7, 11), (7, 10)]
