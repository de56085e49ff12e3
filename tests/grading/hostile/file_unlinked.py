# Files that have no name any more but are still open, and sparse ones that claim to be enormous: their space is counted too.
#
# lesson: 03

# %%
import os

files, held = [], 0
try:
    while True:
        files.append(os.open("left-by-hostile", os.O_CREAT | os.O_RDWR))
        os.unlink("left-by-hostile")
        held += os.write(files[-1], bytes(2**20))
except OSError:
    pass
for file in files:
    os.truncate(file, 0)
    try:
        os.truncate(file, 2**40)
        held += 2**40
    except OSError:
        pass
assert 0 < held <= 32 * 2**20, held
