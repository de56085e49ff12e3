"""The state at a break: lessons with their outputs as far as the room has come, and sheets with the solutions so far."""

import functools
import json
from collections.abc import Collection
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from transformer_course._util import paths
from transformer_course.authoring.build import notebook_of
from transformer_course.exercises.solutions import BEGIN, END
from transformer_course.folders.learner_folder import FIRST, ONLY, RECORD, unlinked

from . import lesson
from .sessions import Lead, Plan, Practise


def checkpoint(plan: Plan, place: int) -> dict[str, str]:
    """All notebooks of the plan at the break that stands at that place among its items, each under its name in the folder, and
    the record by which ``transformer-course lab`` opens what comes next and brings no lesson."""
    before, after = plan.items[:place], plan.items[place + 1 :]
    done = {name for item in before if isinstance(item, Practise) for name in item.exercises}
    texts = {}
    for number in plan.lessons():
        led = [item for item in before if isinstance(item, Lead) and item.lesson == number]
        ahead = [item for item in after if isinstance(item, Lead) and item.lesson == number]
        texts[f"notebooks/{lesson.path(number).name}"] = _written(_lesson(number, led, ahead))
    for source in paths.sources("exercises"):
        if source.stem[:2] in plan.lessons():
            texts[f"exercises/{source.stem}.ipynb"] = _written(sheet(source, done))
    held = {*texts, *paths.PAGES}  # the pages come when the folder is opened
    texts = {key: unlinked(text, key, held) for key, text in texts.items()}
    upcoming = next(item for item in after if isinstance(item, Lead | Practise))
    part = "notebooks" if isinstance(upcoming, Lead) else "exercises"
    record = {ONLY: [], FIRST: f"{part}/{lesson.path(upcoming.lesson, part).name}"}
    return {**texts, RECORD: json.dumps(record) + "\n"}


def _written(notebook: NotebookNode) -> str:
    notebook.metadata.pop("transformer_course", None)
    return nbformat.writes(notebook) + "\n"


def _lesson(number: str, led: list[Lead], ahead: list[Lead]) -> NotebookNode:
    """The lesson with the outputs of what was led, up to the last stop; where it goes on after the break, that is said."""
    notebook = nbformat.from_dict(lesson.read(number))
    shown = {place for lead in led for part in lesson.led(lead) for place in part.cells}
    for place, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and place not in shown:
            cell.outputs, cell.execution_count = [], None
    if led and ahead:
        first = next(part.begins for part in lesson.sections(number) if part.heading == ahead[0].start)
        words = "**Go on here after the break.** First run the lesson's first code cell: it brings what the rest needs."
        notebook.cells.insert(first, nbformat.v4.new_markdown_cell(words, id="go-on-here"))
    return notebook


def sheet(source: Path, done: Collection[str]) -> NotebookNode:
    """The sheet of that source, in which these exercises are solved."""
    empty, solved = _both(source)
    empty = nbformat.from_dict(empty)
    for cell, full in zip(empty.cells, solved.cells, strict=True):
        if cell.metadata.get("exercise") in done:
            cell.source = "\n".join(line for line in full.source.splitlines() if line.strip() not in (BEGIN, END))
    return empty


@functools.cache
def _both(source: Path) -> tuple[NotebookNode, NotebookNode]:
    """The sheet as it is handed out, and solved."""
    return notebook_of(source), notebook_of(source, solved=True)
