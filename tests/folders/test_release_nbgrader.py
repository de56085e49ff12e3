"""The course folder for nbgrader: the real nbgrader takes out the solutions, and grades the submissions."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from folder_contents import SOLVED_SHEET, cells, change

from transformer_course._util import paths
from transformer_course.authoring.build import notebook_of
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.folders.release import release_nbgrader


def graded(path: Path) -> list:
    """The cells that answer or check an exercise, as learners have them."""
    return [cell for cell in cells(path) if "exercise" in cell.metadata or cell.source.startswith("check(")]


@pytest.mark.parametrize("source", paths.sources("exercises"), ids=lambda s: s.stem)
def test_each_exercise_has_an_answer_and_a_graded_check(tmp_path, source):
    """That each check passes with its solution is tested where `make test` runs these notebooks in kernels."""
    number = source.stem[:2]
    release_nbgrader(tmp_path, [number])
    marked = [cell for cell in cells(tmp_path / f"source/{number}/{source.stem}.ipynb") if "nbgrader" in cell.metadata]
    ids = [exercise.id.replace(".", "-") for exercise in by_lesson()[number]]
    assert [cell.metadata.nbgrader.grade_id for cell in marked if cell.metadata.nbgrader.solution] == [
        f"{i}-answer" for i in ids
    ]
    assert [cell.metadata.nbgrader.grade_id for cell in marked if cell.metadata.nbgrader.grade] == ids


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
def test_nbgrader_hands_out_our_sheets_and_grades_them(tmp_path, nbgrader):
    folder = tmp_path / "class"
    release_nbgrader(folder)
    nbgrader("-m", "nbgrader", "generate_assignment", "*")
    for source in paths.sources("exercises"):
        handed_out = folder / "release" / source.stem[:2] / f"{source.stem}.ipynb"
        ours = [cell for cell in notebook_of(source).cells if "exercise" in cell.metadata or cell.source.startswith("check(")]
        theirs, ours = (
            [re.sub(r"\n *(?=\n|$)", "", cell.source) for cell in each]  # nbgrader leaves empty lines
            for each in (graded(handed_out), ours)
        )
        assert theirs == ours
        assert not re.search("SOLUTION|HIDDEN|assert ", handed_out.read_text(encoding="utf-8"))
        assert "](" not in cells(handed_out)[-1].source

    sheets = {"01": "01_sheet_why_attention", "05": "05_sheet_several_heads"}
    for number, stem in sheets.items():
        for learner, origin in (("solved", "source"), ("empty", "release")):
            place = folder / "submitted" / learner / number
            place.mkdir(parents=True)
            (place / f"{stem}.ipynb").write_bytes((folder / origin / number / f"{stem}.ipynb").read_bytes())
    nbgrader("-m", "nbgrader", "autograde", "*")
    full = {number: len(by_lesson()[number]) for number in sheets}
    assert sorted(json.loads(nbgrader("-c", SCORES))) == [
        [number, learner, marks, full[number]]
        for number in sheets
        for learner, marks in (("empty", 0), ("solved", full[number]))
    ]
    for number, stem in sheets.items():
        messages = [
            output.evalue
            for cell in cells(folder / "autograded" / "empty" / number / f"{stem}.ipynb")
            if cell.metadata.get("nbgrader", {}).get("grade")
            for output in cell.outputs
        ]
        assert len(messages) == full[number]
        assert all("There's no answer in" in message for message in messages)
