"""Lessons and sheets from their sources: ``python -m transformer_course.authoring`` (or ``make notebooks``).

A source is a Python file in jupytext's percent format. A lesson's notebook is run and keeps its outputs; a sheet's is
the source without its solutions, and is not run. What is built from the same source is the same to the byte, outputs aside.
"""

import argparse
import hashlib
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode

from . import course
from .course import SourceError, title
from .exercises.catalogue import catalogue
from .exercises.exercise import Exercise
from .reach import reached

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
STRICT = "import warnings\nwarnings.simplefilter('error')\nwarnings.simplefilter('ignore', PendingDeprecationWarning)\n"
QUIET = "get_config().IPKernelApp.log_level = 'ERROR'\n"


def build(source: Path, solved: bool = False) -> NotebookNode:
    """The notebook of a source, without outputs, and without its solutions unless ``solved``."""
    notebook = jupytext.reads(source.read_text(encoding="utf-8"), fmt="py:percent")
    cells = []
    for cell in notebook.cells:
        if cell.cell_type == "code" and not solved:
            cell.source = without_solution(cell.source, blank_of(cell, source), source)
        metadata = {key: cell.metadata[key] for key in ("tags", "exercise") if key in cell.metadata}
        cells.append({"cell_type": cell.cell_type, "source": cell.source, "metadata": metadata})
    cells.append({"cell_type": "markdown", "source": links(source), "metadata": {}})
    result = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for identity, cell in zip(identities(cells), cells, strict=True):
        make = nbformat.v4.new_code_cell if cell["cell_type"] == "code" else nbformat.v4.new_markdown_cell
        result.cells.append(make(cell["source"], id=identity, metadata=cell["metadata"]))
    return result


def identities(cells: list[dict]) -> list[str]:
    """Cell ids: a hash of kind, source and occurrence, so that equal cells differ and merges do not conflict."""
    seen: Counter = Counter()
    names = []
    for cell in cells:
        key = (cell["cell_type"], cell["source"])
        seen[key] += 1
        names.append(_hash(*key, str(seen[key]))[:12])
    return names


def without_solution(code: str, blank: str, source: Path) -> str:
    """Code with each marked solution replaced: by ``blank`` at the top level, by an error inside a function."""
    kept, inside = [], False
    for line in code.splitlines():
        marker = line.strip()
        if marker == BEGIN:
            if inside:
                raise SourceError(f"{source.name}: '{BEGIN}' inside a solution; end the first one before it")
            inside = True
            indent = line[: len(line) - len(line.lstrip())]
            kept += [indent + part for part in (TODO if indent else blank).splitlines()]
        elif marker == END:
            if not inside:
                raise SourceError(f"{source.name}: '{END}' without '{BEGIN}'")
            inside = False
        elif not inside:
            kept.append(line)
    if inside:
        raise SourceError(f"{source.name}: '{BEGIN}' is never ended; add '{END}' below it")
    return "\n".join(kept)


TODO = (
    '# Your code here, in place of the next line.\nraise NotImplementedError("This function is still empty: write it here.")'
)


def blank_of(cell: NotebookNode, source: Path) -> str:
    """The line that waits in the empty sheet for an answer which is no function; empty for a cell that asks for none."""
    if "exercise" not in cell.metadata:
        if BEGIN in cell.source:
            raise SourceError(f'{source.name}: a cell with a solution needs its exercise: # %% exercise="…"')
        return ""
    exercise = catalogue().get(cell.metadata["exercise"])
    if exercise is None:
        raise SourceError(f"{source.name}: no exercise is called {cell.metadata['exercise']!r}")
    return f"{exercise.answer} = {exercise.blank}  # your answer in place of the dots"


def solution_of(exercise: Exercise) -> str:
    """The solution's cell in its source, without the markers."""
    sources = [source for folder in course.FOLDERS for source in course.sources(folder)]
    for source in sources:
        if f'"{exercise.id}"' not in source.read_text(encoding="utf-8"):
            continue
        for cell in build(source, solved=True).cells:
            if cell.metadata.get("exercise") == exercise.id:
                return "\n".join(line for line in cell.source.splitlines() if line.strip() not in (BEGIN, END))
    raise LookupError(f"no source holds the exercise {exercise.id!r}")


