"""What a workshop needs of a lesson besides its source: its stored notebook, its questions, its notes."""

import functools
import itertools

import nbformat
from nbformat import NotebookNode

from transformer_course import course
from transformer_course.course import SourceError
from transformer_course.course.notes import Notes
from transformer_course.course.part import Part
from transformer_course.course.question import Question
from transformer_course.exercises.catalogue import question_groups, questions

PRIMER = "primer"  # the id of the part of a sheet to read before its programs
IN_CODE = ("program", "put in order")  # the forms of exercises that need it


@functools.cache
def stored(number: str) -> NotebookNode:
    """Return the built notebook of a lesson, with its stored outputs. Raises SourceError if its source has other cells."""
    lesson = course.lesson(number)
    notebook = nbformat.read(lesson.notebook, as_version=4)
    if [cell.cell_type for cell in notebook.cells[1:-1]] != [cell.kind for cell in lesson.cells]:  # without the links
        raise SourceError(f"{lesson.link} does not have the cells of {lesson.file}; run make notebooks LESSONS={number}")
    return notebook


@functools.cache
def notes(number: str) -> Notes:
    """Return what a leader says in a lesson."""
    return course.lesson(number).notes


def asked(part: Part) -> list[Question]:
    """Return the questions of a part of a lesson, in order."""
    several = ([questions()[name]] if function == "predict" else question_groups()[name] for function, name in part.asks)
    return list(itertools.chain.from_iterable(several))


def forms(number: str) -> dict[str, str]:
    """Return the form of each exercise of a sheet."""
    return {cell.says["exercise"]: cell.says["form"] for cell in course.sheet(number).cells if "form" in cell.says}


def primers(number: str) -> dict[str, str]:
    """Return the heading of the part to read first for each exercise of a sheet that needs one."""
    sheet = course.sheet(number)
    for part in sheet.parts:
        if part.id == PRIMER:
            below = sheet.cells[part.begins :]
            return {cell.says["exercise"]: part.heading for cell in below if cell.says.get("form") in IN_CODE}
    return {}
