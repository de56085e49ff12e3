# Looks for files and sockets that were left open: there is the one to the grader, and nothing else.
#
# lesson: 03

# %%
import os
import stat

kinds = {}
for end in range(1024):
    try:
        kinds[end] = stat.S_IFMT(os.fstat(end).st_mode)
    except OSError:
        continue
sockets = [end for end, kind in kinds.items() if kind == stat.S_IFSOCK]
assert len(sockets) == 1, kinds
assert all(kind == stat.S_IFCHR for end, kind in kinds.items() if end not in sockets), kinds
