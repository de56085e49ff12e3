# Sockets on this computer: by name, in the abstract namespace that only namespaces close, and through one half of a pair.
#
# lesson: 03

# %%
import contextlib
import socket

sent = []
with contextlib.suppress(OSError):
    sent.append(socket.socket(socket.AF_UNIX))
for what in ("bind", "connect", "sendto"):
    for name in ("/tmp/left-by-hostile-socket", "\0left-by-hostile", "/run/dbus/system_bus_socket", "/dev/log"):
        half, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        with contextlib.suppress(OSError):
            getattr(half, what)(*([b"x"] if what == "sendto" else []), name)
            sent.append((what, name))
assert sent == [], sent
