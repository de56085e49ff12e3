"""The command transformer-course, as a newcomer types it."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import said
from typer.testing import CliRunner

from transformer_course._util import paths
from transformer_course.app import cli
from transformer_course.app.commands import learners
from transformer_course.exercises import catalogue, check, passes
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax
from transformer_course.folders.learner_folder import fingerprint

FIRST = "notebooks/00_start_here.ipynb"


@pytest.fixture
def launched(tmp_path, monkeypatch) -> list:
    """What JupyterLab would have been started with."""
    calls: list = []
    monkeypatch.setattr("jupyterlab.labapp.LabApp.launch_instance", lambda argv: calls.append(argv))
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "/elsewhere")
    monkeypatch.setenv("PATH", "/programs")
    monkeypatch.chdir(tmp_path)  # the server works in the learner's folder, and pytest goes back afterwards
    return calls


def opened(options: list[str]) -> str:
    """The notebook that JupyterLab opens with."""
    (found,) = (match for option in options if (match := re.search(r"default_url=/lab/workspaces/[\w-]+/tree/(.+)", option)))
    return found[1]


def test_help_names_the_first_step_and_every_command():
    for arguments in ((), ("--help",)):
        output = said(*arguments, status=0 if arguments else 2)
        assert "Begin with: transformer-course lab" in output
        assert "Open the course in JupyterLab" in output
        assert "Show how far you are" in output
        assert "Make a folder to hand out" in output
    assert "What you changed there is never overwritten" in said("lab", "--help")


def test_lab_fills_the_folder_and_opens_lesson_00(home, tmp_path, launched):
    output = said("lab", "mine")
    lessons, sheets = (len(paths.notebooks(part)) for part in paths.FOLDERS)
    counted = f"{lessons} lessons, {sheets} sheets, {len(paths.PAGES)} pages"
    assert output.startswith(f"{lessons + sheets + len(paths.PAGES)} files added to mine: {counted}.\n0 of ")
    assert "Next: 00 · Start here" in output
    assert (tmp_path / "mine" / "notebooks" / "00_start_here.ipynb").exists()
    (options,) = launched
    assert opened(options) == FIRST
    assert f"--ServerApp.root_dir={tmp_path / 'mine'}" in options
    assert not any(option.startswith("--ServerApp.port") for option in options)
    assert os.environ["JUPYTER_CONFIG_PATH"].endswith(f"transformer_course/app/jupyter{os.pathsep}/elsewhere")


def test_a_terminal_of_jupyterlab_has_this_command_and_begins_in_the_learners_folder(home, tmp_path, launched):
    said("lab", "mine")
    assert os.environ["PATH"] == f"{Path(sys.executable).parent}{os.pathsep}/programs"
    assert Path.cwd() == tmp_path / "mine"  # where JupyterLab looks for the folder that its file browser shows


def test_lab_a_second_time_says_how_far_one_is_and_opens_what_comes_next(home, tmp_path, launched):
    mine = str(tmp_path / "mine")
    said("lab", mine)
    passes.remember("start.average")
    count, *upcoming, ended = said("lab", mine).splitlines()
    assert count == f"1 of {len(catalogue())} passed."
    assert upcoming == repr(passes.next_lesson()).splitlines()
    assert ended == f"JupyterLab has ended. Your work is in {mine}; to go on, start it again as you did."
    assert upcoming[0] == "Next: 01 · Why attention?"
    assert opened(launched[1]) == "notebooks/01_why_attention.ipynb"
    passes.remember(by_lesson()["01"][0].id)
    assert "1 of 5 exercises passed; open: 2 · " in said("lab", mine)
    assert opened(launched[2]) == "exercises/01_sheet_why_attention.ipynb"


def test_each_folder_has_its_own_tabs(home, tmp_path, launched):
    for folder in ("mine", "mine", "other"):
        said("lab", str(tmp_path / folder))
    first, again, other = (option for options in launched for option in options if "default_url" in option)
    assert first == again != other


def test_inside_ones_own_folder_it_is_that_one_which_opens(home, tmp_path, launched, monkeypatch):
    said("lab")
    monkeypatch.chdir(tmp_path / "my-course" / "notebooks")
    assert "added" not in said("lab")
    assert not list(tmp_path.glob("my-course/**/my-course"))
    assert [f"--ServerApp.root_dir={tmp_path / 'my-course'}" in options for options in launched] == [True, True]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("02", "02 is a lesson, and here goes a folder. transformer-course lab opens the lesson that comes next."),
        (
            "for-learners",
            "There is no folder for-learners in {}. There is 1-before-lesson-04. Put there what you were given, whole.",
        ),
        ("2-before-lesson-15", "There is no folder 2-before-lesson-15 in {}. There is 1-before-lesson-04."),
        ("1-before-leson-04", "There is no folder 1-before-leson-04 in {}. There is 1-before-lesson-04."),
        ("for-leaners", "There is no folder for-leaners in {}."),
        ("workshop", "workshop is a workshop's folder. Learners open a copy of workshop/for-learners"),
    ],
)
def test_a_folder_that_was_hardly_meant_is_not_filled(home, tmp_path, launched, name, told):
    for place in ("1-before-lesson-04/notebooks", "workshop/for-learners"):
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / "1-before-lesson-04" / ".transformer-course.json").write_text("{}")
    before = sorted(tmp_path.rglob("*"))
    assert said("lab", name, status=1).startswith(told.format(tmp_path))
    assert sorted(tmp_path.rglob("*")) == before
    assert launched == []


def test_a_folder_that_is_open_already_is_not_opened_a_second_time(home, tmp_path, launched, monkeypatch):
    looked: list[str] = []
    monkeypatch.setattr("webbrowser.open", looked.append)
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        port = holder.getsockname()[1]
        server = {"root_dir": str(tmp_path / "mine"), "port": port, "url": f"http://localhost:{port}/", "token": "t"}
        monkeypatch.setattr("jupyter_server.serverapp.list_running_servers", lambda: [server])
        output = said("lab", str(tmp_path / "mine"), "--no-browser")
        address = re.search(
            r"It is open already: (http://localhost:\d+/lab/workspaces/course-\w+/tree/(\S+)\?token=t)\n", output
        )
        assert address[2] == FIRST
        assert (launched, looked) == ([], [])
        said("lab", str(tmp_path / "mine"))
        assert looked == [address[1]]
        said("lab", str(tmp_path / "other"))
        assert len(launched) == 1
    said("lab", str(tmp_path / "mine"))  # the record of a server that was killed
    assert len(launched) == 2


def test_a_folder_that_was_handed_out_opens_as_it_is_and_keeps_to_its_lessons(home, tmp_path, launched):
    folder = tmp_path / "class"
    said("release", str(folder), "--sheet", "02")
    output = said("lab", str(folder))
    assert "added" not in output
    assert "Next: 02 · Self-attention by hand" in output
    assert opened(launched[0]) == "notebooks/02_self_attention_by_hand.ipynb"
    assert [path.stem[:2] for path in folder.glob("*/*.ipynb")] == ["02", "02"]
    (folder / "notebooks" / "02_self_attention_by_hand.ipynb").unlink()
    assert "1 file added" in said("lab", str(folder))
    (folder / ".transformer-course.json").write_text('{"only": [], "first": "exercises/mine.ipynb"}')
    assert "It opens with exercises/mine.ipynb" in said("lab", str(folder))
    assert opened(launched[2]) == "exercises/mine.ipynb"


def test_lab_names_what_it_brought_up_to_date(home, tmp_path, launched):
    mine, name = tmp_path / "mine", "notebooks/03_queries_keys_values_and_the_scale.ipynb"
    said("lab", str(mine))
    record = mine / ".transformer-course.json"
    lesson = json.loads((mine / name).read_text())
    lesson["cells"].pop()  # as if the edition before had been without its end
    (mine / name).write_text(json.dumps(lesson))
    known = json.loads(record.read_text()) | {name: fingerprint((mine / name).read_bytes())}
    record.write_text(json.dumps(known))
    (mine / "docs" / "glossary.md").unlink()
    assert said("lab", str(mine)).startswith(f"1 file added to {mine}: 1 page.\nbrought up to date: {name}\n0 of ")


def test_lab_says_what_it_left(tmp_path, launched):
    said("lab", str(tmp_path))
    sheet = tmp_path / "exercises" / "02_sheet_self_attention_by_hand.ipynb"
    sheet.write_text("mine")
    (tmp_path / ".transformer-course.json").unlink()
    assert "left as you changed it: exercises/02_sheet_self_attention_by_hand.ipynb" in said("lab", str(tmp_path))
    assert sheet.read_text() == "mine"


def test_a_free_port_is_used_and_a_taken_one_is_told(tmp_path, launched):
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        output = said("lab", str(tmp_path), "--port", str(port), status=1)
    assert f"Port {port} is taken, perhaps by another JupyterLab; leave out --port, or try --port {port + 1}." in output
    assert launched == []
    said("lab", str(tmp_path), "--port", str(port), "--no-browser")
    assert {f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--no-browser"} <= set(launched[0])


def test_a_folder_that_cannot_be_used_is_told(tmp_path, launched):
    (tmp_path / "file").write_text("")
    output = said("lab", str(tmp_path / "file"), status=1)
    assert "is a file; name a folder" in output
    assert len(output.splitlines()) == 1
    assert launched == []


def test_root_may_start_it_in_a_container(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    assert "--allow-root" in learners.jupyter_options(tmp_path, None, True)
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    assert "--allow-root" not in learners.jupyter_options(tmp_path, None, True)


def test_what_teachers_installed_is_off_in_a_learners_jupyterlab(tmp_path, monkeypatch):
    off = "--ServerApp.jpserver_extensions=nbgrader.server_extensions.formgrader=False"
    monkeypatch.setattr(learners, "find_spec", lambda name: None)
    assert off not in learners.jupyter_options(tmp_path, None, True)  # JupyterLab would warn of a part that it cannot find
    monkeypatch.setattr(learners, "find_spec", lambda name: name)
    assert off in learners.jupyter_options(tmp_path, None, True)


def test_progress_tells_each_lesson_by_its_title_and_what_comes_next(home):
    output = said("progress")
    assert re.search(r"^02 · Self-attention by hand +0 of 7 *$", output, re.MULTILINE)
    assert re.search(r"^00 · Start here +0 of 1 +next$", output, re.MULTILINE)
    assert re.search(r"^22 · Past one machine \(appendix\) +no exercises", output, re.MULTILINE)
    assert f"0 of {len(catalogue())} passed" in output
    check("attention.softmax", softmax)
    output = said("progress")
    assert re.search(r"^02 · Self-attention by hand +1 of 7 +next$", output, re.MULTILINE)
    assert "\n  lesson (35 min): notebooks/02_self_attention_by_hand.ipynb\n" in output
    assert "transformer-course progress 02" in output
    assert f"1 of {len(catalogue())} passed" in output
    assert str(home) in output


def test_progress_is_readable_in_80_columns(home):
    for name in by_lesson()["03"][:2]:  # the longest title
        passes.remember(name.id)
    for arguments in ((), ("03",)):
        output = CliRunner().invoke(cli.app, ["progress", *arguments], env={"COLUMNS": "80", "TERM": "dumb"}).output
        assert max(len(line) for line in output.splitlines() if str(home) not in line) <= 80
        assert "…" not in output


def test_progress_of_one_lesson_lists_its_exercises(home):
    check("attention.softmax", softmax)
    for name in ("02", "2"):
        output = said("progress", name)
        assert re.search(r"^3 · Softmax for every shape .+ \d{4}-\d\d-\d\d", output, re.MULTILINE)
        assert re.search(r"^5 · Self-attention with matrices .+ –", output, re.MULTILINE)
        assert "attention.causal_mask" not in output
    for name in ("22", "two"):
        assert said("progress", name, status=1).startswith(f"There are no exercises to '{name}'; name one of 00, 01, 02,")


def test_release_says_what_was_written_and_what_comes_next(tmp_path):
    folder = tmp_path / "class"
    written, *steps = said("release", str(folder), "--sheet", "02").splitlines()
    assert written == f"7 files added to {folder}: 1 lesson, 1 sheet, 5 pages."
    assert steps == [
        f"Hand out all of {folder}: its sheets and lessons link to each other. It contains no solutions.",
        "Once you have all submissions in one folder: transformer-course grade FOLDER --out RESULTS",
    ]
    unchanged = f"Nothing was changed: {folder} has all of it."
    assert said("release", str(folder), "--sheet", "02").splitlines() == [unchanged, *steps]
    said("release", str(folder), "--sheet", "3")
    assert "brought up to date" in said("release", str(folder), "--sheet", "02")  # what was plain words is a link
    also = f"{folder} now contains sheets 02 and 03."
    assert said("release", str(folder), "--sheet", "02").splitlines() == [unchanged, also, *steps]
    assert said("release", str(folder), "--sheet", "02", "--sheet", "03").splitlines() == [unchanged, *steps]
    rest = sum(len(paths.notebooks(part)) for part in paths.FOLDERS) - 4
    assert f"{rest} files added" in said("release", str(folder))


def test_release_for_nbgrader_says_what_comes_next(tmp_path):
    written, *steps = said("release", str(tmp_path), "--nbgrader", "--sheet", "02", "--sheet", "04").splitlines()
    assert written == f"3 files added to {tmp_path}: 1 other file, 2 sheets."
    assert steps == [
        f"{tmp_path / 'source'} contains the solutions: keep it to yourself.",
        f"In {tmp_path}, run nbgrader generate_assignment 02, then hand out release/02. Do the same for 04.",
        "Once the submissions are in submitted/NAME/02: nbgrader autograde 02",
    ]


def test_release_tells_what_it_cannot_do_in_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    assert said("release", str(tmp_path), "--sheet", "99", status=1).startswith(
        "There is no sheet '99'; the course has 01, 02,"
    )
    assert "is a file; name a folder" in said("release", str(tmp_path / "file"), status=1)
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


def test_the_command_runs_as_a_module():
    command = [sys.executable, "-m", "transformer_course.app.cli", "--help"]
    assert "lab" in subprocess.run(command, capture_output=True, text=True, check=True).stdout
