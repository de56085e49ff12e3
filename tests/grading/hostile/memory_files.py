# Endless files in the only writable folder: it holds 32 MB in 4096 files, which nobody else can see.
#
# lesson: 03

# %%
import os

written = 0
try:
    with open("/tmp/left-by-hostile", "wb") as file:
        while True:
            written += file.write(bytes(2**20))
except OSError:
    os.truncate("/tmp/left-by-hostile", 0)
count = 0
try:
    while True:
        os.mkdir(f"/tmp/left-by-hostile-{count}")
        count += 1
except OSError:
    pass
assert 0 < written <= 32 * 2**20, written
assert 0 < count <= 4096, count
