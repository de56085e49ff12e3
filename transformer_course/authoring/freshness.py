"""Whether a lesson has to be run again: hashes of everything that its outputs depend on."""

import hashlib

from nbformat import NotebookNode

from transformer_course import course
from transformer_course._util import paths

from .import_graph import NAME, reached


def code_hash(notebook: NotebookNode) -> str:
    """Hash a lesson's own code, on which its outputs depend."""
    return digest(*(cell.source for cell in notebook.cells if cell.cell_type == "code"))


def library_hash(lesson: str, notebook: NotebookNode) -> str:
    """Hash the package's files on which a lesson's outputs depend: those that its code imports, and its exercises
    and questions."""
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    parts = []
    for file in sorted(reached(code, _exercises(lesson))):
        parts += [file.relative_to(paths.PACKAGE).as_posix(), file.read_text(encoding="utf-8")]
    if "my_path(" in code:  # it shows all paths
        parts += [
            text for path in course.learning_paths() for text in (path.title, path.audience, path.duration, path.contents)
        ]
    file = course.lesson(lesson).questions_file
    return digest(*parts, file.read_text(encoding="utf-8") if file.exists() else "")


def _exercises(lesson: str) -> tuple[str, ...]:
    """Return the modules of a lesson's exercises. The catalogue finds them by their file names, so no import leads to them."""
    folder = paths.PACKAGE / "exercises"
    files = [*folder.glob(f"lesson_{lesson}_*.py"), *folder.glob(f"lesson_{lesson}_*/*.py")]
    return tuple(".".join((NAME, *file.relative_to(paths.PACKAGE).with_suffix("").parts)) for file in files)


def digest(*parts: str) -> str:
    """Return one hash of several texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
