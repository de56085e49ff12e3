# Asks the connection to the grader who is at the other end, for its process, and for a file of that process.
#
# lesson: 03

# %%
import gc
import socket
import struct

link = next(each for each in gc.get_objects() if type(each).__name__ == "Link")
PEER_PROCESS, PEER_GROUPS, PEER_NAMESPACE = 77, 59, 0x8903
try:
    process, *_ = struct.unpack("3i", link.end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    assert process == 0, process
except PermissionError:
    pass
for option in (PEER_PROCESS, 76, 60):
    try:
        got = link.end.getsockopt(socket.SOL_SOCKET, option)
    except OSError:
        continue
    assert option != PEER_PROCESS, got
