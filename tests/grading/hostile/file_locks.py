# Locks parts of a file that its neighbour sees too: which parts are locked could be a message.
#
# lesson: 03

# %%
import fcntl
import os
import struct

LEASE, OPEN_FILE_LOCK, NOTIFY = 1024, 37, 1026  # F_SETLEASE, F_OFD_SETLK, F_NOTIFY
lock = struct.pack("hhqqi", fcntl.F_RDLCK, os.SEEK_SET, 7, 1, 0)
with open(os.__file__, "rb") as shared:
    for command, argument in (
        (fcntl.F_SETLK, lock),
        (fcntl.F_GETLK, lock),
        (OPEN_FILE_LOCK, lock),
        (LEASE, fcntl.F_RDLCK),
        (NOTIFY, 1),
    ):
        try:
            fcntl.fcntl(shared, command, argument)
        except PermissionError:
            continue
        raise AssertionError(command)
    for lock_whole_file in (fcntl.flock, fcntl.lockf):
        try:
            lock_whole_file(shared, fcntl.LOCK_SH)
        except PermissionError:
            continue
        raise AssertionError(lock_whole_file)
