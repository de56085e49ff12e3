"""A broken lesson does not get through: nbval catches what runs differently, and `differences` what was edited."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from built_notebooks import built, differences

from transformer_course._util import paths
from transformer_course.authoring import execute


def nbval(path: Path) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "pytest", "--nbval", "-q", "-p", "no:cacheprovider", path.name]
    return subprocess.run(command, cwd=path.parent, capture_output=True, text=True, env=dict(os.environ), check=False)


@pytest.fixture(scope="module")
def lesson(tmp_path_factory) -> Path:
    """A lesson of three cells, between two cells of links, that passes."""
    source = tmp_path_factory.mktemp("course") / "notebooks" / "source" / "01_small.py"
    source.parent.mkdir(parents=True)
    source.write_text("# %% [markdown]\n# # 01 · Small\n\n# %%\nx = 6 * 7\n\n# %%\nprint(x)\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paths, "ROOT", source.parents[2])
        execute.write_lesson(source)
    return built(source)


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


@pytest.mark.slow
def test_an_honest_lesson_passes_nbval(lesson, tmp_path):
    result = nbval(broken(lesson, tmp_path, lambda cells: None))
    assert "2 passed" in result.stdout, result.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (set_source("x = 6 * 8"), "48"),
        (set_source("x = 6 / 0"), "ZeroDivisionError"),
        (set_source("import sys\nx = 42\nprint('careful', file=sys.stderr)"), "stderr"),
        (set_source("import warnings\nx = 42\nwarnings.warn('careful')"), "UserWarning"),
    ],
    ids=["another number", "an exception", "text on stderr", "a warning"],
)
def test_a_lesson_that_runs_otherwise_fails_nbval(lesson, tmp_path, change, says):
    result = nbval(broken(lesson, tmp_path, change))
    assert result.returncode == 1, result.stdout
    assert says in result.stdout


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (set_source("x = 6 * 7 + 0"), "its source differs"),
        (lambda cells: cells[2]["metadata"].update(tags=["nbval-skip"]), "its metadata differs"),
        (lambda cells: cells.insert(3, dict(cells[2])), "two cells have the same id"),
        (lambda cells: cells.insert(3, dict(cells[2])), "6 cells, but the source gives 5"),
        (lambda cells: cells.pop(0), "4 cells, but the source gives 5"),
        (lambda cells: cells[2].update(id="another"), "its id differs"),
    ],
    ids=["edited", "skipped", "duplicated: id", "duplicated: number", "deleted", "another id"],
)
@pytest.mark.filterwarnings("ignore::nbformat.warnings.DuplicateCellId")
def test_an_edited_notebook_is_not_fresh(lesson, tmp_path, monkeypatch, change, says):
    source = lesson.parent / "source" / "01_small.py"
    monkeypatch.setattr(paths, "ROOT", lesson.parents[1])
    assert [d for d in differences(lesson, source) if "outputs come from" not in d] == []
    assert any(says in found for found in differences(broken(lesson, tmp_path, change), source))
