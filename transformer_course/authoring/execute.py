"""Running lessons and keeping their outputs until their code, or the code they use, changes."""

from pathlib import Path

import nbformat
from nbformat import NotebookNode

from transformer_course.course import Source, SourceError

from .build import notebook_of
from .freshness import code_hash, library_hash

STRICT = "import warnings\nwarnings.simplefilter('error')\nwarnings.simplefilter('ignore', PendingDeprecationWarning)\n"
QUIET = "get_config().IPKernelApp.log_level = 'ERROR'\n"


def write_lesson(source: Source, runs: bool = True) -> str:
    """Build a lesson and say what was done: run it if its code or the library has changed, otherwise keep its outputs.

    A lesson with ``runs=False`` is never run: its text and links are written again if its code is the stored outputs' code.
    """
    notebook = notebook_of(source)
    old = nbformat.read(source.notebook, as_version=4) if source.notebook.exists() else None
    stored = old.metadata.get("transformer_course", {}) if old else {}
    hashes = {"code": code_hash(notebook), "library": library_hash(source.number, notebook) if runs else stored.get("library")}
    if stored == hashes:
        old_cells = {cell.id: cell for cell in old.cells}
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = old_cells[cell.id].outputs, old_cells[cell.id].execution_count
        done = "kept its outputs"
    elif runs:
        run(notebook, source.notebook.parent)
        done = "run"
    else:
        return "left as it was"
    notebook.metadata["transformer_course"] = hashes
    nbformat.write(notebook, source.notebook)
    return done


def run(notebook: NotebookNode, folder: Path) -> None:
    """Run a lesson in a fresh kernel. Raises an error if a cell fails or writes to stderr."""
    from nbclient import NotebookClient

    where = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, startup_timeout=600, kernel_name="python3", resources=where).execute()
    notebook.metadata["language_info"] = {"name": "python"}  # without the version of Python that ran it
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.metadata.pop("execution", None)  # timestamps
            for output in cell.outputs:
                if output.get("name") == "stderr":
                    raise SourceError(f"a cell wrote to stderr; mend what it says there: {output.text}\n{cell.source}")


def kernel_environment(folder: Path) -> dict[str, str]:
    """Return the environment of kernels that build or test lessons: warnings are errors, and no exercise has been passed."""
    profile = folder / "ipython" / "profile_default"
    (profile / "startup").mkdir(parents=True, exist_ok=True)
    (profile / "startup" / "00-strict.py").write_text(STRICT, encoding="utf-8")
    (profile / "ipython_kernel_config.py").write_text(QUIET, encoding="utf-8")
    return {
        "IPYTHONDIR": str(folder / "ipython"),
        "TRANSFORMER_COURSE_HOME": str(folder / "home"),
        "TRANSFORMER_COURSE_OFFLINE": "1",  # GPT-2's notebook downloads nothing
        "TRANSFORMER_COURSE_PROGRESS": "off",
    }
