"""The course installed from a wheel, without a clone: all of it is there, and an update keeps the learner's work."""

import json
import os
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

from transformer_course import course, models
from transformer_course._util import paths

pytestmark = pytest.mark.slow

LESSON, SHEET = "notebooks/02_self_attention_by_hand.ipynb", "exercises/02_sheet_self_attention_by_hand.ipynb"
UNTOUCHED = "notebooks/03_queries_keys_values_and_the_scale.ipynb"
VERSION = tomllib.loads((paths.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

# `lab` without JupyterLab, for the commands of a learner or a teacher in one process.
SAID = """
import json, os
from jupyterlab.labapp import LabApp
from typer.testing import CliRunner
from transformer_course._util import paths
from transformer_course.app import cli, doctor_checks
from transformer_course.app.jupyter import start
from transformer_course.exercises import check
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax

assert paths.ROOT.name == "material", paths.ROOT
LabApp.launch_instance = classmethod(lambda cls, argv: None)
start.leave = lambda: None
here = os.getcwd()

def said(*arguments):
    os.chdir(here)
    result = CliRunner().invoke(cli.app, arguments)
    assert result.exit_code == 0, result.output
    return result.output
"""

OLDER = """
(version,) = doctor_checks.check_version(".")
lab = said("lab", "mine")
assert check("attention.softmax", softmax)
print(json.dumps([version.result, lab]))
"""

# Doctor's other checks are of the computer. A site of texts alone has the same pages and links, and is built in half the time.
WHOLE = """
from pathlib import Path
import nbformat
from nbclient import NotebookClient
from transformer_course import models
from transformer_course.app import doctor
from transformer_course.app.wheelhouse import fill
from transformer_course.exercises.solutions import solution_of
from transformer_course.grading.reports.feedback_pages import PAGES
from transformer_course.site import notebook_page

def write_texts(notebook, path, write=nbformat.write):
    code = nbformat.v4.new_markdown_cell("(code)")
    notebook.cells = [cell if cell.cell_type == "markdown" else code for cell in notebook.cells]
    write(notebook, path)

outputs = {"lab": said("lab", "mine")}
doctor.CHECKS = doctor_checks.check_version, doctor_checks.check_torch_and_models
outputs["doctor"] = said("doctor", "mine")
outputs["release"] = said("release", "class", "--sheet", "02")
os.chdir(here)
lesson = nbformat.read(f"mine/{LESSON}", as_version=4)
NotebookClient(lesson, kernel_name="python3", resources={"metadata": {"path": "mine/notebooks"}}).execute()
notebook_page.nbformat.write = write_texts
outputs["site"] = said("site", "website")
assert "def softmax(scores):" in solution_of("attention.softmax")
PAGES.get_template("feedback.html")
outputs["models"] = {name: models.load(name)[0].config.d_model for name in models.names()}
Path("again").mkdir()
outputs["again"] = str(fill.own_wheel(Path("again")))
print(json.dumps(outputs))
"""


def with_cell(content: bytes, text: str) -> bytes:
    """A notebook with one more cell."""
    notebook = json.loads(content)
    cell = {"cell_type": "markdown", "id": "added", "metadata": {}, "source": text}
    return json.dumps({**notebook, "cells": [*notebook["cells"], cell]}).encode()


@pytest.fixture(scope="module")
def newer(tmp_path_factory) -> Path:
    """The course's wheel."""
    folder = tmp_path_factory.mktemp("newer")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(paths.ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def older(newer, tmp_path_factory) -> Path:
    """The wheel of an older version, in which three notebooks have one more cell."""
    path = tmp_path_factory.mktemp("older") / newer.name.replace(VERSION, "0.0.1")
    with zipfile.ZipFile(newer) as new, zipfile.ZipFile(path, "w") as old:
        for name in new.namelist():
            content = new.read(name)
            if name.endswith(("/METADATA", "/RECORD")):
                content = content.replace(f"Version: {VERSION}".encode(), b"Version: 0.0.1")
                content = content.replace(f"-{VERSION}.".encode(), b"-0.0.1.")
            if name.removeprefix("transformer_course/material/") in (LESSON, SHEET, UNTOUCHED):
                content = with_cell(content, "of the older version")
            old.writestr(name.replace(f"-{VERSION}.", "-0.0.1."), content)
    return path


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> Path:
    """A learner's environment, which also sees the packages installed here."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    own = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    # This folder is searched last, after everything that is installed in the new environment.
    (own / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / ("Scripts" if os.name == "nt" else "bin")


@pytest.fixture
def computer(tmp_path, programs):
    """A learner's computer with this environment."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*command: str) -> str:
        command = [str(programs / command[0]), *command[1:]]
        ran = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def install(wheel: Path) -> None:
        command = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "install", "--no-deps", "--no-index"]
        subprocess.run([*command, "--no-compile", str(wheel)], check=True, capture_output=True)

    run.install, run.folder = install, tmp_path
    return run


def files(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/RECORD")}


def test_an_update_touches_nothing_that_the_learner_wrote(computer, older, newer):
    computer.install(older)
    version, _ = json.loads(computer("python", "-c", SAID + OLDER))
    assert version.startswith("0.0.1-")
    mine = computer.folder / "mine"
    assert "of the older version" in (mine / UNTOUCHED).read_text(encoding="utf-8")
    for notebook in (LESSON, SHEET):
        (mine / notebook).write_bytes(with_cell((mine / notebook).read_bytes(), "what I wrote 学"))
    (mine / "notebooks" / "my own.ipynb").write_text('{"cells": []}')
    (mine / "exercises" / "99_sheet_notes.txt").write_text("notes")
    written = {
        mine / name: (mine / name).read_bytes()
        for name in (LESSON, SHEET, "notebooks/my own.ipynb", "exercises/99_sheet_notes.txt")
    }
    progress = (computer.folder / "home" / "progress.json").read_bytes()

    computer.install(newer)
    lines = computer("python", "-c", f"{SAID}print(said('lab', 'mine'))").splitlines()
    assert lines[0] == f"updated: {UNTOUCHED}"
    assert [line.split(" (")[0] for line in lines[1:3]] == [
        f"not updated, because you changed it: {name}" for name in (LESSON, SHEET)
    ]
    assert {path: path.read_bytes() for path in written} == written
    assert "of the older version" not in (mine / UNTOUCHED).read_text(encoding="utf-8")
    assert (computer.folder / "home" / "progress.json").read_bytes() == progress
    assert "1 of " in computer("transformer-course", "progress")


def test_the_whole_course_comes_from_inside_an_installed_wheel(computer, newer):
    computer.install(newer)
    outputs = json.loads(computer("python", "-c", f"LESSON = {LESSON!r}\n{SAID}{WHOLE}"))
    whole = [source.link for source in course.sources()] + list(paths.PAGES)
    assert outputs["lab"].startswith(f"{len(whole)} files added to mine: ")
    for name in whole:
        assert (computer.folder / "mine" / name).exists()
    assert outputs["doctor"].startswith(f"The course will run here.\n   version     {VERSION}-")
    assert (computer.folder / "class" / SHEET).exists()
    website = computer.folder / "website"
    pages = {path.relative_to(website).as_posix() for path in website.rglob("*.html")}
    lessons = {f"{source.folder}/{source.name}.html" for source in course.sources()}
    assert lessons | {"index.html", "docs/glossary.html", "slides/02.html", "slides/half-day.html"} <= pages
    assert outputs["models"] == {name: models.load(name)[0].config.d_model for name in models.names()}
    assert files(computer.folder / outputs["again"]) == files(newer)  # the wheel that a wheelhouse gets
    assert Path(outputs["again"]).name == newer.name
