# Searches the environment and the program's arguments for the teacher's names, paths and secrets.
#
# lesson: 03

# %%
import os
import platform
import sys

known = {"HOME", "TMPDIR", "MPLCONFIGDIR", "MPLBACKEND", "IPYTHONDIR", "LANG", "PATH", "PWD", "GLIBC_TUNABLES"}
unknown = {name for name in os.environ if name not in known and not name.startswith(("PYTHON", "TRANSFORMER_COURSE_PROGRESS"))}
assert {name for name in unknown if not name.endswith("_NUM_THREADS") and not name.startswith("KMP_")} == set(), unknown
assert platform.node() == "sandbox"
assert os.environ["HOME"] == "/tmp"
assert sys.argv[-1].isdigit() or sys.argv[0] == "-c", sys.argv
