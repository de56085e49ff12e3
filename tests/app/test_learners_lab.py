"""`transformer-course lab`: which folder it fills, and which notebook it opens."""

import json
import os
import re
import socket

import pytest
from command_line import said

from transformer_course import course
from transformer_course._util import paths
from transformer_course.app.jupyter import start
from transformer_course.exercises import choose_path, next_lesson, passes
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.experiments import effort
from transformer_course.folders.learner_folder import fingerprint
from transformer_course.folders.opening import opening

FIRST, SHEET = "notebooks/00_start_here.ipynb", "exercises/02_sheet_self_attention_by_hand.ipynb"


def test_lab_fills_the_folder_and_opens_lesson_00(home, tmp_path, launched):
    output = said("lab", "mine")
    lessons = len(course.lessons())
    sheets = len(course.sources()) - lessons
    counted = f"{lessons} lessons, {sheets} sheets, {len(paths.PAGES)} pages"
    assert output.startswith(f"{lessons + sheets + len(paths.PAGES)} files added to mine: {counted}.\n0 of ")
    assert "Next: 00 · Start here" in output
    assert (tmp_path / "mine" / "notebooks" / "00_start_here.ipynb").exists()
    (options,) = launched
    assert opening(tmp_path / "mine").notebook == FIRST
    assert "--LabApp.default_url=/course" in options
    assert f"--ServerApp.root_dir={tmp_path / 'mine'}" in options
    assert not any(option.startswith("--ServerApp.port") for option in options)
    assert os.environ["JUPYTER_CONFIG_PATH"].endswith(f"transformer_course/app/jupyter{os.pathsep}/elsewhere")


def test_lab_a_second_time_says_how_far_one_is_and_opens_what_comes_next(home, tmp_path, launched):
    mine = str(tmp_path / "mine")
    said("lab", mine)
    passes.remember("start.average")
    count, *upcoming, ended = said("lab", mine).splitlines()
    core = [each for step in course.learning_paths()[0].steps for each in step.exercises if each.core]
    assert count == f"1 of {len(core)} exercises passed."
    assert upcoming == repr(next_lesson()).splitlines()
    assert ended == f"JupyterLab has stopped. Your work is in {mine}. To continue, start it again in the same way."
    assert upcoming[0] == "Next: B1 · A model that learns"
    assert opening(tmp_path / "mine").notebook == "exercises/B1_a_model_that_learns.ipynb"
    passes.remember(by_lesson()["01"][0].id)  # the path leaves out lesson 01; the folder keeps to it
    assert opening(tmp_path / "mine").notebook == "exercises/B1_a_model_that_learns.ipynb"
    choose_path("everything")
    assert "1 of 2 exercises passed; open: 2 · " in said("lab", mine)
    assert opening(tmp_path / "mine").notebook == "exercises/01_sheet_why_attention.ipynb"


def test_inside_ones_own_folder_it_is_that_one_which_opens(home, tmp_path, launched, monkeypatch):
    said("lab")
    monkeypatch.chdir(tmp_path / "my-course" / "notebooks")
    assert "added" not in said("lab")
    assert not list(tmp_path.glob("my-course/**/my-course"))
    assert [f"--ServerApp.root_dir={tmp_path / 'my-course'}" in options for options in launched] == [True, True]


def test_a_folder_that_was_hardly_meant_is_not_filled(home, tmp_path, launched, snapshot):
    for place in ("1-before-lesson-04/notebooks", "workshop/for-learners"):
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / "1-before-lesson-04" / ".transformer-course.json").write_text("{}")
    before = sorted(tmp_path.rglob("*"))
    names = ("02", "for-learners", "2-before-lesson-15", "7-before-sheet-02", "1-before-leson-04", "for-leaners", "workshop")
    assert {name: said("lab", name, status=1).replace(str(tmp_path), "HERE") for name in names} == snapshot
    assert sorted(tmp_path.rglob("*")) == before
    assert launched == []


def test_a_folder_that_is_open_already_is_not_opened_a_second_time(home, tmp_path, launched, monkeypatch):
    browsed: list[str] = []
    monkeypatch.setattr("webbrowser.open", browsed.append)
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        port = holder.getsockname()[1]
        server = {"root_dir": str(tmp_path / "mine"), "port": port, "url": f"http://localhost:{port}/", "token": "t"}
        monkeypatch.setattr("jupyter_server.serverapp.list_running_servers", lambda: [server])
        output = said("lab", str(tmp_path / "mine"), "--no-browser")
        address = re.search(r"Already open: (http://localhost:\d+/course\?token=t)\n", output)
        assert (launched, browsed) == ([], [])
        said("lab", str(tmp_path / "mine"))
        said("lab", str(tmp_path / "mine"), "--port", str(port))
        assert browsed == [address[1]] * 2
        said("lab", str(tmp_path / "other"))
        assert len(launched) == 1
    said("lab", str(tmp_path / "mine"))  # a server that was killed leaves its record behind
    assert len(launched) == 2


