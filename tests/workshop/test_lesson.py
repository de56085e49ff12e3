"""The lessons in a workshop: every question in its place, and what a sheet's programs need."""

import nbformat
import pytest

from transformer_course import course
from transformer_course.course import SourceError
from transformer_course.exercises.catalogue import questions
from transformer_course.workshop import lesson


def test_every_question_of_the_course_is_found():
    parts = [part for source in course.lessons() for part in source.parts]
    assert sorted(question.id for part in parts for question in lesson.asked(part)) == sorted(questions())


def test_a_question_counts_for_the_part_that_asks_it():
    asked = {question.id: part.id for part in course.lesson("02").parts for question in lesson.asked(part)}
    assert [asked[f"02.{name}"] for name in ("recall.exp", "zero", "exit.row_sums")] == ["title", "weights", "exit"]


def test_a_notebook_that_is_older_than_its_source_is_refused(monkeypatch):
    older = nbformat.read(course.lesson("04").notebook, as_version=4)
    del older.cells[5]
    monkeypatch.setattr(nbformat, "read", lambda path, as_version: older)
    with pytest.raises(SourceError, match="run make notebooks LESSONS=04"):
        lesson.stored.__wrapped__("04")


def test_the_programs_below_a_sheets_primer_need_it():
    heading = "Before the next exercises: what a reshape does"
    needed = ("heads.split", "heads.merge", "heads.multi_head")
    assert lesson.primers("05") == dict.fromkeys(needed, heading)
    assert lesson.primers("03") == {}
