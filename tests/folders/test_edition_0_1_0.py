"""A folder of version 0.1.0 is brought up to date: everything that its learner wrote and passed is kept and still counts.

`edition_0_1_0.zip` is such a folder, as that version (commit 4196079) delivered it: all 21 sheets are answered, lesson 02 has
a note of the learner's, lesson 03 is untouched, and the other lessons were deleted. `progress.json` is the account's file.
"""

import ast
import zipfile
from pathlib import Path

import nbformat
import pytest

from transformer_course._util import paths
from transformer_course.exercises import passes
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.folders.learner_folder import deliver

OLD = Path(__file__).with_name("edition_0_1_0.zip")
SHEETS = sorted(name for name in zipfile.ZipFile(OLD).namelist() if name.startswith("exercises/") and name.endswith(".ipynb"))
ADDED = {"explain.patch"}  # to the practice of a sheet since then; a core stays as it was


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The old folder; the account's file is where that version kept it."""
    monkeypatch.delenv("TRANSFORMER_COURSE_HOME")
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "account"))
    zipfile.ZipFile(OLD).extractall(tmp_path / "my-course")
    (tmp_path / "account").mkdir()
    (tmp_path / "my-course" / "progress.json").rename(tmp_path / "account" / "progress.json")
    return tmp_path / "my-course"


def test_what_the_learner_wrote_is_left_and_the_rest_is_new(folder):
    before = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.ipynb")}
    delivery = deliver(folder)
    own = [*SHEETS, "notebooks/02_self_attention_by_hand.ipynb"]
    assert sorted(delivery.left) == sorted(own)
    assert all((folder / name).read_bytes() == before[name] for name in own)
    assert "notebooks/03_queries_keys_values_and_the_scale.ipynb" in delivery.updated
    assert {"notebooks/00_start_here.ipynb", "exercises/B1_a_model_that_learns.ipynb"} <= {*delivery.added}


@pytest.mark.parametrize("has_record", [True, False])
def test_what_the_learner_passed_stays_passed(folder, has_record):
    if not has_record:  # a copy of the folder without its hidden file
        (folder / paths.RECORD).unlink()
    deliver(folder)
    kept = passes.passed(folder)
    of_sheets = {exercise.id for sheet in SHEETS for exercise in by_lesson()[sheet[10:12]]}
    assert of_sheets - ADDED == {*kept}  # no exercise was renamed or dropped
    assert set(kept.values()) == {"2026-10-01T12:00:00"}


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda name: name[10:12])
def test_the_old_answers_still_pass_in_the_old_sheets(folder, sheet, monkeypatch):
    """Ids, names of answers, and what counts as right are those of version 0.1.0."""
    monkeypatch.chdir(folder / "exercises")
    names: dict = {}
    cards = []
    for cell in nbformat.read(folder / sheet, as_version=4).cells:
        if cell.cell_type != "code" or "not-graded" in cell.metadata.get("tags", []):
            continue
        if cell.source.startswith("check("):
            call = ast.Expression(ast.parse(cell.source).body[-1].value)
            cards.append(eval(compile(call, sheet, "eval"), names))
        else:
            exec(compile(cell.source, sheet, "exec"), names)
    assert len(cards) == len([exercise for exercise in by_lesson()[sheet[10:12]] if exercise.id not in ADDED])
    assert [card for card in cards if not card] == []
