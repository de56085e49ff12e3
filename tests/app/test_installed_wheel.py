"""The course installed from a wheel, without a clone: all of it is there, and an update keeps the learner's work."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

from transformer_course._util import paths

LESSON, SHEET = "notebooks/02_self_attention_by_hand.ipynb", "exercises/02_sheet_self_attention_by_hand.ipynb"
UNTOUCHED = "notebooks/03_queries_keys_values_and_the_scale.ipynb"

LAB = """
from jupyterlab.labapp import LabApp
from transformer_course._util import paths
from transformer_course.app import cli
assert paths.ROOT.name == "material", paths.ROOT
LabApp.launch_instance = classmethod(lambda cls, argv: None)
cli.app(["lab", "mine"])
"""

RUN = """
import nbformat
from nbclient import NotebookClient
lesson = nbformat.read("mine/" + LESSON, as_version=4)
NotebookClient(lesson, kernel_name="python3", resources={"metadata": {"path": "mine/notebooks"}}).execute()
"""

PASS = """
from transformer_course.exercises import check
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax
assert check("attention.softmax", softmax)
"""

REST = """
from pathlib import Path
from transformer_course import models
from transformer_course.app.wheelhouse import fill
from transformer_course.exercises import catalogue
from transformer_course.exercises.solutions import solution_of
from transformer_course.grading.reports.feedback_pages import PAGES
assert "def softmax(scores):" in solution_of("attention.softmax")
PAGES.get_template("feedback.html")
print(*[models.load(name)[0].config.d_model for name in models.names()])
print(fill.own_wheel(Path("again")))
"""


def add_cell(path: Path, text: str) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cell = {"cell_type": "markdown", "id": "added", "metadata": {}, "source": text}
    path.write_text(json.dumps({**notebook, "cells": [*notebook["cells"], cell]}), encoding="utf-8")


@pytest.fixture(scope="module")
def wheels(tmp_path_factory) -> dict[str, Path]:
    """The course's wheel, and the wheel of an older version."""
    folder, older = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("older")
    for part in ("transformer_course", "notebooks", "exercises", "docs"):
        shutil.copytree(paths.ROOT / part, older / part, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "constraints.txt", "README.md", "LICENSE"):
        shutil.copy(paths.ROOT / file, older)
    for notebook in (LESSON, SHEET, UNTOUCHED):
        add_cell(older / notebook, "of the older version")
    settings = (older / "pyproject.toml").read_text(encoding="utf-8")
    settings = re.sub(r'^version = ".*"', 'version = "0.0.1"', settings, flags=re.MULTILINE)
    (older / "pyproject.toml").write_text(settings, encoding="utf-8")
    built = {}
    for age, source in (("older", older), ("newer", paths.ROOT)):
        build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder / age), str(source)]
        subprocess.run(build, check=True, capture_output=True)
        (built[age],) = (folder / age).glob("*.whl")
    return built


@pytest.fixture
def computer(tmp_path):
    """A learner's computer: its own environment, which also sees the packages installed here."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    programs = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    variables = {"base": str(tmp_path / "venv"), "platbase": str(tmp_path / "venv")}
    own = Path(sysconfig.get_path("purelib", vars=variables))
    # This folder is searched last, after everything that is installed in the new environment.
    (own / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*command: str) -> str:
        command = [str(programs / command[0]), *command[1:]]
        ran = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def install(wheel: Path) -> None:
        command = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "install", "--no-deps", "--no-index"]
        subprocess.run([*command, str(wheel)], check=True, capture_output=True)

    run.install, run.folder = install, tmp_path
    return run


def files(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/RECORD")}


@pytest.mark.slow
def test_the_whole_course_comes_from_inside_an_installed_wheel(computer, wheels):
    computer.install(wheels["newer"])
    delivered = computer("python", "-c", LAB)
    whole = [f"{part}/{path.name}" for part in paths.FOLDERS for path in paths.notebooks(part)] + list(paths.PAGES)
    assert delivered.startswith(f"{len(whole)} files added to mine: ")
    for name in whole:
        assert (computer.folder / "mine" / name).exists()
    computer("python", "-c", f"LESSON = {LESSON!r}\n{RUN}")
    assert "0 of " in computer("transformer-course", "progress")
    computer("python", "-c", PASS)
    assert "1 of " in computer("transformer-course", "progress")
    version = tomllib.loads((paths.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    report = computer("transformer-course", "doctor", "mine")
    assert report.startswith(f"The course will run here.\n   version     {version}-")
    computer("transformer-course", "release", "class", "--sheet", "02")
    assert (computer.folder / "class" / SHEET).exists()
    assert "Open " in computer("transformer-course", "site", "website")
    pages = {path.relative_to(computer.folder / "website").as_posix() for path in computer.folder.glob("website/**/*.html")}
    lessons = {f"{part}/{path.stem}.html" for part in paths.FOLDERS for path in paths.notebooks(part)}
    assert lessons | {"index.html", "docs/glossary.html", "slides/02.html", "slides/half-day.html"} <= pages
    (computer.folder / "again").mkdir()
    models, again = computer("python", "-c", REST).splitlines()
    assert models == "128 128 128 128 128 128"  # the trained models are in the wheel
    assert files(computer.folder / again) == files(wheels["newer"])  # the wheel that a wheelhouse gets
    assert Path(again).name == wheels["newer"].name


@pytest.mark.slow
def test_an_update_touches_nothing_that_the_learner_wrote(computer, wheels):
    computer.install(wheels["older"])
    assert "0.0.1-" in computer(
        "python", "-c", "from transformer_course.app import doctor_checks as d; print(*d.check_version('.'))"
    )
    computer("python", "-c", LAB)
    mine = computer.folder / "mine"
    assert "of the older version" in (mine / UNTOUCHED).read_text(encoding="utf-8")
    for notebook in (LESSON, SHEET):
        add_cell(mine / notebook, "what I wrote 学")
    (mine / "notebooks" / "my own.ipynb").write_text('{"cells": []}')
    (mine / "exercises" / "99_sheet_notes.txt").write_text("notes")
    written = {
        mine / name: (mine / name).read_bytes()
        for name in (LESSON, SHEET, "notebooks/my own.ipynb", "exercises/99_sheet_notes.txt")
    }
    computer("python", "-c", PASS)
    progress = (computer.folder / "home" / "progress.json").read_bytes()

    computer.install(wheels["newer"])
    lines = computer("python", "-c", LAB).splitlines()
    assert lines[0] == f"updated: {UNTOUCHED}"
    assert [line.split(" (")[0] for line in lines[1:3]] == [
        f"not updated, because you changed it: {name}" for name in (LESSON, SHEET)
    ]
    assert {path: path.read_bytes() for path in written} == written
    assert "of the older version" not in (mine / UNTOUCHED).read_text(encoding="utf-8")
    assert (computer.folder / "home" / "progress.json").read_bytes() == progress
    assert "1 of " in computer("transformer-course", "progress")
