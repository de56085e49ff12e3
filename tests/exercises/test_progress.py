"""How far a learner has come, and what comes next: on the whole course, on a path, and in a folder with some lessons."""

import errno
import os
import re

import pytest

from transformer_course import course
from transformer_course._util import paths
from transformer_course._util.folder_record import read_record, write_record
from transformer_course.exercises import ask, choose_path, next_lesson, passes
from transformer_course.exercises.catalogue import by_lesson, core
from transformer_course.exercises.progress import count, following, left_out, rows
from transformer_course.exercises.workshop_folder import EXERCISES


@pytest.fixture
def whole_course(home):
    choose_path("everything")


def passing(*lessons: str, but: int = 0) -> None:
    """Pass the exercises of these stages and of these lessons' cores, of the last one all but so many."""
    names = [name for lesson in lessons for name in core(lesson)]
    for name in names[: len(names) - but]:
        passes.remember(name)


def test_every_lesson_has_a_row_with_as_many_squares_as_its_core_has_exercises(whole_course):
    found = rows()
    assert [name[:2] for name in found if name[2] == " " and name[0] != "B"] == [source.number for source in course.lessons()]
    assert {name.split()[0]: len(row) for name, row in found.items() if row} == {
        number: len(core(number)) for number in by_lesson()
    }
    assert left_out() == ""


def test_what_is_passed_of_practice_is_counted_besides_and_the_core_alone_completes_a_sheet(whole_course):
    passing("00", "B1")
    *_, last = names = [exercise.id for exercise in by_lesson()["02"]]
    passes.remember(last)
    assert next_lesson().standing == "0 of 4 exercises passed, and 1 of practice; open: 1 · Other numbers"
    passing("01", "02")
    assert next_lesson().name[:2] == "03"
    row = rows()["02 · Self-attention by hand"]
    assert (row, row.practice) == ([True] * 4, 1)
    for name in names:
        passes.remember(name)
    asked = sum(len(core(number)) for number in by_lesson())
    assert count() == f"12 of {asked} exercises passed, and 3 of practice."


def test_the_rows_are_those_of_the_path_and_of_what_was_passed_besides(home, snapshot):
    choose_path("gpt")
    steps = course.learning_paths()[0].steps
    numbers = [*dict.fromkeys(step.number for step in steps)]  # a lesson and its sheet share a row
    assert [name.split()[0] for name in rows()] == numbers
    assert count() == f"0 of {sum(each.core for step in steps for each in step.exercises)} exercises passed."
    passes.remember("attention.scaled_dot_product")  # practice in a sheet that the path leaves out
    passes.remember(by_lesson()["01"][0].id)
    found = {name.split()[0]: row for name, row in rows().items()}
    assert [*found] == [*numbers, "01"]
    assert (found["03"], found["03"].practice, found["01"]) == ([False] * 3, 1, [True, False])
    assert re.sub(r"\d+", "N", left_out()) == snapshot


@pytest.mark.parametrize(
    ("passed", "but", "upcoming", "earlier"),
    [
        ((), 0, "00", 0),
        (("00",), 0, "B1", 0),
        (("00", "B1"), 2, "B1", 0),
        (("00", "B1"), 0, "01", 0),
        (("00", "B1", "01"), 1, "01", 0),
        (("00", "B1", "01"), 0, "02", 0),
        (("00", "B1", "01", "02"), 0, "03", 0),
        (("B1", "01", "03"), 1, "03", 1 + 4),  # the exercise of lesson 00, and lesson 02 was left out
        (tuple(f"{n:02d}" for n in range(22)), 0, "22", 0),
    ],
)
def test_a_step_is_next_until_all_of_it_is_passed(whole_course, passed, but, upcoming, earlier):
    passing(*passed, but=but)
    upcoming_lesson = next_lesson()
    assert (upcoming_lesson.name.split()[0], upcoming_lesson.earlier) == (upcoming, earlier)
    assert (f"Exercises open in earlier lessons: {earlier}" in repr(upcoming_lesson)) == (earlier > 0)


def test_on_a_path_what_it_leaves_out_is_not_next(home, snapshot):
    choose_path("gpt")
    told = [repr(next_lesson())]
    for step in ("00", "B1", "02", "B2", "B10"):
        passing(step)
        told.append(repr(next_lesson()))
    assert "\n\n".join(told) == snapshot
    assert next_lesson().name.split()[0] == "B10"  # the last step


def test_a_sheet_that_was_begun_is_what_one_goes_on_with(whole_course):
    passing("00", "B1")
    upcoming = next_lesson()
    assert (upcoming.opens, upcoming.standing) == ("notebooks/01_why_attention.ipynb", "")
    passes.remember(by_lesson()["01"][1].id)
    upcoming = next_lesson()
    assert upcoming.opens == "exercises/01_sheet_why_attention.ipynb"
    assert upcoming.standing == "1 of 2 exercises passed; open: 1 · What is left of the first token"
    assert upcoming.standing in repr(upcoming)
    assert upcoming.standing in upcoming._repr_markdown_()


