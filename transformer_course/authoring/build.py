"""From a source to its notebook.

A source is a Python file in jupytext's percent format. A sheet's notebook is its source without the solutions. The same
source always gives the same notebook, to the byte.
"""

from collections import Counter
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode

from transformer_course._util import paths
from transformer_course._util.headings import SourceError, title
from transformer_course.exercises.catalogue import catalogue
from transformer_course.exercises.solutions import BEGIN, END

from .digest import digest

KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}


def notebook_of(source: Path, solved: bool = False) -> NotebookNode:
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
        names.append(digest(*key, str(seen[key]))[:12])
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
    return f"{exercise.answer_name} = {exercise.blank}  # your answer in place of the dots"


def links(source: Path) -> str:
    """The last cell: the lesson before, this lesson's sheet (or this sheet's lesson), the lesson after."""
    lessons = paths.sources("notebooks")
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
            for sheet in paths.sources("exercises")
            if sheet.stem[:2] == source.stem[:2]
        ]
        parts += [_link(lesson, "{} →") for lesson in after]
    return "---\n" + " · ".join(parts)


def _link(source: Path, words: str, folder: str = "") -> str:
    return f"[{words.format(title(source))}]({folder}{source.stem}.ipynb)"
