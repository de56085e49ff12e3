# Orders to terminals and devices, among them those that type in somebody else's name, to every file that can be opened.
#
# lesson: 03

# %%
import contextlib
import fcntl
import os

CONTROL, TYPE, CONSOLE, SETTINGS = 0x540E, 0x5412, 0x541C, 0x5402
ADD_ENTROPY, FREEZE, FLAGS = 0x40085203, 0xC0045877, 0x40086602
files = [0, 1, 2]
for folder, _, names in os.walk("/dev"):
    for name in names:
        with contextlib.suppress(OSError):
            files.append(os.open(os.path.join(folder, name), os.O_RDWR | os.O_NONBLOCK))
files.append(os.open("/", os.O_RDONLY))
done = []
for file in files:
    for order in (CONTROL, TYPE, CONSOLE, SETTINGS, ADD_ENTROPY, FREEZE, FLAGS):
        with contextlib.suppress(OSError):
            done.append((file, order, fcntl.ioctl(file, order, bytes(64))))
assert done == [], done
