# Sockets that hold each other's ends in messages nobody reads: only the kernel's own collector of garbage can close them.
#
# lesson: 03

# %%
import socket

for _ in range(2000):
    left, right = socket.socketpair()
    try:
        socket.send_fds(left, [b"x"], [right.fileno(), left.fileno()])
        socket.send_fds(right, [b"x"], [right.fileno(), left.fileno()])
    except OSError:
        pass
    left.close()
    right.close()