def links(source: Path) -> str:
    """The last cell: the lesson before, this lesson's sheet (or this sheet's lesson), the lesson after."""
    lessons = course.sources("notebooks")
    names = [lesson.stem for lesson in lessons]
    name = source.stem.replace("_sheet_", "_", 1)  # a sheet is called otherwise than its lesson, since both are open at once
    if name not in names:
        raise SourceError(f"exercises/source/{source.name}: sheet 02 of the lesson 02_name is 02_sheet_name, and here is none")
    here = names.index(name)
    before, after = lessons[here - 1 : here], lessons[here + 1 : here + 2]
    if source.parent.parent.name == "exercises":
        parts = [_link(lessons[here], "← Lesson {}", "../notebooks/")]
        parts += [_link(lesson, "Lesson {} →", "../notebooks/") for lesson in after]
    else:
        parts = [_link(lesson, "← {}") for lesson in before]
        parts += [
            _link(sheet, "**{}**", "../exercises/")
            for sheet in course.sources("exercises")
            if sheet.stem[:2] == source.stem[:2]
        ]
        parts += [_link(lesson, "{} →") for lesson in after]
    return "---\n" + " · ".join(parts)


def _link(source: Path, words: str, folder: str = "") -> str:
    return f"[{words.format(title(source))}]({folder}{source.stem}.ipynb)"


def code_hash(notebook: NotebookNode) -> str:
    """What a lesson's outputs depend on in its own source: its code."""
    return _hash(*(cell.source for cell in notebook.cells if cell.cell_type == "code"))


def library_hash(lesson: str, notebook: NotebookNode) -> str:
    """What they depend on outside: what its code reaches of the package, its exercises among it, and not the commands."""
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    own = f"{__package__}.exercises.lesson_{lesson}"  # the catalogue imports it by its number
    commands = {course.PACKAGE / name for name in ("authoring.py", "cli.py", "folder.py", "reach.py")}
    parts = []
    for file in sorted(reached(code, (own,)) - commands):
        parts += [file.relative_to(course.PACKAGE).as_posix(), file.read_text(encoding="utf-8")]
    return _hash(*parts)


def kernel_environment(folder: Path) -> dict[str, str]:
    """What kernels get while lessons are built or tested: warnings are errors, and nothing was passed before."""
    profile = folder / "ipython" / "profile_default"
    (profile / "startup").mkdir(parents=True, exist_ok=True)
    (profile / "startup" / "00-strict.py").write_text(STRICT, encoding="utf-8")
    (profile / "ipython_kernel_config.py").write_text(QUIET, encoding="utf-8")
    home = str(folder / "home")
    return {"IPYTHONDIR": str(folder / "ipython"), "TRANSFORMER_COURSE_HOME": home, "TRANSFORMER_COURSE_PROGRESS": "off"}


def run(notebook: NotebookNode, folder: Path) -> None:
    """Run a lesson in a fresh kernel. Raises on the first cell that fails or writes to stderr."""
    from nbclient import NotebookClient

    NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    notebook.metadata["language_info"] = {"name": "python"}  # not the version that happened to run it
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.metadata.pop("execution", None)  # times
            for output in cell.outputs:
                if output.get("name") == "stderr":
                    raise SourceError(f"a cell wrote to stderr: {output.text}\n{cell.source}")


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def write_lesson(source: Path) -> str:
    """Build one lesson; run it if its code or the library changed, else keep its outputs. Says which."""
    target = source.parent.parent / f"{source.stem}.ipynb"
    notebook = build(source)
    hashes = {"code": code_hash(notebook), "library": library_hash(source.stem[:2], notebook)}
    old = nbformat.read(target, as_version=4) if target.exists() else None
    if old is not None and old.metadata.get("transformer_course") == hashes:
        before = {cell.id: cell for cell in old.cells}
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = before[cell.id].outputs, before[cell.id].execution_count
        did = "kept its outputs"
    else:
        run(notebook, target.parent)
        did = "run"
    notebook.metadata["transformer_course"] = hashes
    nbformat.write(notebook, target)
    return did


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m transformer_course.authoring", description=__doc__.split("\n")[0])
    parser.add_argument("lessons", nargs="*", metavar="NN", help="build these only, as 02 (default: all)")
    parser.add_argument("--solved", type=Path, metavar="DIR", help="write the sheets with their solutions there, and stop")
    arguments = parser.parse_args()
    if arguments.solved:
        arguments.solved.mkdir(parents=True, exist_ok=True)
        for source in course.sources("exercises"):
            nbformat.write(build(source, solved=True), arguments.solved / f"{source.stem}.ipynb")
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(kernel_environment(Path(folder)))
        for source in course.sources("notebooks"):
            if not arguments.lessons or source.stem[:2] in arguments.lessons:
                print(f"{source.stem}: {write_lesson(source)}")
    for source in course.sources("exercises"):
        nbformat.write(build(source), source.parent.parent / f"{source.stem}.ipynb")


if __name__ == "__main__":
    try:
        main()
    except SourceError as error:
        sys.exit(str(error))
