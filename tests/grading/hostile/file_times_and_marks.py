# Changes what a file says about itself where its contents are out of reach: times, owners, rights, marks, through open files.
#
# lesson: 03

# %%
import ctypes
import os

libc, CWD = ctypes.CDLL(None, use_errno=True), -100
path = b"/course/transformer_course/runner/run.py"
file = os.open(path, os.O_RDONLY)
done = [libc.fchmod(file, 0o777), libc.fchmodat(CWD, path, 0o777, 0), libc.fchown(file, 65534, 65534)]
done += [libc.futimens(file, None), libc.utimensat(CWD, path, None, 0), libc.ftruncate(file, 0), libc.fallocate(file, 0, 0, 9)]
done += [libc.fsetxattr(file, b"user.seen", b"1", 1, 0), libc.renameat2(CWD, path, CWD, b"/tmp/x", 0)]
done += [libc.linkat(file, b"", CWD, b"/tmp/left-by-hostile", 0x1000), libc.fremovexattr(file, b"user.seen")]
assert set(done) == {-1}, done
