"""Where a learner's folder opens."""

import json

import pytest

from transformer_course._util import paths
from transformer_course.exercises import passes
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.folders.learner_folder import deliver, update_record
from transformer_course.folders.opening import opening

LESSON, SHEET = "notebooks/02_self_attention_by_hand.ipynb", "exercises/02_sheet_self_attention_by_hand.ipynb"


@pytest.fixture
def folder(home, tmp_path):
    deliver(tmp_path / "mine", ["02", "03"])
    return tmp_path / "mine"


def run(folder, name: str, place: int, day: int) -> str:
    """Run a notebook's code cell as JupyterLab does; return the cell's id."""
    notebook = json.loads((folder / name).read_text())
    cell = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"][place]
    cell["metadata"]["execution"] = {"iopub.execute_input": f"2026-01-{day:02d}T10:00:00.000000Z"}
    (folder / name).write_text(json.dumps(notebook))
    return cell["id"]


def test_it_opens_at_the_cell_that_was_run_last(folder):
    run(folder, LESSON, 7, day=2)
    cell = run(folder, LESSON, 5, day=3)  # gone back
    opens = opening(folder)
    assert (opens.notebook, opens.cell) == (LESSON, cell)
    assert opens.message.endswith(f"exercises passed.\nOpening {LESSON} where you stopped.")
    cell = run(folder, SHEET, 0, day=4)
    assert (opening(folder).notebook, opening(folder).cell) == (SHEET, cell)


def test_after_a_lesson_its_sheet_opens_and_after_the_sheet_what_comes_next(folder):
    run(folder, LESSON, -1, day=2)
    assert (opening(folder).notebook, opening(folder).cell) == (SHEET, "")
    assert opening(folder).message.endswith(f"You have run all of {LESSON}. Opening its sheet: {SHEET}")
    for exercise in by_lesson()["02"]:
        passes.remember(exercise.id)
    assert opening(folder).notebook == "notebooks/03_queries_keys_values_and_the_scale.ipynb"
    run(folder, SHEET, -1, day=3)
    assert opening(folder).notebook == "notebooks/03_queries_keys_values_and_the_scale.ipynb"
    assert opening(folder).message.endswith(repr(passes.next_lesson(folder)))


def test_the_recorded_notebook_opens_until_something_is_run(folder):
    update_record(folder, "first", SHEET)
    assert (opening(folder).notebook, opening(folder).message) == (SHEET, f"Opening {SHEET}")
    cell = run(folder, LESSON, 0, day=2)
    assert (opening(folder).notebook, opening(folder).cell) == (LESSON, cell)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": 1}', '{"cells": [{"cell_type": "code"}]}', '{"cells": [1]}'])
def test_a_damaged_notebook_is_passed_over(folder, text):
    cell = run(folder, SHEET, 1, day=2)
    (folder / LESSON).write_text(text)
    (folder / "notebooks" / "mine.ipynb").write_bytes(b"\xff\xfe")
    assert (opening(folder).notebook, opening(folder).cell) == (SHEET, cell)


def test_outputs_that_the_course_delivers_are_not_runs_of_the_learner(folder):
    built = [cell for path in paths.notebooks("notebooks") for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]
    assert not [cell for cell in built if "execution" in cell["metadata"]]
    assert opening(folder).cell == ""
