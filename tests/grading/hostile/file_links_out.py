# Links from the writable folder to other files, new owners, devices and times, and a way out of the root by "..".
#
# lesson: 03

# %%
import os

os.symlink("/course/transformer_course/runner/run.py", "/tmp/left-by-hostile")
refused = 0
for attempt in (
    lambda: os.open("/tmp/left-by-hostile", os.O_WRONLY),
    lambda: os.link("/course/transformer_course/runner/run.py", "/tmp/left-by-hostile-hard"),
    lambda: os.rename("/course", "/tmp/left-by-hostile-course"),
    lambda: os.utime("/course/transformer_course/runner/run.py", (0, 0)),
    lambda: os.setxattr("/course/transformer_course/runner/run.py", "user.mark", b"1"),
    lambda: os.mknod("/tmp/left-by-hostile-disk", 0o60666, os.makedev(8, 0)),
    lambda: os.chown("/tmp", 0, 0),
):
    try:
        attempt()
    except OSError:
        refused += 1
assert refused == 7, refused
root = os.open("/", os.O_RDONLY)
assert sorted(os.listdir(os.open("../../..", os.O_RDONLY, dir_fd=root))) == sorted(os.listdir("/"))
