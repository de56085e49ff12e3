"""A folder of results that is graded into again: what is kept, what changes, and what is never lost."""

import json
import os
from contextlib import nullcontext
from datetime import datetime

import pytest
from command_line import said
from grading_a_class import ATTEND, SHAPES, SHEET, UNSCALED, page, table
from submissions import hand_in, notebook

from transformer_course.grading import grade_class
from transformer_course.grading.judging import local_pool
from transformer_course.grading.sandbox import supervisor

pytestmark = pytest.mark.usefixtures("warm_sandbox")


def test_a_mark_is_overruled_points_are_remembered_and_who_left_is_moved(tmp_path, monkeypatch):
    folder, out = tmp_path / "in", tmp_path / "out"
    for name, answers in (("quinn", {ATTEND: UNSCALED}), ("frida", {})):
        hand_in(folder / f"{name}.ipynb", notebook(SHEET, answers))
    said("grade", str(folder), "--out", str(out))
    monkeypatch.setattr(local_pool, "grade_all", lambda *_, **__: pytest.fail("graded again"))
    monkeypatch.setattr(supervisor, "Sandbox", nullcontext)  # there is none, but adding up points needs no sandbox
    default = (out / "points.toml").read_bytes()
    mine = hand_in(tmp_path / "mine.toml", default.replace(f"{ATTEND} = 1".encode(), f"{ATTEND} = 6".encode()))
    hand_in(out / "corrections.toml", f'["quinn"]\n"{ATTEND}" = {{points = 7, why = "by word of mouth"}}')
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    again = ("grade", str(folder), "--out", str(out), "--resume")
    assert "should be a number from 0 to 6, got 7" in " ".join(said(*again, "--points", str(mine), status=1).split())
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    hand_in(out / "corrections.toml", f'["quinn"]\n"{ATTEND}" = {{points = 5, why = "by word of mouth"}}')
    with open(out / "corrections.toml", "a") as file:
        file.write(f'\n["*"]\n"{SHAPES}" = {{points = 1, why = "unclear"}}')  # everybody has this point already
    assert "\nmarks or comments from corrections.toml: quinn\n" in said(*again, "--points", str(mine))
    assert ((out / "points.toml").read_bytes(), (out / "points-before.toml").read_bytes()) == (mine.read_bytes(), default)
    with open(out / "corrections.toml", "a") as file:
        file.write(f'\n["frida"]\n"{ATTEND}" = {{points = 0, why = "copied"}}')
    output = said(*again)
    assert "\nmarks or comments from corrections.toml: frida, quinn\nof these, with a mark of their own that" in output
    assert " earlier notebook?): frida\n" in output
    assert table(out)["frida"]["total"] == "4"
    moved = (folder / "frida.ipynb").rename(tmp_path / "frida.ipynb")
    for first in (True, False):
        output = said(*again)
        assert "in corrections.toml but not among the submissions, so ignored: frida\n" in output
        assert ("no longer among the submissions, so moved to no-longer-there: frida\n" in output) == first
    assert "frida: no submission has this name, so its entry in corr" in (out / "grading.log").read_text(encoding="utf-8")
    assert {path.name for path in (out / "no-longer-there").iterdir()} == {"frida.html", "frida.json"}
    moved.rename(folder / "frida.ipynb")
    assert "marks for 2 of 2 learners, 2 of them from earlier results" in said(*again)
    assert not [*(out / "no-longer-there").iterdir()]
    assert table(out)["frida"]["total"] == "4"
    (folder / "frida.ipynb").unlink()
    said(*again)
    (row,) = table(out).values()
    assert (row["total"], row["out of"], row["remark"]) == ("9", "10", f"Set by your teacher: {ATTEND} 5 (by word of mouth).")
    assert "set by your teacher</strong>, 5 of 6 </p> <p>by word of mouth</p>" in page(out, "quinn")
    (out / "corrections.toml").unlink()
    said(*again)
    assert table(out)["quinn"]["total"] == "4"


