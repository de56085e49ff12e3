"""The course folder for nbgrader: the real nbgrader takes out the solutions, and grades the submissions."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from folder_contents import SOLVED_SHEET, cells, change
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions
from traitlets.config import PyFileConfigLoader

from transformer_course import course
from transformer_course.authoring.build import notebook_of
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.folders.release import release_nbgrader


def graded(cells: list) -> list:
    """The cells that answer or check an exercise, as learners have them."""
    return [cell for cell in cells if "exercise" in cell.metadata or cell.source.startswith("check(")]


def sources(cells: list) -> list[str]:
    return [re.sub(r"\n *(?=\n|$)", "", cell.source) for cell in cells]  # nbgrader leaves empty lines


@pytest.mark.parametrize("source", course.sheets_and_stages(), ids=lambda s: s.name)
def test_each_exercise_has_an_answer_and_a_graded_check_and_nbgrader_takes_the_solutions_out(tmp_path, source):
    """That each check passes with its solution is tested where `make test-all` runs these notebooks in kernels."""
    number = source.number
    release_nbgrader(tmp_path, [number])
    notebook = nbformat.read(tmp_path / f"source/{number}/{source.name}.ipynb", as_version=4)
    marked = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
    ids = [exercise.id.replace(".", "-") for exercise in by_lesson()[number]]
    assert [cell.metadata.nbgrader.grade_id for cell in marked if cell.metadata.nbgrader.solution] == [
        f"{i}-answer" for i in ids
    ]
    checks = [cell.metadata.nbgrader for cell in marked if cell.metadata.nbgrader.grade]
    assert [(each.grade_id, each.locked) for each in checks] == [(i, True) for i in ids]
    config = PyFileConfigLoader("nbgrader_config.py", str(tmp_path)).load_config()
    for step in (ClearSolutions, ClearHiddenTests):  # those of generate_assignment that change a cell's text
        notebook, _ = step(config=config).preprocess(notebook, {})
    assert sources(graded(notebook.cells)) == sources(graded(notebook_of(source).cells))
    assert not re.search("SOLUTION|HIDDEN|assert ", nbformat.writes(notebook))
    assert "](" not in notebook.cells[-1].source


def test_points_that_the_teacher_set_survive_a_new_edition(tmp_path, monkeypatch):
    release_nbgrader(tmp_path, ["02"])

    def worth_three(cells):
        next(cell for cell in cells if cell["metadata"].get("nbgrader", {}).get("grade"))["metadata"]["nbgrader"]["points"] = 3

    change(tmp_path / SOLVED_SHEET, worth_three)
    kept = (tmp_path / SOLVED_SHEET).read_bytes()
    monkeypatch.setattr("transformer_course.folders.release.TODO", "a new version")
    assert release_nbgrader(tmp_path, ["02"]).left == [SOLVED_SHEET]
    assert (tmp_path / SOLVED_SHEET).read_bytes() == kept


@pytest.fixture
def nbgrader(tmp_path) -> Callable:
    """Runs nbgrader with nobody's settings, and with its programs on the path, because it starts one of them."""
    places = "HOME", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"
    env = {**os.environ, **{name: str(tmp_path / "machine" / name) for name in places}}
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])

    def run(*command: str) -> str:
        ran = subprocess.run(
            [sys.executable, *command], cwd=tmp_path / "class", env=env, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    return run


SCORES = """
import json
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    submissions = [each for assignment in book.assignments for each in book.assignment_submissions(assignment.name)]
    scores = [(each.assignment.name, each.student.id, each.score, each.max_score) for each in submissions]
print(json.dumps(scores))
"""


@pytest.mark.slow
def test_nbgrader_hands_out_our_sheet_and_grades_it(tmp_path, nbgrader):
    number, stem = "05", "05_sheet_several_heads"
    folder = tmp_path / "class"
    release_nbgrader(folder, [number])
    nbgrader("-m", "nbgrader", "generate_assignment", number)
    handed_out = folder / "release" / number / f"{stem}.ipynb"
    assert sources(graded(cells(handed_out))) == sources(graded(notebook_of(course.sheet(number)).cells))
    for learner, origin in (("solved", "source"), ("empty", "release")):
        place = folder / "submitted" / learner / number
        place.mkdir(parents=True)
        (place / f"{stem}.ipynb").write_bytes((folder / origin / number / f"{stem}.ipynb").read_bytes())
    nbgrader("-m", "nbgrader", "autograde", number)
    full = len(by_lesson()[number])
    assert sorted(json.loads(nbgrader("-c", SCORES))) == [[number, "empty", 0, full], [number, "solved", full, full]]
    messages = [
        output.evalue
        for cell in cells(folder / "autograded" / "empty" / number / f"{stem}.ipynb")
        if cell.metadata.get("nbgrader", {}).get("grade")
        for output in cell.outputs
    ]
    assert len(messages) == full
    assert all("There's no answer in" in message for message in messages)
