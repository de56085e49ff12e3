"""The course's extension of the Jupyter server: the address ``/course``, and kernels that load ``kernel.py``."""

from pathlib import Path
from urllib.parse import quote

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.utils import url_path_join
from tornado.web import authenticated

from transformer_course.folders.opening import opening

from .start import workspace


class CourseKernels(KernelSpecManager):
    """The installed kernels. The notebooks' own kernel, python3, also loads the course's IPython extension."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        spec = super().get_kernel_spec(kernel_name)
        if kernel_name == "python3":
            spec.argv = [*spec.argv, f"--InteractiveShellApp.extra_extensions={__package__}.kernel"]
        return spec


class Course(JupyterHandler):
    """Send the browser to the cell where the learner stopped, in a workspace without any other tabs."""

    def initialize(self, folder: Path) -> None:
        self.folder = folder

    @authenticated
    def get(self) -> None:
        opens = opening(self.folder)
        page = url_path_join(
            self.base_url, "lab/workspaces", workspace(self.folder), "tree", quote(opens.notebook, errors="replace")
        )
        self.redirect(f"{page}?reset" + (f"#cell-id={quote(opens.cell)}" if opens.cell else ""))


def _jupyter_server_extension_points() -> list[dict]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server) -> None:
    address = url_path_join(server.web_app.settings["base_url"], "course")
    server.web_app.add_handlers(".*$", [(address, Course, {"folder": Path(server.root_dir)})])
