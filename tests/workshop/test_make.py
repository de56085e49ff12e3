"""The folder of a workshop: what learners get, what survives a second run, and what the command says."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner
from workshop_pages import visible

from transformer_course._util import paths
from transformer_course.app import cli
from transformer_course.workshop import make
from transformer_course.workshop.plans import PLANS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of half a day."""
    place = tmp_path_factory.mktemp("workshop") / "half a day"
    make.make("half-day", place)
    return place


def command(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.app, ["workshop", *arguments], env={"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"})
    assert result.exit_code == status, result.output
    return result.output


def test_learners_get_the_plan_alone_without_outputs_or_solutions(folder):
    everything = (path for path in (folder / "for-learners").glob("*/**/*") if path.is_file())
    brought = {path.relative_to(folder / "for-learners").as_posix() for path in everything}
    numbers = PLANS["half-day"].lessons()
    expected = {f"{part}/{path.name}" for part in paths.FOLDERS for path in paths.notebooks(part) if path.stem[:2] in numbers}
    assert brought == expected | set(paths.PAGES)
    start = (folder / "for-learners" / "notebooks" / "00_start_here.ipynb").read_text(encoding="utf-8")
    assert "(../docs/prerequisites.md)" in start
    assert "(../docs/glossary.md)" in start
    for name in expected:
        text = (folder / "for-learners" / name).read_text(encoding="utf-8")
        assert "SOLUTION" not in text
        assert not any(cell.get("outputs") for cell in json.loads(text)["cells"])
        for link in re.findall(r"\]\(([^():]+\.ipynb)\)", text):
            assert (folder / "for-learners" / name).parent.joinpath(link).resolve().exists()


def test_a_second_time_nothing_changes_and_what_was_changed_is_left(folder):
    page, paper = folder / make.first_page("half-day"), folder / "to-print" / "02_self_attention_by_hand.pdf"
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert before[paper] == (paths.ROOT / "docs" / "paper" / paper.name).read_bytes()
    again = make.make("half-day", folder)
    assert (again.added, again.updated, again.left) == ([], [], [])
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    page.write_text("my own timetable", encoding="utf-8")
    paper.write_bytes(b"%PDF \xff my own")
    (folder / ".transformer-course.json").unlink()
    assert set(make.make("half-day", folder).left) == {page.name, "to-print/02_self_attention_by_hand.pdf"}
    assert page.read_text(encoding="utf-8") == "my own timetable"
    assert paper.read_bytes() == b"%PDF \xff my own"
    output = command("half-day", str(folder))
    assert f"not updated, because you changed it: {page.name} (for the new version, rename yours and run this again)" in output
    for path in (page, paper):
        path.write_bytes(before[path])


def test_what_whoever_leads_wrote_or_ran_in_the_learners_folder_is_named(folder):
    learners = folder / "for-learners"
    sheet, start = next(learners.glob("exercises/02*.ipynb")), learners / "notebooks" / "00_start_here.ipynb"
    copy = learners / "notebooks" / ".ipynb_checkpoints" / "00_start_here-checkpoint.ipynb"
    before = {path: path.read_bytes() for path in (sheet, start)}
    assert "contains your work" not in command("half-day", str(folder))
    written, ran = json.loads(before[sheet]), json.loads(before[start])
    next(cell for cell in written["cells"] if "exercise" in cell["metadata"])["source"] = (
        "weights_1 = [0.8668, 0.0159, 0.1173]"
    )
    next(cell for cell in ran["cells"] if cell["cell_type"] == "code")["outputs"] = [{"output_type": "stream"}]
    sheet.write_text(json.dumps(written), encoding="utf-8")
    start.write_text(json.dumps(ran), encoding="utf-8")
    copy.parent.mkdir()
    copy.write_text("{}", encoding="utf-8")
    passed = learners / ".transformer-course-progress.json"
    passed.write_text('{"passed": {}}', encoding="utf-8")
    (folder / "for-learners" / "slides.pdf").touch()  # something else to hand out
    own = learners / "notebooks" / "mine.ipynb"
    own.write_text("{}", encoding="utf-8")
    named = [line for line in command("half-day", str(folder)).splitlines() if line.startswith("contains your work")]
    names = [path.relative_to(folder).as_posix() for path in (passed, sheet, copy, start, own)]
    assert named == [
        f"contains your work, which learners would see: {name} (for an empty copy, delete it and run this again)"
        for name in names
    ]
    for path in (passed, sheet, start, copy, own, folder / "for-learners" / "slides.pdf"):
        path.unlink()
    copy.parent.rmdir()
    assert command("half-day", str(folder)).startswith("2 files added, 0 updated\nOpen ")
    assert {path: path.read_bytes() for path in (sheet, start)} == before