def test_one_notebook_never_takes_a_classes_place(tmp_path):
    folder, out = tmp_path / "in", tmp_path / "out"
    for name in ("ada", "ben"):
        hand_in(folder / f"{name}.ipynb", notebook(SHEET))
    said("grade", str(folder), "--out", str(out))
    output = said("grade", str(folder / "ada.ipynb"), "--out", str(out), "--resume", status=1)
    assert f"holds the results of a class, but {folder / 'ada.ipynb'} is one learner's" in output
    assert table(out).keys() == {"ada", "ben"}
    assert not (out / "no-longer-there").exists()


def test_a_wrong_folder_moves_no_class_away(tmp_path):
    folder, late, out = tmp_path / "in", tmp_path / "late", tmp_path / "out"
    for name in ("ada", "ben", "zoe"):
        hand_in(folder / f"{name}.ipynb", notebook(SHEET))
    hand_in(late / "zoe.ipynb", notebook(SHEET))
    said("grade", str(folder), "--out", str(out))
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    again = ("grade", str(late), "--out", str(out), "--resume")
    output = " ".join(said(*again, "--points", str(hand_in(tmp_path / "mine.toml", "x")), status=1).split())
    stopped = f"Nothing was changed: of the 3 learners with a graded notebook in '{out}', 2 have no notebook in '{late}'."
    assert f"{stopped} Is '{late}' the wrong folder?" in output
    roster = hand_in(tmp_path / "roster.csv", "name\nada\nben\nzoe\nabsent\n")
    assert stopped in " ".join(said(*again, "--roster", str(roster), status=1).split())
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    (out / "results").rename(tmp_path / "results")  # as the message says
    assert "no longer among the submissions, so moved to no-longer-there: ada, ben\n" in said(*again)
    assert table(out).keys() == {"zoe"}


def test_results_are_never_overwritten_unasked(tmp_path):
    file, out = hand_in(tmp_path / "mine.ipynb", notebook(SHEET)), tmp_path / "out"
    said("grade", str(file), "--out", str(out))
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    result = said("grade", str(file), "--out", str(out), status=1)
    assert "Add --resume" in result
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before
    other = hand_in(tmp_path / "other.ipynb", notebook("02"))
    assert "holds results for sheet 03, but these submissions are for sheet 02" in said(
        "grade", str(other), "--out", str(out), "--resume", status=1
    )


def test_resume_grades_what_is_new_or_changed_and_keeps_the_rest(tmp_path, monkeypatch):
    folder, out = tmp_path / "in", tmp_path / "out"
    for name in ("a", "b"):
        hand_in(folder / f"{name}.ipynb", notebook(SHEET))
    said("grade", str(folder), "--out", str(out))
    hand_in(folder / "b.ipynb", notebook(SHEET, {ATTEND: UNSCALED}))
    hand_in(folder / "c.ipynb", notebook(SHEET))
    asked, real = [], local_pool.grade_all
    monkeypatch.setattr(
        local_pool,
        "grade_all",
        lambda run, todo, *rest, **more: (asked.extend(each.learner for each in todo), real(run, todo, *rest, **more)),
    )
    said("grade", str(folder), "--out", str(out), "--resume")
    assert asked == ["b", "c"]
    assert {name: row["total"] for name, row in table(out).items()} == {"a": "5", "b": "4", "c": "5"}
    monkeypatch.setattr(grade_class, "grading_version", lambda: "a different version of the exercises")
    output = said("grade", str(folder), "--out", str(out), "--resume")
    assert "graded again, because the course has changed since the last run: 3\n" in output
    assert asked == ["b", "c", "a", "b", "c"]
    stored = out / "results" / "c.json"  # as if the computer had been too busy to reach an exercise
    result = json.loads(stored.read_text(encoding="utf-8"))
    result["extra_data"]["verdicts"][ATTEND] = None
    stored.write_text(json.dumps(result), encoding="utf-8")
    said("grade", str(folder), "--out", str(out), "--resume")
    assert asked[5:] == ["c"]


