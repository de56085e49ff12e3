"""Example for JupyterHub 5 and 6: each learner gets the course in a folder of their own. README.md says what we tested."""

import sys

c = get_config()  # provided by JupyterHub

# --- who may log in, and where they work -----------------------------------------------------------------------------
# By default, learners log in with an account on this computer and work in its home folder.
c.Authenticator.allow_all = True  # or, for some accounts only: c.Authenticator.allowed_users = {"anna", "ben"}

# --- a learner's server ----------------------------------------------------------------------------------------------
# This runs as the learner and then becomes their server. Learners' changes in the folder are never overwritten, and new files
# are added after an update. As with `transformer-course lab`, the server opens lesson 00 and does not offer JupyterLab's news.
SEAT = """
import os, resource, sys
from pathlib import Path
from transformer_course.app.jupyter import start
from transformer_course.folders.learner_folder import FolderError, deliver

folder = Path.home() / "transformer-course"
try:
    deliver(folder)
except FolderError as error:  # for example a full disk; learners must still be able to reach their own files
    print(error, file=sys.stderr)
resource.setrlimit(resource.RLIMIT_DATA, (MOST, MOST))
os.environ["JUPYTER_CONFIG_PATH"] = str(start.HERE)
server = [sys.executable, "-m", "jupyterhub.singleuser", *start.options(folder, None, False), *sys.argv[1:]]
os.execv(server[0], server)
"""
MOST = 3 * 2**30  # bytes per process; a cell that needs more fails with an error, and nobody else is affected
c.Spawner.cmd = [sys.executable, "-c", SEAT.replace("MOST", str(MOST))]
c.Spawner.args = [
    # Each open notebook has its own kernel, which is shut down after an idle hour. The notebook keeps its content.
    "--MappingKernelManager.cull_idle_timeout=3600",
    "--MappingKernelManager.cull_connected=True",
]
c.Spawner.default_url = "/lab/tree/notebooks/00_start_here.ipynb"
c.Spawner.environment = {"OMP_NUM_THREADS": "1"}  # otherwise, each training run uses all CPUs and slows down the others
c.Spawner.start_timeout = 120  # seconds, in case a whole class logs in at nine o'clock
c.Spawner.http_timeout = 120

# --- idle servers ----------------------------------------------------------------------------------------------------
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
