# Folders in folders, to a depth that no path can name, and names of the greatest length.
#
# lesson: 03

# %%
import os

depth = 0
try:
    while depth < 10**4:
        os.mkdir("d" * 255)
        os.chdir("d" * 255)
        depth += 1
except OSError:
    pass
assert 16 < depth <= 4096, depth
os.chdir("/")
