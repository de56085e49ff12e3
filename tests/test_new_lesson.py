"""``make new-lesson``: what it writes is a lesson like all others, and it overwrites nothing."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from examining import SEEDS, verdict
from torch_modules import spellings

from transformer_course import course, exercises
from transformer_course._util import paths
from transformer_course.authoring import lesson_table
from transformer_course.authoring.build import notebook_of
from transformer_course.exercises.catalogue import by_lesson, catalogue, ids, question_groups, questions

REPOSITORY = Path(__file__).parents[1]
N, NAME = "98", "what_has_changed"  # a number that no lesson of the course will have


def tool(name: str):
    spec = importlib.util.spec_from_file_location(name, REPOSITORY / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


new_lesson = tool("new_lesson")


@pytest.fixture
def lesson(tmp_path, capsys, monkeypatch):
    """A new lesson in a copy of all sources, with its exercises and questions in the catalogue. capsys has what was said."""
    for folder in paths.FOLDERS:
        shutil.copytree(paths.ROOT / folder / "source", tmp_path / folder / "source")
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    (tmp_path / f"transformer_course/exercises/lesson_{N}_deleted/__pycache__").mkdir(parents=True)  # as git leaves it
    assert new_lesson.main(N, NAME) == 0
    package = tmp_path / "transformer_course" / "exercises"
    monkeypatch.setattr(exercises, "__path__", [*exercises.__path__, str(package)])
    forget()
    yield course.lesson(N)
    forget()
    for name in [name for name in sys.modules if f"lesson_{N}_{NAME}" in name]:
        del sys.modules[name]


def forget() -> None:
    """Have the catalogue read its sources again when it is next asked."""
    for known in (ids, by_lesson, catalogue, questions, question_groups):
        known.cache_clear()


def run(notebook) -> dict:
    names: dict = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            exec(cell.source, names)
    return names


def test_the_cells_of_a_new_lesson_run_and_its_neighbours_lead_to_it(lesson, capsys):
    written = capsys.readouterr().out
    assert f"wrote {lesson.file}" in written
    assert f"make notebooks LESSONS={N}" in written
    run(notebook_of(lesson))
    assert "mean: 7.0" in capsys.readouterr().out
    assert f"({lesson.name}.ipynb)" in notebook_of(course.lessons()[-2]).cells[0].source
    assert f"(../{course.sheet(N).link})" in notebook_of(lesson).cells[0].source
    assert lesson.link in lesson_table.overview()
    asked = [name for part in lesson.parts for _, name in part.asks]
    assert asked == [q.id if q.is_prediction else q.id.rpartition(".")[0] for q in lesson.questions]
    assert lesson.block("answer")
    assert lesson.block("readings").count("* ") == 2
    assert lesson.notes.parts


def test_the_exercises_of_a_new_lesson_accept_their_solutions_and_name_their_mistakes(lesson):
    sheet = course.sheet(N)
    answers = run(notebook_of(sheet, solved=True))
    found = [catalogue()[each.id] for each in sheet.exercises]
    assert len(found) == 3
    for exercise in found:
        for seed in SEEDS:
            assert verdict(exercise, answers[exercise.answer_name], seed).passed
            for name, mistake, answer in spellings(exercise):
                assert verdict(exercise, answer, seed).mistake == mistake.name, name


def test_the_linters_find_nothing_in_a_new_lesson(lesson, capsys):
    capsys.readouterr()
    assert (tool("lint_texts").main([N]), capsys.readouterr().out) == (0, "")
    shutil.copy(REPOSITORY / "pyproject.toml", paths.ROOT)
    files = [name for name in new_lesson.files(N, NAME) if name.endswith(".py")]
    for command in (["check", "--ignore", "I"], ["format", "--diff"]):
        done = subprocess.run([sys.executable, "-m", "ruff", *command, *files], cwd=paths.ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


def test_what_cannot_be_a_new_lesson_is_refused_and_nothing_is_written(tmp_path, monkeypatch, capsys, snapshot):
    for name in ("notebooks/source/22_last", "notebooks/source/04_masks", "exercises/source/23_sheet_mine"):
        (tmp_path / name).mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    for given in (("7", "x"), ("", ""), ("23", "WhatHasChanged"), ("23", ""), ("04", "masks_again"), ("23", "mine")):
        assert new_lesson.main(*given) == 2, given
    assert sorted(tmp_path.rglob("*")) == before
    assert capsys.readouterr().out == snapshot
