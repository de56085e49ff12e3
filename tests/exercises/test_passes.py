"""What was passed is stored, whatever happens to the file, and decides what comes next."""

import errno
import json
import os
import shutil

import pytest
from examining import SOFTMAX

from transformer_course import course
from transformer_course._util import paths
from transformer_course._util.folder_record import write_record
from transformer_course.exercises import ask, check, my_progress, next_lesson, passes
from transformer_course.exercises.catalogue import by_lesson, question_groups
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax
from transformer_course.exercises.workshop_folder import EXERCISES


def passing(*lessons: str, but: int = 0) -> None:
    """Pass all exercises of these lessons, of the last one all but so many."""
    names = [exercise.id for lesson in lessons for exercise in by_lesson()[lesson]]
    for name in names[: len(names) - but]:
        passes.remember(name)


def test_every_lesson_has_a_row_and_those_with_exercises_as_many_squares(home):
    rows = my_progress()
    assert [name[:2] for name in rows if name[0] != "B"] == [source.number for source in course.lessons()]
    assert {name[:2]: len(row) for name, row in rows.items() if row} == {k: len(v) for k, v in by_lesson().items()}


def test_a_stage_comes_after_the_last_lesson_that_it_needs(home):
    order = [name[:2] for name in my_progress()]
    for stage in course.stages():
        after = [name for name in order[: order.index(stage.number)] if name.isdigit()]
        assert after[-1] == stage.lessons[-1]
    stage = course.stages()[0]
    passing("00", "01", "02", but=1)
    upcoming = next_lesson()
    assert upcoming.name[:2] == "02"
    assert list(upcoming.parts.values())[2:] == [stage.link]
    assert f"Build it: {stage.short_title} (" in repr(upcoming)
    assert upcoming.opens == "exercises/02_sheet_self_attention_by_hand.ipynb"


@pytest.mark.parametrize(
    ("passed", "but", "upcoming", "earlier"),
    [
        ((), 0, "00", 0),
        (("00",), 0, "01", 0),
        (("00", "01"), 2, "01", 0),
        (("00", "01"), 0, "02", 0),
        (("01", "03"), 1, "03", 1 + 7),  # the exercise of lesson 00, and lesson 02 was left out
        (tuple(f"{n:02d}" for n in range(22)), 0, "22", 0),
    ],
)
def test_a_lesson_is_next_until_all_of_it_is_passed(home, passed, but, upcoming, earlier):
    passing(*passed, but=but)
    upcoming_lesson = next_lesson()
    assert (upcoming_lesson.name[:2], upcoming_lesson.earlier) == (upcoming, earlier)
    assert (f"Exercises open in earlier lessons: {earlier}" in repr(upcoming_lesson)) == (earlier > 0)


def test_a_sheet_that_was_begun_is_what_one_goes_on_with(home):
    passing("00")
    upcoming = next_lesson()
    assert (upcoming.opens, upcoming.standing) == ("notebooks/01_why_attention.ipynb", "")
    passes.remember(by_lesson()["01"][1].id)
    upcoming = next_lesson()
    assert upcoming.opens == "exercises/01_sheet_why_attention.ipynb"
    assert upcoming.standing == "1 of 5 exercises passed; open: 1 · What is left of the first token"
    assert upcoming.standing in repr(upcoming)
    assert upcoming.standing in upcoming._repr_markdown_()


def test_a_folder_of_some_lessons_leads_through_these_alone(home, tmp_path):
    (tmp_path / "notebooks").mkdir()
    for name in ("00_start_here", "04_masks"):
        (tmp_path / "notebooks" / f"{name}.ipynb").touch()
    assert next_lesson(tmp_path).name[:2] == "00"
    passing("00", "02")
    assert (next_lesson(tmp_path).name[:2], next_lesson(tmp_path).earlier) == ("04", 0)
    assert next_lesson(tmp_path / "nowhere").name[:2] == "03"