def test_after_a_lesson_comes_what_follows_it_unless_one_is_further_on(home):
    choose_path("gpt")
    root = paths.ROOT

    def after(number: str) -> str:
        return following(course.lesson(number), root).number

    passing("00")
    assert following(course.lesson("02"), root) == course.sheet("02")
    assert following(course.lesson("00"), root) == course.stage("B1")
    passing("B1", "02")
    assert [after(number) for number in ("02", "03", "01")] == ["03", "04", "03"]  # 01 is not on the path
    passing("04", "B2")
    assert [after(number) for number in ("02", "05")] == ["05", "B3"]
    choose_path("everything")
    sheet = following(course.lesson("03"), root)
    assert sheet == course.sheet("03")
    assert following(sheet, root).number == "05"  # further on than the next lesson
    passing("03")
    assert after("03") == "05"  # its sheet is passed


def test_a_folder_of_some_lessons_leads_through_these_alone(whole_course, tmp_path):
    (tmp_path / "notebooks").mkdir()
    for name in ("00_start_here", "04_masks"):
        (tmp_path / "notebooks" / f"{name}.ipynb").touch()
    assert next_lesson(tmp_path).name[:2] == "00"
    passing("00", "02")
    assert (next_lesson(tmp_path).name[:2], next_lesson(tmp_path).earlier) == ("04", 0)
    assert next_lesson(tmp_path / "nowhere").name[:2] == "03"


def test_a_workshops_folder_counts_the_workshops_exercises_alone(home, tmp_path):
    wanted = ["attention.by_hand", "attention.zero_token", "attention.causal_mask"]
    folder = tmp_path / "for-learners"
    for source in (*map(course.lesson, ("02", "04")), *map(course.sheet, ("02", "04"))):
        (folder / source.folder).mkdir(parents=True, exist_ok=True)
        (folder / source.link).touch()
    write_record(folder, {EXERCISES: wanted})
    passes.remember("attention.by_hand")
    passes.remember("attention.softmax")  # at home, before the workshop
    found = rows(folder)
    assert {name.split()[0]: row for name, row in found.items()} == {"02": [True, False], "04": [False]}
    assert count(folder) == "1 of 3 exercises passed."
    assert left_out(folder) == ""
    upcoming = next_lesson(folder)
    number = [each.id for each in by_lesson()["02"]].index("attention.zero_token") + 1
    assert upcoming.standing.startswith(f"1 of 2 exercises passed; open: {number} · ")
    passes.remember("attention.zero_token")
    assert next_lesson(folder).name[:2] == "04"


def test_what_comes_next_is_linked_where_it_lies_and_named_where_it_does_not(whole_course, tmp_path, monkeypatch):
    passing("00", "B1")
    lesson, sheet = next_lesson().parts.values()
    assert (lesson, sheet) == ("notebooks/01_why_attention.ipynb", "exercises/01_sheet_why_attention.ipynb")
    assert all((paths.ROOT / path).exists() and path in repr(next_lesson()) for path in (lesson, sheet))
    for folder in ("notebooks", "exercises"):
        (tmp_path / folder).mkdir()
    (tmp_path / lesson).touch()
    monkeypatch.chdir(tmp_path / "notebooks")  # where a lesson's kernel works
    drawn = next_lesson()._repr_markdown_()
    assert f"](../{lesson})" in drawn
    assert f"](../{sheet})" not in drawn


@pytest.fixture
def reader(home, tmp_path, monkeypatch):
    """A folder with all lessons and sheets, in which the kernel of a lesson runs."""
    for source in course.sources():
        (tmp_path / source.link).parent.mkdir(exist_ok=True)
        (tmp_path / source.link).touch()
    write_record(tmp_path, {})
    monkeypatch.chdir(tmp_path / "notebooks")
    return tmp_path


def test_a_lesson_was_read_once_its_exit_questions_are_shown(reader):
    choose_path("ideas")
    passing("00")
    assert next_lesson().name[:2] == "02"
    ask("02.recall")
    assert next_lesson().name[:2] == "02"
    ask("00.ready")
    for number in ("02", "03", "03"):
        ask(f"{number}.exit")
    assert next_lesson().name[:2] == "04"
    assert read_record(reader) == {"read": ["00", "02", "03"]}
    assert count() == f"3 of {len(course.learning_paths()[1].steps)} lessons read, 1 of 1 exercises passed."
    ask("20.exit")
    assert "come to the end of your path" in repr(next_lesson())
    choose_path("everything")
    assert next_lesson().opens == course.sheet("20").link  # it waits for the sheet of a lesson that was read
    assert count().startswith("1 of ")
    choose_path("gpt")
    assert next_lesson().opens == course.lesson("04").link  # after 03, whose sheet is not on this path


def test_questions_are_asked_where_no_reading_can_be_kept_or_understood(reader, monkeypatch):
    choose_path("ideas")
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(errno.EROFS, "Read-only file system")))
        assert ask("02.exit").questions
    assert read_record(reader) == {}
    write_record(reader, {"read": 3})
    assert next_lesson().name[:2] == "00"
