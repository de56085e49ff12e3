"""`transformer-course progress`: all lessons, or the exercises of one."""

import re

from command_line import said
from typer.testing import CliRunner

from transformer_course import course
from transformer_course.app import cli
from transformer_course.exercises import ask, check, choose_path, passes
from transformer_course.exercises.catalogue import by_lesson, core
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax


def test_progress_tells_each_lesson_by_its_title_and_what_comes_next(home, snapshot):
    output = said("progress").replace(str(home), "HOME")
    assert re.sub(r"\d+ lessons and stages, \d+ exercises", "N lessons and stages, N exercises", output) == snapshot
    choose_path("everything")
    output = said("progress")
    assert re.search(r"^02 · Self-attention by hand +0 of 4 *$", output, re.MULTILINE)
    assert re.search(r"^00 · Start here +0 of 1 +next$", output, re.MULTILINE)
    assert re.search(r"^22 · Past one machine \(appendix\) +to read", output, re.MULTILINE)
    assert f"0 of {sum(len(core(number)) for number in by_lesson())} exercises passed." in output
    check("attention.softmax", softmax)
    output = said("progress")
    assert re.search(r"^02 · Self-attention by hand +0 of 4, and 1 of practice +next$", output, re.MULTILINE)
    assert "\n  lesson (20 min): notebooks/02_self_attention_by_hand.ipynb\n" in output


def test_progress_is_readable_in_80_columns(home):
    for name in by_lesson()["03"]:  # the longest title
        passes.remember(name.id)
    for arguments in ((), ("03",)):
        output = CliRunner().invoke(cli.app, ["progress", *arguments], env={"COLUMNS": "80", "TERM": "dumb"}).output
        assert max(len(line) for line in output.splitlines() if str(home) not in line) <= 80
        assert "…" not in output


def test_progress_of_one_lesson_lists_its_exercises(home):
    check("attention.softmax", softmax)
    for name in ("02", "2"):
        output = said("progress", name)
        assert re.search(r"^5 · Softmax for every shape .+ \d{4}-\d\d-\d\d +practice", output, re.MULTILINE)
        assert re.search(r"^3 · The bug that the example hides +– +[^p ]", output, re.MULTILINE)
        assert "attention.causal_mask" not in output
    assert re.search(r"^1 · .+ –", said("progress", "b1"), re.MULTILINE)
    for name in ("22", "two"):
        assert said("progress", name, status=1).startswith(f"There are no exercises for '{name}'. Choose from: 00, 01, 02,")


def test_progress_is_that_of_the_folder_which_lab_opens_or_which_is_named(tmp_path, launched, monkeypatch):
    monkeypatch.delenv("TRANSFORMER_COURSE_HOME")
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "account"))
    here = tmp_path / "here"
    here.mkdir()
    for folder in ("my-course", "other"):
        monkeypatch.chdir(here)
        said("lab", folder)
    passes.remember("start.average")  # JupyterLab runs in the folder that was opened last
    monkeypatch.chdir(here)
    of_the_path = [exercise for step in course.learning_paths()[0].steps for exercise in step.exercises if exercise.core]
    for arguments, count, stored in (
        ((), 0, here / "my-course" / ".transformer-course-progress.json"),
        (("--folder", "other"), 1, here / "other" / ".transformer-course-progress.json"),
        (("02", "--folder", "other/notebooks"), 1, here / "other" / ".transformer-course-progress.json"),
    ):
        lines = said("progress", *arguments).splitlines()
        assert lines[-1] == f"{count} of {len(of_the_path)} exercises passed. Stored in {stored}"
    passes.remember("attention.softmax")  # outside any folder
    assert "0 of " in said("progress", "02")
    assert "1 of " in said("progress", "--folder", "other")
    monkeypatch.chdir(here / "other")
    assert "1 of " in said("progress")
    to_add = "transformer-course lab nowhere, or make lab FOLDER=nowhere"
    message = f"nowhere does not contain the course yet. To add it: {to_add}\n"
    assert said("progress", "--folder", "nowhere", status=1) == message


def test_lab_and_progress_offer_a_new_folder_what_the_account_has_and_take_it_in(tmp_path, launched, monkeypatch):
    monkeypatch.delenv("TRANSFORMER_COURSE_HOME")
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "account"))
    passes.remember("attention.by_hand")  # outside any folder
    offer = "This account has 1 passed exercise (attention.by_hand) "

    def told(*arguments):
        monkeypatch.chdir(tmp_path)  # lab changes to the learner's folder
        return said(*arguments)

    first = told("lab", "mine")
    assert (offer in first, re.search(r"^0 of \d+ exercises passed\.$", first, re.MULTILINE) is None) == (True, False)
    outputs = told("lab", "mine"), told("progress", "--folder", "mine"), told("progress", "--folder", "mine")
    assert [offer in output for output in outputs] == [False, True, False]
    output = told("progress", "--adopt", "--folder", "mine")
    assert output.startswith("This folder now has the account's passes, of 1 exercise. ")
    assert re.search(r"^02 · Self-attention by hand +1 of 4 +next$", output, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    passes.remember("attention.softmax")
    assert re.search(r"^5 · Softmax .+ \d{4}-\d\d-\d\d", told("progress", "02", "--adopt", "--folder", "mine"), re.MULTILINE)
    (tmp_path / "account" / "progress.json").unlink()
    assert told("progress", "--folder", "mine").splitlines()[-1].startswith("1 of ")
    monkeypatch.chdir(tmp_path)
    assert said("progress", "--adopt", "--folder", "mine", status=1).startswith("This account has no passes of its own: ")


def test_progress_shows_which_lessons_were_read(tmp_path, launched, monkeypatch):
    said("lab", "mine", "--no-browser")
    said("path", "ideas")
    monkeypatch.chdir("notebooks")
    ask("02.exit")
    output = said("progress")
    assert re.search(r"^02 · Self-attention by hand +read *$", output, re.MULTILINE)
    assert re.search(r"^03 · Queries, keys, values, and the scale +to read +next$", output, re.MULTILINE)
    assert "\n1 of 21 lessons read, 0 of 1 exercises passed. " in output
