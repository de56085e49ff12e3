# A signal that the kernel sends when a file becomes ready, addressed to another process or group.
#
# lesson: 03

# %%
import fcntl
import os
import signal
import socket

left, right = socket.socketpair()
for owner in (-1, 0, 2, -2, os.getpgrp()):
    try:
        fcntl.fcntl(left, fcntl.F_SETOWN, owner)
    except OSError:
        continue
    fcntl.fcntl(left, 10, signal.SIGKILL)  # F_SETSIG
    fcntl.fcntl(left, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    right.send(b"x")
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
signal.signal(signal.SIGALRM, signal.SIG_IGN)
