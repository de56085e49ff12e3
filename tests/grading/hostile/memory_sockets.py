# Kernel memory, used up by pairs of sockets that are full of messages nobody receives. It is kept to the end.
#
# lesson: 03

# %%
import socket

pairs, held = [], 0
try:
    while True:
        pairs.append(socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
        pairs[-1][0].setblocking(False)
        try:
            while True:
                held += pairs[-1][0].send(bytes(2**16))
        except BlockingIOError:
            pass
except OSError:
    pairs.clear()
assert 0 < held <= 64 * 2**20, held