def test_light_training_reaches_the_kernels_unless_the_course_is_already_open(home, tmp_path, launched, monkeypatch):
    monkeypatch.setenv(effort.VARIABLE, "full")
    said("lab", "mine")
    assert os.environ[effort.VARIABLE] == "full"
    monkeypatch.setattr(start, "running_address", lambda folder: "http://localhost:1/course?token=t")
    assert "It is open already, so --light changes nothing." in said("lab", str(tmp_path / "mine"), "--light", "--no-browser")
    assert os.environ[effort.VARIABLE] == "full"
    said("lab", str(tmp_path / "other"), "--light", "--port", "2")
    assert (os.environ[effort.VARIABLE], len(launched)) == ("light", 2)


def test_a_folder_that_was_handed_out_opens_as_it_is_and_keeps_to_its_lessons(home, tmp_path, launched):
    folder = tmp_path / "class"
    said("release", str(folder), "--sheet", "02")
    output = said("lab", str(folder))
    assert "added" not in output
    assert "Next: 02 · Self-attention by hand" in output
    assert opening(folder).notebook == "notebooks/02_self_attention_by_hand.ipynb"
    assert [path.stem[:2] for path in folder.glob("*/*.ipynb")] == ["02", "02"]
    (folder / "notebooks" / "02_self_attention_by_hand.ipynb").unlink()
    assert "1 file added" in said("lab", str(folder))
    (folder / ".transformer-course.json").write_text('{"only": [], "first": "exercises/mine.ipynb"}')
    assert "Opening exercises/mine.ipynb" in said("lab", str(folder))
    assert opening(folder).notebook == "exercises/mine.ipynb"


def test_lab_names_what_it_brought_up_to_date_and_what_it_left(home, tmp_path, launched):
    mine, name = tmp_path / "mine", "notebooks/03_queries_keys_values_and_the_scale.ipynb"
    said("lab", str(mine))
    record = mine / ".transformer-course.json"
    lesson = json.loads((mine / name).read_text())
    lesson["cells"].pop()  # as if the previous version had lacked its last cell
    (mine / name).write_text(json.dumps(lesson))
    known = json.loads(record.read_text()) | {name: fingerprint((mine / name).read_bytes()), SHEET: "that of an older version"}
    record.write_text(json.dumps(known))
    (mine / "docs" / "glossary.md").unlink()
    (mine / SHEET).write_text("mine")
    first, updated, left, *rest = said("lab", str(mine)).splitlines()
    assert (first, updated) == (f"1 file added to {mine}: 1 page.", f"updated: {name}")
    assert left.startswith(f"not updated, because you changed it: {SHEET}")
    assert any(line.startswith("0 of ") for line in rest)
    assert (mine / SHEET).read_text() == "mine"


def test_a_folder_that_cannot_be_used_is_told(tmp_path, launched):
    (tmp_path / "file").write_text("")
    output = said("lab", str(tmp_path / "file"), status=1)
    assert "is a file; choose a folder" in output
    assert len(output.splitlines()) == 1
    assert launched == []


def test_lab_says_that_the_progress_file_is_damaged(home, tmp_path, launched):
    mine = str(tmp_path / "mine")
    said("lab", mine)
    home.mkdir(exist_ok=True)
    (home / "progress.json").write_text("{")
    sentence = f"{home / 'progress.json'} is damaged, so the passes in it are not counted"
    assert said("lab", mine).startswith(sentence)
    assert sentence in said("progress")
    assert (home / "progress.json").read_text() == "{"


def directory(path):
    path.mkdir()


def link_to_itself(path):
    path.symlink_to(path)


def link_to_nothing(path):
    path.symlink_to("nothing")


def large(path):
    with path.open("wb") as file:
        file.truncate(21 * 2**20)


@pytest.mark.skipif(os.name == "nt", reason="Windows has other links, and no such pipes")
@pytest.mark.parametrize("make", [os.mkfifo, directory, link_to_itself, link_to_nothing, large])
def test_what_is_no_file_and_what_is_too_large_is_passed_over_with_one_sentence(home, tmp_path, launched, make):
    folder, names = tmp_path / "mine", (FIRST, "notebooks/mine.ipynb", "docs/glossary.md")
    said("lab", str(folder))
    for name in names:
        (folder / name).unlink(missing_ok=True)
        make(folder / name)
    output = said("lab", str(folder))
    reason = (
        "was passed over: it is larger than 20 MiB, and a sheet of that size gets no mark."
        if make == large
        else "was passed over: it cannot be read"
    )
    for name in names:
        assert output.count(f"{name} {reason}") == 1
    assert re.search("Next: (00|B1)", output)
    assert len(launched) == 2


def test_a_folder_that_is_a_link_to_itself_is_told(home, tmp_path, launched):
    (tmp_path / "mine").symlink_to(tmp_path / "mine")
    assert said("lab", str(tmp_path / "mine"), status=1).startswith(
        f"{tmp_path / 'mine'} is a link that leads back to itself;"
    )