def workshop_folder(folder, lessons, exercises):
    (folder / "notebooks").mkdir(parents=True)
    for source in course.lessons():
        if source.number in lessons:
            (folder / source.link).touch()
    write_record(folder, {EXERCISES: exercises})
    return folder


def test_a_workshops_folder_counts_the_workshops_exercises_alone(home, tmp_path):
    wanted = ["attention.by_hand", "attention.zero_token", "attention.causal_mask"]
    folder = workshop_folder(tmp_path / "for-learners", {"02", "04"}, wanted)
    passes.remember("attention.by_hand")
    passes.remember("attention.softmax")  # at home, before the workshop
    rows = my_progress(folder)
    assert {name[:2]: row for name, row in rows.items()} == {"02": [True, False], "04": [False]}
    assert passes.count(folder) == "1 of 3 exercises passed."
    upcoming = next_lesson(folder)
    number = [each.id for each in by_lesson()["02"]].index("attention.zero_token") + 1
    assert upcoming.standing.startswith(f"1 of 2 exercises passed; open: {number} · ")
    passes.remember("attention.zero_token")
    assert next_lesson(folder).name[:2] == "04"


def test_a_workshop_does_not_ask_about_lessons_that_it_leaves_out(home, tmp_path, monkeypatch):
    group = question_groups()["04.recall"]
    kept = [each for each in group if {*each.origin} <= {"00", "02"}]
    assert 0 < len(kept) < len(group)
    folder = workshop_folder(tmp_path / "for-learners", {"00", "02", "04"}, [])
    monkeypatch.chdir(folder / "notebooks")  # where a lesson's kernel works
    assert ask("04.recall").questions == tuple(kept)
    assert "leaves out the lessons" in repr(ask("15.recall"))
    monkeypatch.chdir(tmp_path)
    assert ask("04.recall").questions == tuple(group)


def test_what_comes_next_is_linked_where_it_lies_and_named_where_it_does_not(home, tmp_path, monkeypatch):
    passing("00")
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
    assert "sheet (60 min)" in drawn


def without_paths(shown, home) -> str:
    return str(shown).replace(str(home), "HOME")


def test_a_damaged_progress_file_is_kept_aside_and_costs_no_answer(home, snapshot):
    told = set()
    for damage in (b"", b"{", b"[]", b'{"passed": 3}', b"\xff\xfe", b'{"other": {}}'):
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        (home / "progress.json").write_bytes(damage)
        assert my_progress()["02 · Self-attention by hand"].count(True) == 0
        card = check(SOFTMAX, softmax)
        assert card
        told.add(without_paths(card, home))
        assert (home / "progress.damaged.json").read_bytes() == damage
        assert list(json.loads((home / "progress.json").read_text())["passed"]) == [SOFTMAX]
    (text,) = told
    assert text == snapshot


def test_a_second_damaged_file_does_not_replace_the_first(home):
    home.mkdir()
    for damage in ("{", "["):
        (home / "progress.json").write_text(damage)
        assert check(SOFTMAX, softmax)
    assert [(home / name).read_text() for name in ("progress.damaged.json", "progress.damaged1.json")] == ["{", "["]


def test_an_unwritable_progress_file_costs_no_answer(home, snapshot):
    home.write_text("a file where the folder should be")
    card = check(SOFTMAX, softmax)
    assert card
    assert without_paths(card, home) == snapshot


def test_a_full_disk_costs_no_answer_and_leaves_no_half_file(home, monkeypatch, snapshot):
    check("attention.by_hand", [0.8668, 0.0159, 0.1173])
    before = (home / "progress.json").read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    card = check(SOFTMAX, softmax)
    assert card
    assert without_paths(card, home) == snapshot
    assert (home / "progress.json").read_bytes() == before


@pytest.fixture
def account(tmp_path, monkeypatch):
    """The account's file, where older versions of the course stored passes. It holds one pass."""
    monkeypatch.delenv("TRANSFORMER_COURSE_HOME")
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "account"))
    file = tmp_path / "account" / "progress.json"
    file.parent.mkdir()
    file.write_text('{"passed": {"start.average": "2026-01-02T03:04:05"}}')
    return file


