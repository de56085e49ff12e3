# Writes through memory that is mapped onto files everybody sees.
#
# lesson: 03

# %%
import contextlib
import mmap
import os
import sys

mapped = []
for path in (os.__file__, "/course/transformer_course/runner/run.py", "/packages/numpy/__init__.py", sys.executable):
    for flags in (os.O_RDWR, os.O_RDONLY):
        with contextlib.suppress(OSError, ValueError):
            file = os.open(path, flags)
            area = mmap.mmap(file, 0, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
            area[:1] = b"#"
            mapped.append(path)
assert mapped == [], mapped
