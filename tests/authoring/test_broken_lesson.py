"""A broken lesson does not get through: nbval catches what runs differently, and `differences` what was edited."""

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from built_notebooks import differences

from transformer_course._util import paths
from transformer_course.authoring import execute
from transformer_course.course import Lesson


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Lesson:
    """A lesson of three cells, between two cells of links, that passes."""
    path = tmp_path_factory.mktemp("course") / "notebooks/source/01_small/lesson.py"
    path.parent.mkdir(parents=True)
    path.write_text("# %% [markdown]\n# # 01 · Small\n\n# %%\nx = 6 * 7\n\n# %%\nprint(x)\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paths, "ROOT", path.parents[3])
        execute.write_lesson(Lesson(path))
    return Lesson(path)


@pytest.fixture(scope="module")
def lesson(small) -> Path:
    return small.notebook


def broken(lesson: Path, tmp_path: Path, change) -> Path:
    notebook = json.loads(lesson.read_text())
    change(notebook["cells"])
    path = tmp_path / lesson.name
    path.write_text(json.dumps(notebook))
    return path


def set_source(code: str):
    def change(cells):
        cells[2]["source"] = [code]

    return change


FAILING = {
    "another number": ("x = 6 * 8", "48"),
    "an exception": ("x = 6 / 0", "ZeroDivisionError"),
    "text on stderr": ("import sys\nx = 42\nprint('careful', file=sys.stderr)", "stderr"),
    "a warning": ("import warnings\nx = 42\nwarnings.warn('careful')", "UserWarning"),
}


@pytest.fixture(scope="module")
def reports(lesson, tmp_path_factory) -> dict[str, str]:
    """What nbval says of an honest lesson and of each failing one, all in one run because starting pytest takes long."""
    folder = tmp_path_factory.mktemp("lessons")
    for name, code in {"honest": "x = 6 * 7", **{name: code for name, (code, _) in FAILING.items()}}.items():
        (folder / name).mkdir()
        broken(lesson, folder / name, set_source(code))
    command = [sys.executable, "-m", "pytest", "--nbval", "-p", "no:cacheprovider", "--junitxml=report.xml", "."]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=dict(os.environ), check=False)
    assert result.returncode == 1, result.stdout
    found = {}
    for case in ElementTree.parse(folder / "report.xml").iter("testcase"):
        name = case.get("classname").split(".")[0]
        found[name] = found.get(name, "") + "".join(failure.text for failure in case.iter("failure"))
    return found


@pytest.mark.slow
def test_only_a_lesson_that_runs_otherwise_fails_nbval(reports):
    assert reports["honest"] == ""
    assert [name for name, (_, says) in FAILING.items() if says not in reports[name]] == []


CHANGES = {
    "edited": set_source("x = 6 * 7 + 0"),
    "skipped": lambda cells: cells[2]["metadata"].update(tags=["nbval-skip"]),
    "duplicated": lambda cells: cells.insert(3, dict(cells[2])),
    "deleted": lambda cells: cells.pop(),
    "another id": lambda cells: cells[2].update(id="another"),
}


@pytest.mark.filterwarnings("ignore::nbformat.warnings.DuplicateCellId")
def test_an_edited_notebook_is_not_fresh(small, lesson, tmp_path, monkeypatch, snapshot):
    found = {}
    monkeypatch.setattr(paths, "ROOT", lesson.parents[1])
    for case, change in {"honest": lambda cells: None, **CHANGES}.items():
        (tmp_path / case).mkdir()
        found[case] = differences(broken(lesson, tmp_path / case, change), small)
    assert found == snapshot
