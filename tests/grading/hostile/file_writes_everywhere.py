# Leaves a file in every folder there is. Only one folder is writable, and it is gone when its process ends.
#
# lesson: 03

# %%
import os

written = []
for folder, folders, _ in os.walk("/"):
    if folder.count("/") == 3:
        folders.clear()
    for make in (os.mkdir, lambda path: os.symlink("/etc", path), lambda path: os.open(path, os.O_CREAT | os.O_WRONLY)):
        try:
            make(os.path.join(folder, f"left-by-hostile-{len(written)}"))
            written.append(folder)
        except OSError:
            continue
assert {folder for folder in written if not folder.startswith("/tmp")} == set(), written
