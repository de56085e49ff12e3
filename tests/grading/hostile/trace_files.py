# Watches, locks and leases files that all submissions see.
#
# lesson: 03

# %%
import contextlib
import ctypes
import fcntl

libc = ctypes.CDLL(None, use_errno=True)
assert libc.inotify_init() == -1
assert libc.fanotify_init(0, 0) == -1
assert libc.memfd_create(b"left-by-hostile", 0) == -1
assert libc.shmget(1, 4096, 0o1600) == -1
taken = []
with open("/course/transformer_course/runner/run.py") as file:
    for lease in (fcntl.F_RDLCK, fcntl.F_WRLCK):
        with contextlib.suppress(OSError):
            taken.append(fcntl.fcntl(file, fcntl.F_SETLEASE, lease))
    with contextlib.suppress(OSError):
        taken.append(fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB))
assert taken == [], taken
