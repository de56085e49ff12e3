# Connections to anywhere, by TCP, UDP and raw packets, over IPv4 and IPv6, and to the kernel.
#
# lesson: 03

# %%
import contextlib
import socket

opened = []
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, socket.AF_PACKET, socket.AF_VSOCK):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
        with contextlib.suppress(OSError):
            opened.append(socket.socket(family, kind))
for pair in ((socket.AF_INET, socket.SOCK_STREAM), (socket.AF_INET, socket.SOCK_DGRAM)):
    with contextlib.suppress(OSError):
        opened.append(socket.socketpair(*pair))
assert opened == [], opened
