"""The folder of a workshop: what learners get, what survives a second run, and what the command says."""

import json
import re
from datetime import date
from pathlib import Path

import pytest
from typer.testing import CliRunner
from workshop_pages import visible

from transformer_course import course
from transformer_course._util import paths
from transformer_course._util.folder_record import read_record
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
    """What the command prints. Folders of this test are FOLDER."""
    result = CliRunner().invoke(cli.app, ["workshop", *arguments], env={"COLUMNS": "500", "NO_COLOR": "1", "TERM": "dumb"})
    assert result.exit_code == status, result.output
    return re.sub(r"/\S*/(half a day\b|test_\w+\d)", "FOLDER", result.output).strip()


def test_learners_get_the_plan_alone_without_outputs_or_solutions(folder):
    everything = (path for path in (folder / "for-learners").glob("*/**/*") if path.is_file())
    brought = {path.relative_to(folder / "for-learners").as_posix() for path in everything}
    expected = {source.link for source in course.sources() if source.number in PLANS["half-day"].lessons()}
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


def test_a_second_time_nothing_changes_and_what_was_changed_is_left(folder, snapshot):
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
    assert command("half-day", str(folder)) == snapshot
    for path in (page, paper):
        path.write_bytes(before[path])


def test_what_whoever_leads_wrote_or_ran_in_the_learners_folder_is_named(folder, snapshot):
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
    assert command("half-day", str(folder)) == snapshot
    for path in (passed, sheet, start, copy, own, folder / "for-learners" / "slides.pdf"):
        path.unlink()
    copy.parent.rmdir()
    assert command("half-day", str(folder)).startswith("2 files added, 0 updated\nOpen ")
    assert {path: path.read_bytes() for path in (sheet, start)} == before


def test_who_leads_when_and_for_how_many_stays_and_is_on_the_slides_the_letter_and_the_lists(tmp_path, monkeypatch):
    command("half-day", str(tmp_path), "--leader", "Ada & Bob", "--date", "2999-12-31", "--people", "7")
    monkeypatch.setattr(make, "date", type("Later", (date,), {"today": classmethod(lambda cls: date(3000, 1, 1))}))
    command("half-day", str(tmp_path), "--start", "14:00")  # the day has passed, and nobody has asked for another
    slides, letter = ((tmp_path / name).read_text(encoding="utf-8") for name in ("for-you/slides.html", make.LETTER))
    assert "transformer-course · Ada &amp; Bob · Tuesday, 31 December 2999" in slides
    assert "Tuesday, 31 December 2999, [PLACE], from 14:00 to 18:00." in letter
    assert letter.rstrip().endswith("Ada & Bob")
    assert "For 7 learners" in (tmp_path / "for-you/copies.html").read_text(encoding="utf-8")
    kept = {"start": "14:00", "leader": "Ada & Bob", "date": "2999-12-31", "people": "7"}  # for a third time, too
    assert read_record(tmp_path).items() >= kept.items()


def test_the_start_stays_and_another_one_is_told(tmp_path, snapshot):
    timetable, letter = tmp_path / make.first_page("half-day"), tmp_path / make.LETTER
    begun = lambda: f"start at {make.begins(tmp_path)};" in timetable.read_text(encoding="utf-8")  # noqa: E731
    assert "Each day now starts" not in command("half-day", str(tmp_path), "--start", "13:30")
    page = visible(timetable.read_text(encoding="utf-8"))
    assert re.search(r"startat13:30;theworkshopendsat17:[0-5]\d", page)
    assert "9:00" not in page
    told = {"again": command("half-day", str(tmp_path))}
    assert (make.begins(tmp_path), begun()) == ("13:30", True)
    told["at 8:15"] = command("half-day", str(tmp_path), "--start", "08:15")
    assert (make.begins(tmp_path), begun()) == ("8:15", True)
    letter.write_text("Dear all, we begin at 8:15.", encoding="utf-8")
    told["at 9:00, with a letter of one's own"] = command("half-day", str(tmp_path), "--start", "9:00")
    told["at 9:00 again"] = command("half-day", str(tmp_path))
    assert told == snapshot


def test_the_command_refuses_in_one_sentence(folder, tmp_path, snapshot):
    new, file = str(tmp_path / "new"), tmp_path / "file"
    file.write_text("")
    wrong = {
        "no such plan": ("week", new),
        "a plan in two words": ("half", "day", new),
        "a plan in one word": ("halfday", new),
        "no such time": ("half-day", new, "--start", "25:00"),
        "too late": ("half-day", new, "--start", "23:30"),
        "midnight": ("half-day", new, "--start", "24:00"),
        "a leader with markup": ("half-day", new, "--leader", "<b>Ada</b>"),
        "no leader": ("half-day", new, "--leader", "  "),
        "a date that has passed": ("half-day", new, "--date", "2020-02-29"),
        "no such date": ("half-day", new, "--date", "31 March"),
        "nobody": ("half-day", new, "--people", "0"),
        "another plan's folder": ("day", str(folder)),
        "a clone": ("day", str(paths.PACKAGE.parent)),
        "a learner's folder": ("day", str(folder / "for-learners")),
        "the package": ("day", str(paths.PACKAGE)),
        "a file": ("day", str(file)),
    }
    told = {case: command(*words, status=1) for case, words in wrong.items()}
    assert {case: text.replace(str(paths.ROOT), "COURSE") for case, text in told.items()} == snapshot
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
