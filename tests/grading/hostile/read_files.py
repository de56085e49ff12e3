# Searches all files for answers: the catalogue, the solved sheets, other submissions, the teacher's home.
#
# lesson: 03

# %%
import os

found = []
for folder, folders, files in os.walk("/"):
    if folder.count("/") == 4:
        folders.clear()
    for name in folders + files:
        path = os.path.join(folder, name)
        if name.endswith(".ipynb") or name in (".git", "grading", "catalogue.py", "authoring.py", "material"):
            found.append(path)
        if "lesson_0" in name or "submissions" in path or "hostile" in name:
            found.append(path)
assert not found, found