@pytest.fixture
def folders(tmp_path):
    """Two learners' folders."""
    for name in ("first", "second"):
        (tmp_path / name / "notebooks").mkdir(parents=True)
        (tmp_path / name / ".transformer-course.json").write_text("{}")
    return tmp_path / "first", tmp_path / "second"


def test_each_folder_keeps_its_own_passes_and_starts_with_those_of_the_account(account, folders, monkeypatch):
    before = account.read_bytes()
    for folder, exercise in zip(folders, ("attention.softmax", "attention.by_hand"), strict=True):
        assert list(passes.passed(folder)) == ["start.average"]
        monkeypatch.chdir(folder / "notebooks")  # where a lesson's kernel works
        passes.remember(exercise)
        kept = {"start.average": "2026-01-02T03:04:05", exercise: passes.passed()[exercise]}
        assert json.loads((folder / ".transformer-course-progress.json").read_text()) == {"passed": kept}
        assert passes.passed(folder) == passes.passed() == kept
    assert account.read_bytes() == before
    monkeypatch.chdir(folders[0] / "notebooks")
    account.write_text('{"passed": {"start.average": "later", "layers.gelu": "later"}}')
    assert passes.passed().keys() == {"start.average", "attention.softmax"}  # the account's file is not read again
    assert next_lesson(folders[0]).name == next_lesson().name == "02 · Self-attention by hand"


@pytest.mark.parametrize("place", ["clone/notebooks", "nbgrader/source/02"])
def test_outside_a_learners_folder_the_accounts_file_is_used(account, tmp_path, monkeypatch, place):
    (tmp_path / place).mkdir(parents=True)
    (tmp_path / "nbgrader").mkdir(exist_ok=True)
    (tmp_path / "nbgrader" / ".transformer-course.json").write_text("{}")  # a teacher's folder for nbgrader has one as well
    monkeypatch.chdir(tmp_path / place)
    passes.remember("attention.softmax")
    assert list(json.loads(account.read_text())["passed"]) == ["start.average", "attention.softmax"]
    assert not [*tmp_path.rglob(".transformer-course-progress.json")]


def test_a_folder_that_was_chosen_wins_and_takes_nothing_from_the_account(account, folders, tmp_path, monkeypatch):
    monkeypatch.setenv("TRANSFORMER_COURSE_HOME", str(tmp_path / "chosen"))
    monkeypatch.chdir(folders[0])
    passes.remember("attention.softmax")
    assert list(json.loads((tmp_path / "chosen" / "progress.json").read_text())["passed"]) == ["attention.softmax"]
    assert not (folders[0] / ".transformer-course-progress.json").exists()


def test_a_damaged_file_in_a_folder_is_said_and_kept(account, folders, monkeypatch, snapshot):
    monkeypatch.chdir(folders[0])
    file = folders[0] / ".transformer-course-progress.json"
    assert passes.damage() == ""
    file.write_text('{"passed": {"attention.softmax": "2026')
    assert without_paths(passes.damage(), folders[0]) == snapshot(name="before")
    assert passes.passed() == {}
    assert without_paths(passes.remember("attention.by_hand"), folders[0]) == snapshot(name="after")
    assert (folders[0] / ".transformer-course-progress.damaged.json").read_text() == '{"passed": {"attention.softmax": "2026'
    assert (list(passes.passed()), passes.damage()) == (["attention.by_hand"], "")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(os.mkfifo, id="pipe"),
        pytest.param(os.mkdir, id="folder"),
        pytest.param(lambda path: path.symlink_to(path), id="link to itself"),
        pytest.param(lambda path: path.write_text('{"passed":' + "[" * 100_000 + "]" * 100_000 + "}"), id="nested"),
    ],
)
def test_a_file_that_cannot_be_read_counts_no_passes_and_is_told(home, make, snapshot):
    home.mkdir()
    make(passes.file())
    assert passes.passed() == {}
    assert without_paths(passes.damage(), home) == snapshot
    assert len(passes.remember("attention.softmax").splitlines()) <= 1
