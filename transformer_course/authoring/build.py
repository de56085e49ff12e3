"""Building a notebook from its source.

A source is a Python file in jupytext's percent format. A sheet's notebook is its source without the solutions. The same
source always gives exactly the same notebook, byte for byte.
"""

from collections import Counter
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode

from transformer_course._util import paths
from transformer_course._util.headings import SourceError, name, needed, stages_of
from transformer_course.exercises.catalogue import catalogue
from transformer_course.exercises.solutions import BEGIN, END
from transformer_course.runner import limits

from .freshness import digest

HAND_IN = (
    f"If you hand in this sheet, save it first. A sheet larger than {limits.NOTEBOOK_BYTES // limits.MIB} MiB gets no mark: "
    "choose *Edit → Clear Outputs of All Cells*, and save it again."
)
KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}


def notebook_of(source: Path, solved: bool = False) -> NotebookNode:
    """Return the notebook of a source, without outputs, and without solutions unless ``solved``."""
    notebook = jupytext.reads(source.read_text(encoding="utf-8"), fmt="py:percent")
    cells, answered = [], False
    for cell in notebook.cells:
        if cell.cell_type == "code" and not solved:
            cell.source = without_solution(cell.source, blank_of(cell, source), source)
        metadata = {key: cell.metadata[key] for key in ("tags", "exercise", "jupyter") if key in cell.metadata}
        answered = answered or "exercise" in metadata
        tries = answered and cell.cell_type == "code" and "exercise" not in metadata and source.parts[-3] == "exercises"
        if tries and not solved:  # then "Run All" does not stop where a cell needs an answer that is not written yet
            metadata["tags"] = [*metadata.get("tags", []), "raises-exception"]
        cells.append({"cell_type": cell.cell_type, "source": cell.source, "metadata": metadata})
    ways = links(source)
    cells.insert(0, {"cell_type": "markdown", "source": ways, "metadata": {}})
    is_sheet = answered and source.parts[-3] == "exercises"
    end = f"---\n{HAND_IN}\n\n{ways}" if is_sheet and not solved else f"---\n{ways}"
    cells.append({"cell_type": "markdown", "source": end, "metadata": {}})
    result = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for cell_id, cell in zip(cell_ids(cells), cells, strict=True):
        new_cell = nbformat.v4.new_code_cell if cell["cell_type"] == "code" else nbformat.v4.new_markdown_cell
        result.cells.append(new_cell(cell["source"], id=cell_id, metadata=cell["metadata"]))
    return result


def cell_ids(cells: list[dict]) -> list[str]:
    """Return an id per cell: a hash of type, source and occurrence, so that equal cells differ and merges do not conflict."""
    occurrences: Counter = Counter()
    ids = []
    for cell in cells:
        key = (cell["cell_type"], cell["source"])
        occurrences[key] += 1
        ids.append(digest(*key, str(occurrences[key]))[:12])
    return ids


def without_solution(code: str, blank: str, source: Path) -> str:
    """Replace each marked solution: at the top level by ``blank``, inside a function by an error."""
    kept, inside = [], False
    for line in code.splitlines():
        marker = line.strip()
        if marker == BEGIN:
            if inside:
                raise SourceError(f"{source.name}: '{BEGIN}' inside a solution; end that one first")
            inside = True
            indent = line[: len(line) - len(line.lstrip())]
            kept += [indent + part for part in (TODO if indent else blank).splitlines()]
        elif marker == END:
            if not inside:
                raise SourceError(f"{source.name}: '{END}' without '{BEGIN}'; add '{BEGIN}' above it")
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
    """Return the line that replaces a solution at the top level; empty for a cell without an exercise."""
    if "exercise" not in cell.metadata:
        if BEGIN in cell.source:
            raise SourceError(f'{source.name}: a cell with a solution needs its exercise: # %% exercise="…"')
        return ""
    exercise = catalogue().get(cell.metadata["exercise"])
    if exercise is None:
        raise SourceError(f"{source.name}: no exercise is called {cell.metadata['exercise']!r}")
    return f"{exercise.answer_name} = {exercise.blank}  # your answer in place of the dots"


def links(source: Path) -> str:
    """Return the links of the first and the last cell: to the lesson before, this lesson's sheet (or this sheet's lesson) and
    the lesson after.

    A lesson and its sheet also link to the stages of the Build that need it. A stage links to the stages before and after it,
    to the last lesson that it needs, and to the lesson after that. What follows the Build is like one more stage.
    """
    stages = [*paths.stages(), *paths.after_the_build()]
    if source in stages:
        here = stages.index(source)
        parts = [_link(stage, "← {}") for stage in stages[:here][-1:]]
        last, lessons = needed(source)[-1], paths.sources("notebooks")
        parts += [_link(lesson, "Lesson {}", "../notebooks/") for lesson in lessons if lesson.stem[:2] == last]
        parts += [_link(lesson, "Lesson {} →", "../notebooks/") for lesson in lessons if lesson.stem[:2] > last][:1]
        parts += [_link(stage, "{} →") for stage in stages[here + 1 : here + 2]]
        return " · ".join(parts)
    lessons = paths.sources("notebooks")
    names = [lesson.stem for lesson in lessons]
    name = source.stem.replace("_sheet_", "_", 1)  # names differ, because a lesson and its sheet are open at once
    if name not in names:
        raise SourceError(f"exercises/source/{source.name}: there is no such lesson; the sheet of 02_name is 02_sheet_name")
    here = names.index(name)
    before, after = lessons[here - 1 : here], lessons[here + 1 : here + 2]
    if source.parent.parent.name == "exercises":
        parts = [_link(lessons[here], "← Lesson {}", "../notebooks/")]
        parts += [_link(stage, "**Build it: {}**") for stage in stages_of(lessons[here])]
        parts += [_link(lesson, "Lesson {} →", "../notebooks/") for lesson in after]
    else:
        parts = [_link(lesson, "← {}") for lesson in before]
        parts += [
            _link(sheet, "**{}**", "../exercises/")
            for sheet in paths.sources("exercises")
            if sheet.stem[:2] == source.stem[:2]
        ]
        parts += [_link(stage, "**Build it: {}**", "../exercises/") for stage in stages_of(source)]
        parts += [_link(lesson, "{} →") for lesson in after]
    return " · ".join(parts)


def _link(source: Path, words: str, folder: str = "") -> str:
    return f"[{words.format(name(source))}]({folder}{source.stem}.ipynb)"
