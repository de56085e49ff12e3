"""The learner's folder: none of the learner's work is ever lost, and it gives no answers away."""

import errno
import json
import os
from pathlib import Path

import pytest

from transformer_course import course
from transformer_course._util import paths
from transformer_course._util.paths import RECORD
from transformer_course.folders import learner_folder
from transformer_course.folders.learner_folder import FolderError, deliver

LESSON = "notebooks/02_self_attention_by_hand.ipynb"
SHEET = "exercises/02_sheet_self_attention_by_hand.ipynb"


@pytest.fixture
def edition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the course's folders, which a test may change into a new version."""
    root = tmp_path / "course"
    for source in course.sources():
        for path in (source.path, source.notebook):
            copy = root / path.relative_to(paths.ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    (root / "docs" / "paper").mkdir(parents=True)
    for page in paths.PAGES:
        (root / page).write_bytes((paths.ROOT / page).read_bytes())
    monkeypatch.setattr(paths, "ROOT", root)
    return root


def change(path: Path, text: str) -> None:
    """Add a cell, as an author or a learner would."""
    notebook = json.loads(path.read_text())
    notebook["cells"].append({"cell_type": "markdown", "id": "x", "metadata": {}, "source": [text]})
    path.write_text(json.dumps(notebook))


def run(path: Path) -> None:
    """Add outputs and counts, as running and saving a notebook does."""
    notebook = json.loads(path.read_text())
    for count, cell in enumerate(c for c in notebook["cells"] if c["cell_type"] == "code"):
        cell["execution_count"] = count
        cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["ran"]}]
    notebook["metadata"]["language_info"]["version"] = "3.99"
    path.write_text(json.dumps(notebook))


def test_the_first_delivery_brings_everything_without_outputs(tmp_path):
    mine = tmp_path / "my course 学习"
    delivery = deliver(mine)
    assert {LESSON, SHEET, "notebooks/00_start_here.ipynb"} <= set(delivery.added)
    assert not delivery.updated
    assert not delivery.left
    for path in mine.glob("*/*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            assert not cell.get("outputs")
            assert cell.get("execution_count") is None
    assert set(paths.PAGES) <= set(delivery.added)
    assert not list(mine.rglob("*.py"))  # sources contain the solutions
    assert "SOLUTION" not in "".join(path.read_text(encoding="utf-8") for path in mine.rglob("*.ipynb"))


def test_a_changed_notebook_is_never_overwritten(tmp_path, edition):
    mine = tmp_path / "mine"
    deliver(mine)
    change(mine / SHEET, "my own words")
    kept = (mine / SHEET).read_bytes()
    assert deliver(mine).left == []  # there is no new version to mention
    change(edition / SHEET, "a new version")
    for _ in range(2):
        assert deliver(mine).left == [SHEET]
        assert (mine / SHEET).read_bytes() == kept


def test_a_new_edition_replaces_what_was_only_run(tmp_path, edition):
    mine = tmp_path / "mine"
    deliver(mine)
    run(mine / LESSON)
    assert deliver(mine).updated == []
    assert "ran" in (mine / LESSON).read_text()  # outputs stay until there is a new version
    change(edition / LESSON, "a new version")
    assert deliver(mine).updated == [LESSON]
    assert "a new version" in (mine / LESSON).read_text()


def test_a_new_or_deleted_lesson_is_brought(tmp_path, edition):
    mine = tmp_path / "mine"
    deliver(mine)
    (mine / LESSON).unlink()
    (edition / "notebooks/source/33_new").mkdir()
    (edition / "notebooks/source/33_new/lesson.py").write_text("# %% [markdown]\n# # 33 · New")
    (edition / "notebooks/33_new.ipynb").write_bytes((edition / LESSON).read_bytes())
    assert sorted(deliver(mine).added) == [LESSON, "notebooks/33_new.ipynb"]


def test_pages_come_with_the_whole_course_and_are_the_learners_once_changed(tmp_path, edition):
    mine, page = tmp_path / "mine", "docs/glossary.md"
    deliver(mine)
    (edition / page).write_text("a new version")
    assert deliver(mine).updated == [page]
    (mine / page).write_text("my own notes")
    (edition / page).write_text("the version after")
    assert deliver(mine).left == [page]
    assert (mine / page).read_text() == "my own notes"


def test_a_folder_of_some_lessons_says_so_until_all_of_them_come(tmp_path):
    assert learner_folder.handed_out(tmp_path) == (None, None)
    deliver(tmp_path / "part", ["02"])
    deliver(tmp_path / "part", ["00"])
    assert learner_folder.handed_out(tmp_path / "part") == (["00", "02"], None)
    deliver(tmp_path / "part")
    assert learner_folder.handed_out(tmp_path / "part") == (None, None)
    deliver(tmp_path / "part", ["02"])  # a folder of the whole course stays one
    assert learner_folder.handed_out(tmp_path / "part") == (None, None)


def test_links_lead_to_what_is_there_and_are_words_where_it_is_not(tmp_path):
    deliver(tmp_path / "whole")
    deliver(tmp_path / "part", ["00"])
    text = "[there](../b.ipynb#part), [here](a.md#part)"
    assert learner_folder.without_dead_links(text, "notebooks/x.ipynb", ["notebooks/a.md"]) == "there, [here](a.md#part)"
    link, words = "](02_self_attention_by_hand.ipynb)", "02 · Self-attention by hand"
    for folder_, linked in ((tmp_path / "whole", True), (tmp_path / "part", False)):
        text = (folder_ / "notebooks" / "00_start_here.ipynb").read_text(encoding="utf-8")
        assert words in text
        assert (link in text) is linked
        assert "](../docs/prerequisites.md)" in text
        assert (folder_ / "docs" / "prerequisites.md").exists()


@pytest.mark.parametrize(
    "record", [None, "", "[]", "{", '{"notebooks/02_self_attention_by_hand.ipynb": 3, "only": [[2]], "first": 1}']
)
def test_without_a_readable_record_what_differs_is_the_learners_and_the_rest_stays_up_to_date(tmp_path, edition, record):
    mine = tmp_path / "mine"
    deliver(mine)
    (mine / RECORD).unlink()
    if record is not None:
        (mine / RECORD).write_text(record)
    change(edition / LESSON, "a new version")
    kept = (mine / LESSON).read_bytes()
    assert deliver(mine).left == [LESSON]
    assert (mine / LESSON).read_bytes() == kept
    change(edition / SHEET, "a new version")
    assert deliver(mine).updated == [SHEET]


@pytest.mark.parametrize("damage", ["", "{", "no JSON", '{"cells": 3}'])
def test_a_damaged_notebook_of_the_learners_is_kept(tmp_path, edition, damage):
    mine = tmp_path / "mine"
    deliver(mine)
    (mine / LESSON).write_text(damage)
    change(edition / LESSON, "a new version")
    assert deliver(mine).left == [LESSON]
    assert (mine / LESSON).read_text() == damage


def test_the_courses_own_folders_are_refused():
    for place in (paths.ROOT, paths.ROOT / "notebooks", paths.ROOT / "notebooks" / "mine"):
        with pytest.raises(FolderError, match="is the course's own folder, or inside it; choose another"):
            deliver(place)


def test_an_unwritable_folder_is_told_and_nothing_is_half_written(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(FolderError, match=r"cannot be used \(Permission denied\); choose another folder"):
        deliver(tmp_path / "mine")
    assert not list((tmp_path / "mine").glob("*/*.ipynb"))
