"""What a teacher hands out: links lead somewhere, it contains no solution, and the teacher's changes are kept."""

import re
from pathlib import Path

import nbformat
import pytest
from folder_contents import LESSON, SHEET, SOLVED_SHEET, cells, change, content

from transformer_course import course
from transformer_course._util import paths
from transformer_course.exercises.solutions import BEGIN, END
from transformer_course.folders.learner_folder import Delivery, FolderError, deliver, handed_out
from transformer_course.folders.release import UnknownSheet, release, release_nbgrader

BOTH = pytest.mark.parametrize(
    ("make", "name"), [(release, SHEET), (release_nbgrader, SOLVED_SHEET)], ids=["plain", "nbgrader"]
)


@pytest.mark.parametrize("numbers", [[], ["02"], ["02", "03"], ["05"]], ids=str)
def test_every_link_leads_somewhere_and_sheet_and_lesson_link_to_each_other(tmp_path, numbers):
    release(tmp_path, numbers)
    links = {
        (path.relative_to(tmp_path).as_posix(), (path.parent / target.partition("#")[0]).resolve())
        for path in tmp_path.glob("*/*.ipynb")
        for cell in nbformat.read(path, 4).cells
        if cell.cell_type == "markdown"
        for target in re.findall(r"\]\(([^):]+)\)", cell.source)
    }
    assert all(target.exists() for _, target in links)
    expected = [source.name for source in course.sheets_and_stages() if not numbers or source.number in numbers]
    for sheet in (name for name in expected if name[0] != "B"):
        lesson = sheet.replace("_sheet", "")
        assert (f"exercises/{sheet}.ipynb", tmp_path / "notebooks" / f"{lesson}.ipynb") in links
        assert (f"notebooks/{lesson}.ipynb", tmp_path / "exercises" / f"{sheet}.ipynb") in links
    expected += [] if numbers else [source.name for source in course.after_the_build()]
    assert {path.stem for path in tmp_path.glob("exercises/*")} == set(expected)


def test_a_stage_brings_the_lessons_that_it_needs_and_no_sheets(tmp_path):
    release(tmp_path, ["B1"])
    assert [path.name[:2] for path in sorted(tmp_path.glob("*/*.ipynb"))] == ["B1", "00"]
    stage, lesson = (next(tmp_path.glob(f"*/{number}_*.ipynb")) for number in ("B1", "00"))
    assert f"](../notebooks/{lesson.name})" in cells(stage)[-1].source
    assert f"](../exercises/{stage.name})" in cells(lesson)[-1].source
    assert deliver(tmp_path, handed_out(tmp_path)[0]) == Delivery()  # as `lab` does


def test_a_link_that_would_lead_nowhere_keeps_its_words(tmp_path):
    release(tmp_path, ["02"])
    last = cells(tmp_path / LESSON)[-1].source
    assert "← 01 · Why attention?" in last
    assert "01_why_attention" not in last
    release(tmp_path, ["01"])
    release(tmp_path, ["02"])
    assert "](01_why_attention.ipynb)" in cells(tmp_path / LESSON)[-1].source


def test_no_solution_stands_in_what_is_handed_out(tmp_path):
    release(tmp_path)
    handed_out = {name: text.decode(errors="replace") for name, text in content(tmp_path).items()}
    assert {name for name in handed_out if Path(name).suffix not in (".ipynb", ".json")} == set(paths.PAGES)
    assert not any("SOLUTION" in text for text in handed_out.values())
    for source in course.sheets_and_stages():
        given, hidden, inside = set(), set(), False
        for line in source.path.read_text(encoding="utf-8").splitlines():
            inside = (inside or line.strip() == BEGIN) and line.strip() != END
            (hidden if inside else given).add(line.strip())
        sheet = {
            line.strip() for cell in cells(tmp_path / f"exercises/{source.name}.ipynb") for line in cell.source.splitlines()
        }
        assert len(hidden - given) > 5
        assert not sheet & (hidden - given)
    for lesson in course.lessons():
        assert all(not cell.get("outputs") for cell in cells(tmp_path / f"notebooks/{lesson.name}.ipynb"))


@BOTH
def test_a_second_time_nothing_changes(tmp_path, make, name):
    assert name in make(tmp_path, ["02"]).added
    before = content(tmp_path)
    again = make(tmp_path, ["02"])
    assert (again.added, again.updated, again.left) == ([], [], [])
    assert content(tmp_path) == before
    make(tmp_path, ["03"])
    after = content(tmp_path)
    # In the pages, plain text becomes a link once its lesson is there.
    assert all(after[path] == text for path, text in before.items() if not path.startswith((".", "docs/")))


@BOTH
def test_what_the_teacher_changed_is_left_alone(tmp_path, make, name):
    make(tmp_path, ["02"])
    change(tmp_path / name, lambda cells: cells.pop())
    kept = (tmp_path / name).read_bytes()
    (tmp_path / ".transformer-course.json").unlink()  # the hardest case: nothing is known about what was delivered
    assert make(tmp_path, ["02"]).left == [name]
    assert (tmp_path / name).read_bytes() == kept


@pytest.mark.parametrize("make", [release, release_nbgrader])
def test_what_cannot_be_done_is_told_in_a_sentence(tmp_path, make):
    with pytest.raises(UnknownSheet, match=r"^There is no sheet '9'; the course has 01, 02, [\dB, ]+\.$"):
        make(tmp_path / "new", ["02", "9"])
    assert not (tmp_path / "new").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderError, match=r"is a file; choose a folder"):
        make(tmp_path / "file", ["02"])
    for place in (paths.ROOT, paths.ROOT / "exercises", paths.ROOT / "notebooks" / "mine"):
        with pytest.raises(FolderError, match="is the course's own folder"):
            make(place, ["02"])
    assert not (paths.ROOT / "exercises" / "source" / "02").exists()


@BOTH
def test_a_folder_to_hand_out_and_one_that_holds_solutions_are_never_the_same(tmp_path, make, name):
    other = release if make is release_nbgrader else release_nbgrader
    for number in ("B13", "02"):
        folder = tmp_path / number
        make(folder, [number])
        before = content(folder)
        with pytest.raises(FolderError, match=r"contains the solutions: choose another folder (to hand out|for nbgrader)"):
            other(folder, [number])
        assert content(folder) == before
        make(folder, ["03"])
