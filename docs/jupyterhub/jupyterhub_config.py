"""An example for JupyterHub 5 and 6: each learner finds the course in a folder of their own. README.md says what was tried."""

import sys

c = get_config()  # JupyterHub gives it

# --- who may come, and where they work -------------------------------------------------------------------------------
# As JupyterHub comes, a learner logs in with an account of this computer and works in its home folder.
c.Authenticator.allow_all = True  # every account; or name them: c.Authenticator.allowed_users = {"anna", "ben"}

# --- a seat ----------------------------------------------------------------------------------------------------------
# Runs as the learner, in place of their server, and then becomes it. What they wrote in the folder is never overwritten;
# a new edition is added at their next start. Then come the options of `transformer-course lab`: lesson 00 first, no news.
SEAT = """
import os, resource, sys
from pathlib import Path
from transformer_course._util import paths
from transformer_course.app.commands.learners import jupyter_options
from transformer_course.folders.learner_folder import FolderError, deliver

folder = Path.home() / "transformer-course"
try:
    deliver(folder)
except FolderError as error:  # a full disk, say: then the learner's own files are needed all the more
    print(error, file=sys.stderr)
resource.setrlimit(resource.RLIMIT_DATA, (MOST, MOST))
os.environ["JUPYTER_CONFIG_PATH"] = str(paths.PACKAGE / "app" / "jupyter")
server = [sys.executable, "-m", "jupyterhub.singleuser", *jupyter_options(folder, None, False), *sys.argv[1:]]
os.execv(server[0], server)
"""
MOST = 3 * 2**30  # bytes a process of a seat may have; beyond it a cell ends with an error, and nobody else is hurt
c.Spawner.cmd = [sys.executable, "-c", SEAT.replace("MOST", str(MOST))]
c.Spawner.args = [
    # Every open notebook has a kernel of its own. One that did nothing for an hour ends; what is written stays.
    "--MappingKernelManager.cull_idle_timeout=3600",
    "--MappingKernelManager.cull_connected=True",
]
c.Spawner.default_url = "/lab/tree/notebooks/00_start_here.ipynb"
c.Spawner.environment = {"OMP_NUM_THREADS": "1"}  # else each seat's training takes all processors, and all wait for all
c.Spawner.start_timeout = 120  # seconds: when a whole class logs in at nine o'clock
c.Spawner.http_timeout = 120

# --- seats that nobody uses ------------------------------------------------------------------------------------------
c.JupyterHub.load_roles = [
    {
        "name": "idle-culler",
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
        "services": ["idle-culler"],
    }
]
c.JupyterHub.services = [
    {"name": "idle-culler", "command": [sys.executable, "-m", "jupyterhub_idle_culler", "--timeout=7200"]}
]
