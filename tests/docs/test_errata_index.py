"""The index of the sources' errors names the same lessons as docs/sources.md, and leads to the cells that compute them."""

import re

import nbformat
import pytest
from source_rows import rows

from transformer_course._util import paths
from transformer_course.exercises.lesson_21_sources import errata

INDEX = {row: lessons for kind in errata.KINDS.values() for row, lessons in kind.items()}


def test_the_index_holds_every_error_once_with_its_lessons():
    assert sum(map(len, errata.KINDS.values())) == len(INDEX) == 29
    assert {row: lessons.split(", ") for row, lessons in INDEX.items()} == {
        row: due for row, due in rows().items() if row[0] == "E"
    }


@pytest.mark.parametrize("row", INDEX)
def test_an_error_is_found_under_its_heading(row):
    headings = dict(re.findall(r"lesson (\d\d)(?:, under '([^']+)')?", errata.where(row)))
    assert list(headings) == INDEX[row].split(", ")
    for path in paths.notebooks("notebooks"):
        if path.name[:2] in headings:
            text = path.read_text(encoding="utf-8")
            cells = nbformat.reads(text, as_version=4).cells
            (heading,) = [
                i for i, c in enumerate(cells) if re.search(rf"^###? {re.escape(headings[path.name[:2]])}$", c.source, re.M)
            ]
            tagged = [i for i, c in enumerate(cells) if row in c.metadata.get("tags", [])]
            assert heading < tagged[0]
            assert not any(re.search("^###? ", c.source, re.M) for c in cells[heading + 1 : tagged[0]])


def test_the_hunt_lists_every_error_with_its_answer_folded_and_a_link_to_its_lesson():
    table = errata.hunt().data
    for row, lessons in INDEX.items():
        (line,) = re.findall(rf"^\| {row} \|.*$", table, re.MULTILINE)
        said, folded = line.split("<details>")
        assert len(said.split("|")[2].split()) >= 3
        assert "</details>" in folded
        linked = re.findall(r"\[lesson (\d\d)\]\((.+?\.ipynb)\)", folded)
        assert [number for number, _ in linked] == lessons.split(", ")
        assert all((paths.ROOT / "notebooks" / name).exists() for _, name in linked)


def test_another_row_is_refused():
    with pytest.raises(ValueError, match="E1 to E29, saw 'E30'"):
        errata.where("E30")


def test_a_lesson_that_is_not_there_is_named_without_a_heading(monkeypatch):
    monkeypatch.setattr(paths, "notebooks", lambda folder: [])
    assert errata.where("E22") == "lesson 11; lesson 19"
