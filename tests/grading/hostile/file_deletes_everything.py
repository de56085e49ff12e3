# Deletes, empties and renames every file there is.
#
# lesson: 03

# %%
import os

deleted = []
for folder, folders, files in os.walk("/"):
    if folder.count("/") == 3:
        folders.clear()
    for name in files + folders:
        path = os.path.join(folder, name)
        for attempt in (os.unlink, os.rmdir, lambda path: os.truncate(path, 0), lambda path: os.rename(path, "/tmp/x")):
            try:
                attempt(path)
                deleted.append(path)
            except OSError:
                continue
assert deleted == [], deleted[:10]