def test_the_command_says_what_it_wrote_and_where_to_begin(folder):
    output = command("half-day", str(folder))
    assert "0 files added, 0 updated\n" in output
    assert f"Open {folder / 'timetable-half-day.html'} in a browser" in output


def test_the_day_begins_when_it_is_told_to(tmp_path):
    command("half-day", str(tmp_path / "afternoon"), "--start", "13:30")
    page = visible((tmp_path / "afternoon" / make.first_page("half-day")).read_text(encoding="utf-8"))
    assert re.search(r"startat13:30;theworkshopendsat17:[0-5]\d", page)
    assert "9:00" not in page


def test_the_start_stays_and_another_one_is_told(tmp_path):
    timetable, letter = tmp_path / make.first_page("half-day"), tmp_path / make.LETTER
    begun = lambda: f"start at {make.begins(tmp_path)};" in timetable.read_text(encoding="utf-8")  # noqa: E731
    assert "Each day now starts" not in command("half-day", str(tmp_path), "--start", "13:30")
    again = command("half-day", str(tmp_path))
    assert again.startswith("0 files added, 0 updated\nOpen ")
    assert (make.begins(tmp_path), begun()) == ("13:30", True)
    other = command("half-day", str(tmp_path), "--start", "08:15")
    assert other.startswith(
        f"0 files added, 5 updated\nupdated: {timetable.name}\nupdated: {letter.name}\nupdated: for-you/notes.html\n"
        "updated: for-you/helpers.html\nupdated: for-you/slides.html\n"
        "Each day now starts at 8:15 (before: 13:30).\nOpen "
    )
    assert (make.begins(tmp_path), begun()) == ("8:15", True)
    letter.write_text("Dear all, we begin at 8:15.", encoding="utf-8")
    late = command("half-day", str(tmp_path), "--start", "9:00")
    assert (
        f"(before: 8:15).\nstill shows the times for a start at 8:15: {letter.name} (edit this file to change them)\n" in late
    )
    assert "times for" not in command("half-day", str(tmp_path))


def test_the_command_refuses_in_one_sentence(folder, tmp_path):
    choose = "choose half-day, day or two-days."
    assert command("week", str(tmp_path / "new"), status=1) == f"There is no plan 'week'; {choose}\n"
    for asked in (["half", "day"], ["halfday"]):
        near = command(*asked, str(tmp_path / "new"), status=1)
        assert near == f"There is no plan '{asked[0]}'; {choose} Did you mean half-day?\n"
    late = command("half-day", str(tmp_path / "new"), "--start", "25:00", status=1)
    assert late == "The start '25:00' is not a time of day; write it like 13:30.\n"
    slip = command("half-day", str(tmp_path / "new"), "--start", "23:30", status=1)
    assert slip == "A workshop that starts at 23:30 would end at 3:30 on the next day. Choose an earlier start.\n"
    assert command("day", str(folder), status=1).endswith(" contains the workshop half-day; choose another folder for day.\n")
    for lessons in (paths.PACKAGE.parent, folder / "for-learners"):
        alone = "contains lessons; choose a folder just for the workshop, such as my-workshop."
        assert command("day", str(lessons), status=1) == f"{lessons.resolve()} {alone}\n"
    assert "is the course's own folder" in command("day", str(paths.PACKAGE), status=1)
    (tmp_path / "file").write_text("")
    assert "is a file; choose a folder" in command("day", str(tmp_path / "file"), status=1)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
