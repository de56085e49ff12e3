"""The state at a break: lessons with the outputs so far, and sheets with the solutions so far."""

import functools
import json
from collections.abc import Collection

import nbformat
from nbformat import NotebookNode

from transformer_course import course
from transformer_course._util import paths
from transformer_course.authoring.build import notebook_of
from transformer_course.course import Source
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.exercises.solutions import BEGIN, END
from transformer_course.exercises.workshop_folder import EXERCISES
from transformer_course.folders.learner_folder import FIRST, ONLY, without_dead_links

from . import lesson, session_contents
from .sessions import Lead, Plan, Practise, Project


def checkpoint(plan: Plan, at: int) -> dict[str, str]:
    """Return the files of the folder to rejoin from after the break with index ``at``: the plan's notebooks and a record.

    The record tells ``transformer-course lab`` which notebook to open, and that it must not add any lessons.
    """
    before, after = plan.items[:at], plan.items[at + 1 :]
    done = {name for item in before if isinstance(item, Practise) for name in item.exercises}
    done |= {each.id for item in before if isinstance(item, Project) for each in by_lesson()[item.stage]}
    done |= {name for item in after if isinstance(item, Project) for name in item.given}
    texts = {}
    for number in plan.lessons():
        led = [item for item in before if isinstance(item, Lead) and item.lesson == number]
        ahead = [item for item in after if isinstance(item, Lead) and item.lesson == number]
        texts[course.lesson(number).link] = _written(_lesson(number, led, ahead))
    for source in course.sheets_and_stages():
        if source.number in (*plan.lessons(), *plan.stages()):
            texts[source.link] = _written(sheet(source, done))
    available = {*texts, *paths.PAGES}  # the pages are added when the folder is opened
    texts = {key: without_dead_links(text, key, available) for key, text in texts.items()}
    upcoming = next(item for item in after if isinstance(item, Lead | Practise | Project))
    if isinstance(upcoming, Project):
        first = course.stage(upcoming.stage)
    else:
        first = (course.lesson if isinstance(upcoming, Lead) else course.sheet)(upcoming.lesson)
    record = {ONLY: [], FIRST: first.link, EXERCISES: exercises_of(plan)}
    return {**texts, paths.RECORD: json.dumps(record) + "\n"}


def exercises_of(plan: Plan) -> list[str]:
    """Return the ids of all exercises that learners meet in a plan, those of its project and of lesson 00 included."""
    return [*plan.exercises(), *(each.id for number in ("00", *plan.stages()) for each in by_lesson()[number])]


def _written(notebook: NotebookNode) -> str:
    notebook.metadata.pop("transformer_course", None)
    return nbformat.writes(notebook) + "\n"


def _lesson(number: str, led: list[Lead], ahead: list[Lead]) -> NotebookNode:
    """Return a lesson with the outputs so far. If it continues after the break, an extra cell says where."""
    notebook = nbformat.from_dict(lesson.stored(number))
    with_output = {index for lead in led for part in session_contents.covered(lead) for index in part.cells}
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and index not in with_output:
            cell.outputs, cell.execution_count = [], None
    if led and ahead:
        first = course.lesson(number).part(ahead[0].start).begins
        text = "**Continue here after the break.** First run the lesson's first code cell: the rest needs its imports."
        notebook.cells.insert(first, nbformat.v4.new_markdown_cell(text, id="go-on-here"))
    return notebook


def sheet(source: Source, done: Collection[str]) -> NotebookNode:
    """Return the sheet of a source, with these exercises solved."""
    empty, solved = _empty_and_solved(source)
    empty = nbformat.from_dict(empty)
    for cell, full in zip(empty.cells, solved.cells, strict=True):
        if cell.metadata.get("exercise") in done:
            cell.source = "\n".join(line for line in full.source.splitlines() if line.strip() not in (BEGIN, END))
    return empty


@functools.cache
def _empty_and_solved(source: Source) -> tuple[NotebookNode, NotebookNode]:
    return notebook_of(source), notebook_of(source, solved=True)