def test_a_file_is_no_folder_for_results_and_a_sheet_may_lose_its_zero(tmp_path):
    file, out = hand_in(tmp_path / "mine.ipynb", notebook(SHEET)), hand_in(tmp_path / "notes.txt", "mine")
    assert "is a file; choose a folder" in said("grade", str(file), "--out", str(out), status=1)
    assert out.read_text() == "mine"
    assert "marks for 1 of 1 learners" in said("grade", str(file), "--out", str(tmp_path / "out"), "--sheet", "3")
    assert "There is no sheet '99'; the course has 00, 01" in said(
        "grade", str(file), "--out", str(tmp_path / "99"), "--sheet", "99", status=1
    )


def test_a_place_for_results_that_cannot_be_made_is_not_called_full(tmp_path):
    hand_in(tmp_path / "in" / "Ada.ipynb", notebook(SHEET))
    (tmp_path / "file").write_text("")
    seen = said("grade", str(tmp_path / "in"), "--out", str(tmp_path / "file" / "out"), status=1)
    assert "(Not a directory). Do you have permission to write there?" in seen
    assert "free" not in seen.lower()


def test_roster_and_deadline_stay_until_others_are_given(tmp_path, monkeypatch):
    folder, out = tmp_path / "in", tmp_path / "out"
    hand_in(folder / "quinn.ipynb", notebook(SHEET, {}))
    roster = hand_in(tmp_path / "roster.csv", "name\nquinn\nabsent\n")
    due = ("--due", "2020-01-01T18:00", "--late", "10")
    with monkeypatch.context() as there:
        there.chdir(tmp_path)
        said("grade", str(folder), "--out", str(out), "--roster", roster.name, *due, status=1)
    first = (out / "grades.csv").read_bytes()
    again = ("grade", str(folder), "--out", str(out), "--resume")
    output = said(*again, status=1)
    assert f"as before: --roster {roster} --due '2020-01-01 18:00' --late 10 (to drop this, delete" in output
    assert (out / "grades.csv").read_bytes() == first
    output = said(*again, "--due", "2120-01-01 18:00", status=1)
    assert f"as before: --roster {roster} --late 10 (" in output
    assert table(out)["quinn"]["total"] == "5"
    assert "as before: --due '2120-01-01 18:00' --late 10 (" in said(*again, "--roster", str(roster), status=1)
    said(*again, "--due", "2020-01-01 18:00", "--late", "0", status=1)
    assert table(out)["quinn"]["total"] == "5"
    assert f"as before: --roster {roster} --due '2020-01-01 18:00' (" in said(*again, "--late", "10%", status=1)
    assert (out / "grades.csv").read_bytes() == first


def test_a_run_that_is_stopped_goes_on_with_its_options(tmp_path, monkeypatch):
    folder, out = tmp_path / "in", tmp_path / "out"
    hand_in(folder / "quinn.ipynb", notebook(SHEET, {}))
    command = ("grade", str(folder), "--out", str(out))

    def stopped(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as during:
        during.setattr(local_pool, "grade_all", stopped)
        assert "To continue, add --resume." in said(*command, "--due", "2020-01-01 18:00", "--late", "10", status=1)
    assert "as before: --due '2020-01-01 18:00' --late 10 (" in said(*command, "--resume")
    assert table(out)["quinn"]["total"] == "0"


def test_a_notebook_that_is_downloaded_again_is_no_later_than_before(tmp_path):
    folder, out = tmp_path / "in", tmp_path / "out"
    same, newer, late = (hand_in(folder / f"{name}.ipynb", notebook(SHEET, {})) for name in ("same", "newer", "late"))
    due = datetime(2026, 1, 5, 12)
    on_time, too_late = (due.timestamp() - 60,) * 2, (due.timestamp() + 60,) * 2
    for file, time in ((same, on_time), (newer, on_time), (late, too_late)):
        os.utime(file, time)
    command = ("grade", str(folder), "--out", str(out))
    said(*command, "--due", f"{due:%Y-%m-%d %H:%M}", "--late", "10")
    hand_in(newer, notebook(SHEET, {ATTEND: UNSCALED}))
    for file, time in ((same, too_late), (newer, too_late), (late, on_time)):  # the earlier of two times counts
        os.utime(file, time)
    for _ in range(2):
        assert "late: newer\n" in said(*command, "--resume")
        assert {name: row["days late"] for name, row in table(out).items()} == {"same": "0", "newer": "1", "late": "0"}
