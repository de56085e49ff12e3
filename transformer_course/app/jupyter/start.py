"""Starting JupyterLab in a learner's folder."""

import hashlib
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import zmq

from ..doctor_checks import port_in_use

HERE = Path(__file__).parent


def run(folder: Path, port: int | None, browser: bool) -> None:
    """Run JupyterLab in this folder until the learner stops it."""
    # Where JupyterLab finds the settings in labconfig.
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, [str(HERE), os.environ.get("JUPYTER_CONFIG_PATH")]))
    # JupyterLab's own terminal starts in the server's folder, with the server's PATH. So the course's command works there too.
    os.environ["PATH"] = os.pathsep.join(filter(None, [str(Path(sys.executable).parent), os.environ.get("PATH")]))
    os.chdir(folder)
    from jupyterlab.labapp import LabApp

    LabApp.launch_instance(argv=options(folder, port, browser))


def leave() -> NoReturn:
    """End the process. On a busy computer, a thread of the stopped server can wait for work for ever and keep it alive."""
    sys.stdout.flush()
    os._exit(0)


def options(folder: Path, port: int | None, browser: bool) -> list[str]:
    """Return the options with which JupyterLab serves this folder."""
    options = [
        f"--ServerApp.root_dir={folder}",
        "--LabApp.default_url=/course",  # see server.py
        f"--LabApp.extra_labextensions_path={HERE / 'labextensions'}",
        f"--ServerApp.jpserver_extensions={__package__}.server=True",
        f"--ServerApp.kernel_spec_manager_class={__package__}.server.CourseKernels",
        # Warnings, such as those about a notebook that "is not trusted", alarm learners, who cannot do anything about them.
        # The address to open is printed anyway.
        "--Application.log_level=ERROR",
        "--ServerApp.jpserver_extensions=jupyterlab_jupytext=False",  # for authors; here it would only change how files open
    ]
    if zmq.has("curve"):  # encrypts the traffic between kernels and server; without encryption, each kernel prints a warning
        options.append("--KernelManager.transport_encryption=auto")
    if find_spec("nbgrader"):  # for teachers; here it would only ask for its own configuration
        parts = "assignment_list", "course_list", "formgrader", "validate_assignment"
        options += [f"--ServerApp.jpserver_extensions=nbgrader.server_extensions.{part}=False" for part in parts]
    if port is not None:
        options += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    if not browser:
        options.append("--no-browser")
    if getattr(os, "geteuid", lambda: 1)() == 0:  # users are often root in containers, and JupyterLab refuses that by default
        options.append("--allow-root")
    return options


def running_address(folder: Path) -> str | None:
    """Return the address of the JupyterLab that already serves this folder, if there is one."""
    from jupyter_server.serverapp import list_running_servers

    for server in list_running_servers():
        if Path(server["root_dir"]) == folder and port_in_use(server["port"]):
            return f"{server['url']}course?token={server['token']}"
    return None


def workspace(folder: Path) -> str:
    """Return the name of this folder's workspace. Each folder has its own, so that only its own tabs and kernels are open."""
    return f"course-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:10]}"
