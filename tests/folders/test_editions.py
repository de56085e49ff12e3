"""A folder of an earlier version is brought up to date: everything that its learner wrote and passed is kept and still counts.

`edition_0_1_0.zip` and `edition_0_2_0.zip` are such folders, as those versions (commits 4196079 and cf2045c) delivered them.
Every sheet and stage is answered, without outputs. Lesson 02 has a note of the learner's, lesson 03 is untouched, and the
other lessons were deleted. Version 0.1.0 had no stages, and kept passes in a file of the account, here ``progress.json``;
0.2.0 keeps them in the folder and adds what passed to `my_transformer.py`.
"""

import ast
import zipfile
from pathlib import Path

import nbformat
import pytest

from transformer_course import my_transformer
from transformer_course._util import paths
from transformer_course.exercises import api, learner_parts, passes
from transformer_course.exercises.catalogue import catalogue
from transformer_course.folders.learner_folder import deliver

EDITIONS = {path.stem[8:]: path for path in sorted(Path(__file__).parent.glob("edition_*.zip"))}
# Their checks have become stricter since 0.2.0: a tensor that the answer makes must be on the device of the ids.
STRICTER = {"build.text_input", "build.transformer"}


def answered(edition: str) -> list[str]:
    """Return the sheets and stages of an edition's folder."""
    return [name for name in zipfile.ZipFile(EDITIONS[edition]).namelist() if name.endswith(".ipynb") and "exercises/" in name]


def exercises_of(edition: str, notebook: str) -> set[str]:
    """Return the ids of the exercises that a notebook held then."""
    with zipfile.ZipFile(EDITIONS[edition]) as old:
        cells = nbformat.reads(old.read(notebook).decode(), as_version=4).cells
    return {cell.metadata["exercise"] for cell in cells if "exercise" in cell.metadata}


@pytest.fixture
def folder(edition, tmp_path, monkeypatch):
    """The old folder; the account's file is where version 0.1.0 kept it."""
    monkeypatch.delenv("TRANSFORMER_COURSE_HOME")
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "account"))
    mine = tmp_path / "my-course"
    zipfile.ZipFile(EDITIONS[edition]).extractall(mine)
    if (mine / "progress.json").exists():
        (tmp_path / "account").mkdir()
        (mine / "progress.json").rename(tmp_path / "account" / "progress.json")
    return mine


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_the_learner_wrote_is_left_and_the_rest_is_new(folder, edition):
    own = [*answered(edition), "notebooks/02_self_attention_by_hand.ipynb"]
    own += [name for name in [my_transformer.FILE] if (folder / name).exists()]
    before = {name: (folder / name).read_bytes() for name in own}
    delivery = deliver(folder)
    assert sorted(delivery.left) == sorted(name for name in own if name != my_transformer.FILE)
    assert {name: (folder / name).read_bytes() for name in own} == before
    assert "notebooks/03_queries_keys_values_and_the_scale.ipynb" in delivery.updated
    assert {"notebooks/00_start_here.ipynb", "exercises/B10_your_own_model.ipynb"} <= {*delivery.added}


@pytest.mark.parametrize("has_record", [True, False])
@pytest.mark.parametrize("edition", EDITIONS)
def test_what_the_learner_passed_stays_passed(folder, edition, has_record):
    if not has_record:  # a copy of the folder without its hidden file
        (folder / paths.RECORD).unlink()
    deliver(folder)
    kept = passes.passed(folder)
    asked = {exercise for notebook in answered(edition) for exercise in exercises_of(edition, notebook)}
    assert asked == {*kept}
    assert asked <= {*catalogue()}  # none was renamed or dropped
    assert set(kept.values()) == {"2026-10-01T12:00:00"}


@pytest.mark.parametrize("edition", ["0_2_0"])
def test_the_old_file_of_parts_still_serves_the_stages(folder, monkeypatch, capsys):
    deliver(folder)
    monkeypatch.chdir(folder / "exercises")
    names = [name for name, exercise in learner_parts.parts().items() if exercise in passes.passed(folder)]
    parts = [getattr(my_transformer, name) for name in names]
    assert {part.__module__ for part in parts} == {Path(my_transformer.FILE).stem}
    assert capsys.readouterr().out == ""  # none is the course's own
    assert {"GPT", "Transformer", "Llama", "generate"} <= {*names}


@pytest.mark.parametrize(
    ("edition", "notebook"),
    [
        pytest.param(edition, notebook, marks=[pytest.mark.slow] if edition == "0_1_0" or "B1_" in notebook else [])
        for edition in EDITIONS
        for notebook in answered(edition)
    ],
)
def test_the_old_answers_still_pass_in_the_old_sheets(folder, edition, notebook, monkeypatch):
    """Ids, names of answers, and what counts as right are those of the old version."""
    monkeypatch.chdir(folder / "exercises")
    names: dict = {}
    monkeypatch.setattr(api, "_notebook_variables", lambda: names)
    cards = {}
    for cell in nbformat.read(folder / notebook, as_version=4).cells:
        if cell.cell_type != "code" or "not-graded" in cell.metadata.get("tags", []):
            continue
        if cell.source.startswith("check("):
            call = ast.Expression(ast.parse(cell.source).body[-1].value)
            cards[call.body.args[0].value] = eval(compile(call, notebook, "eval"), names)
        else:
            exec(compile(cell.source, notebook, "exec"), names)
    assert {*cards} == exercises_of(edition, notebook)
    failed = {exercise: repr(card) for exercise, card in cards.items() if not card}
    assert {*failed} <= STRICTER, failed
    assert all("only on the processor" in text for text in failed.values()), failed
