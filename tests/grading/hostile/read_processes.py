# Looks at other processes, and at its own memory and environment, through /proc and /sys.
#
# lesson: 03

# %%
import os

assert os.listdir("/proc") == []
for name in ("self/maps", "self/mem", "self/environ", "1/environ", "1/root", "sys/kernel/hostname", "mounts"):
    assert not os.path.exists(f"/proc/{name}"), name
assert os.listdir("/sys") == ["devices"] or sorted(os.listdir("/sys")) == ["devices", "kernel"], os.listdir("/sys")
assert os.getpid() == 1
assert os.getppid() == 0
