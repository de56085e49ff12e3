"""grades.csv, the log and the archive: a missing mark is never 0, and hostile text does nothing."""

import errno
import json
import os
import re
import unicodedata
from datetime import UTC, datetime
from pathlib import Path

import pytest
from reporting import EXERCISES, HOSTILE, POINTS, Page, graded, learner, missed, rows, text_of, write

from transformer_course.exercises.catalogue import by_lesson
from transformer_course.grading.graded import Graded, Submission
from transformer_course.grading.reports import report


def test_marks_are_scores_times_points(tmp_path, snapshot):
    result = graded(missed(0.5), EXERCISES[1].empty(), missed(1 / 3, hint="Look."))
    write(tmp_path, [(learner(), result)])
    (row,) = rows(tmp_path)
    assert [row[name] for name in POINTS] == ["0.5", "0", "1", "4", "5", "6", "7"]
    assert (row["total"], row["out of"], row["percent"], row["remark"]) == ("23.5", "28", "83.93", "")
    assert (row["learner"], row["file"]) == ("anna", "anna/1.ipynb")
    assert (tmp_path / "grades.csv").read_bytes().startswith("\ufeff".encode())
    assert f"{EXERCISES[0].id} (of 1)," in (tmp_path / "grades.csv").read_text("utf-8-sig")
    assert text_of(tmp_path / "feedback" / "anna.html") == snapshot


@pytest.mark.parametrize(
    ("submission", "result", "why", "graded_exercises"),
    [
        (
            learner(),
            graded(missed(), None),
            "There is no total, because these exercises could not be graded: attention.zero_token.",
            6,
        ),
        (learner(), graded(problem="There is no sandbox."), "There is no sandbox.", 0),
        (Submission("anna", None, "The file is empty."), graded(*7 * [None]), "The file is empty.", 0),
    ],
)
def test_a_mark_that_does_not_exist_is_never_zero(tmp_path, submission, result, why, graded_exercises):
    write(tmp_path, [(submission, result)])
    (row,) = rows(tmp_path)
    assert (row["total"], row["percent"], row["remark"]) == ("", "", why)
    assert [row[name] for name in POINTS].count("") == 7 - graded_exercises
    content = json.loads((tmp_path / "results.json").read_bytes())
    assert content.keys() == {"output", "output_format", "extra_data"}  # neither score nor tests, so Gradescope gives no mark
    assert why in content["output"]
    page = Page(tmp_path / "feedback" / "anna.html")
    assert "You have no mark for this sheet." in page.text
    assert why in page.text
    assert page.tags.count("section") == (7 if graded_exercises else 0)
    assert "1 learner, 0 with a mark." in Page(tmp_path / "summary.html").text
    assert (tmp_path / "grading.log").read_text("utf-8") == f"anna: No mark. {why}\n"


def test_the_table_says_when_a_file_was_changed(tmp_path):
    results = [(learner(f"learner{k}", changed=changed), graded()) for k, changed in enumerate((1_000_000_000, None, 1e30))]
    write(tmp_path, results)
    first, *others = [row["changed"] for row in rows(tmp_path)]
    assert datetime.fromisoformat(first) == datetime(2001, 9, 9, 1, 46, 40, tzinfo=UTC)
    assert others == ["", ""]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " \n=1", "＝1", "＠x"])
def test_a_spreadsheet_takes_no_name_for_a_formula(tmp_path, name):
    write(tmp_path, [(Submission(name, Path(f"{name}.ipynb"), name=f"{name}.ipynb"), graded(problem=name))])
    (row,) = rows(tmp_path)
    assert all(row[column].startswith("'") for column in ("learner", "file", "remark"))


def test_a_cell_is_no_formula_whatever_separates_cells(tmp_path):
    name = 'x;=1+1;"+1|-1,@x ＝1'
    slip = missed(mistake="a;=b")
    write(tmp_path, [(learner(name, number=";=1"), graded(slip)), (learner("Lee, A"), graded(slip))])
    assert [row["learner"] for row in rows(tmp_path)] == ["x;'=1+1;\"'+1|'-1,'@x ＝1", "Lee, A"]
    assert rows(tmp_path)[0]["number"] == ";'=1"
    assert "a;'=b,2,\"x;'=1+1" in (tmp_path / "mistakes.csv").read_text("utf-8-sig")


def test_names_that_look_the_same_are_told_apart(tmp_path):
    slip = missed(mistake="no exp")
    write(tmp_path, [(learner(name, digest="same"), graded(slip)) for name in ("Ada Two", "Ada  Two", "Bea")])
    *alike, bea = [row["learner"] for row in rows(tmp_path)]
    assert {(tmp_path / "feedback" / f"{name}.html").exists() for name in alike} == {True}
    assert (len(set(alike)), bea) == (2, "Bea")
    assert f"no exp,3,{'; '.join(alike)}; Bea" in (tmp_path / "mistakes.csv").read_text("utf-8-sig")
    *lines, identical = (tmp_path / "grading.log").read_text("utf-8").splitlines()
    assert identical.endswith(f": {', '.join(alike)}, Bea.")
    assert [line.partition(":")[0] for line in lines] == alike
    assert all("Another name looks the same" in line for line in lines)


def test_a_full_disk_is_told_and_nothing_is_half_written(tmp_path, monkeypatch):
    write(tmp_path, [(learner(), graded())])
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        write(tmp_path, [(learner(), graded(missed()))])
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_what_cannot_be_made_stops_nothing_and_is_told(tmp_path, monkeypatch):
    slip = missed(mistake="a slip")
    results = [(learner(name), graded(slip)) for name in ("anna", "bea")]
    write(tmp_path, results)
    whole = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    real = report.feedback

    def of_all_but_anna(run, submission, graded):
        if submission.learner == "anna":
            raise ValueError("odd")
        return real(run, submission, graded)

    monkeypatch.setattr(report, "feedback", of_all_but_anna)
    monkeypatch.setattr(report, "chart", lambda _: "a" + 1)
    assert write(tmp_path, results) == ["feedback/anna.html", "mistakes.png"]
    changed = [path.name for path, content in whole.items() if not path.exists() or path.read_bytes() != content]
    assert sorted(changed) == ["anna.html", "grading.log", "mistakes.png", "summary.html"]
    page = Page(tmp_path / "feedback" / "anna.html").text
    assert "anna: you have 27 of 28 points, and the feedback could not be made" in page
    assert "a slip" in Page(tmp_path / "summary.html").text
    first, second = (tmp_path / "grading.log").read_text("utf-8").splitlines()
    assert first.startswith("feedback/anna.html could not be made because of a fault in the course.")
    assert first.endswith("ValueError: odd")
    assert second.startswith("mistakes.png could not be made")
    monkeypatch.setattr(report, "summarise", lambda *_: {}[1])
    assert "summary.html" in write(tmp_path, results)
    assert not (tmp_path / "summary.html").exists()  # that of an earlier run would have other numbers
    monkeypatch.undo()
    assert write(tmp_path, results) == []
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == whole


def test_marks_are_written_first(tmp_path, monkeypatch):
    written, real = [], os.replace

    def noted(temporary, path):
        written.append(Path(path).relative_to(tmp_path).as_posix())
        real(temporary, path)

    monkeypatch.setattr(os, "replace", noted)
    write(tmp_path, [(learner(), graded(missed(mistake="a slip")))])
    marks = ["results/anna.json", "results.json", "grades.csv", "mistakes.csv", "grading.log"]
    assert written == [*marks, "feedback/anna.html", "summary.html"]


def test_hostile_words_are_shown_and_do_nothing(tmp_path):
    results = [
        (
            Submission(text, Path(f"class/{text}".replace("\0", "")), log=[text]),
            graded(missed(0.1, text, text, "a slip"), notes=[text, f"`{text}`"]),
        )
        for text in HOSTILE
    ]
    results += [(Submission(f"{text}2", None, text), graded(*7 * [None], problem=text)) for text in HOSTILE]
    write(tmp_path, results)
    pages = sorted(tmp_path.glob("**/*.html"))
    assert len(pages) == len(results) + 1
    for path in pages:
        page = Page(path)
        assert page.tags.count("section") in (0, 7)
        assert ("lang", "en") in page.attributes
        assert ("content", "default-src 'none'; style-src 'unsafe-inline'; img-src data:") in page.attributes
        assert all(value.startswith("data:image/png;base64,") for name, value in page.attributes if name == "src")
        assert not re.search(r"url\(|@import", page.text)
    assert "<script>alert(1)</script>" in "".join(Page(path).text for path in pages)
    texts = [path.read_text("utf-8") for path in tmp_path.glob("**/*") if path.is_file() and path.suffix != ".png"]
    assert len(texts) == 2 * len(results) + 4
    for text in texts:
        hidden = {unicodedata.category(c) for c in text.removeprefix("\ufeff")} & {"Cc", "Cf", "Cs"}
        assert hidden <= {"Cc"}
        assert {c for c in text if unicodedata.category(c) == "Cc"} <= {"\n", "\r"}
        assert "x" * 3000 not in text
    assert (
        len((tmp_path / "grading.log").read_text("utf-8").splitlines()) == 4 * len(HOSTILE) + 2
    )  # the two longest names look the same


@pytest.mark.slow
def test_every_sheet_and_every_mistake_can_be_reported(tmp_path):
    for sheet, exercises in by_lesson().items():
        count = max(len(exercise.mistakes) for exercise in exercises)
        results = []
        for k in range(count):
            verdicts = {e.id: e.named(e.mistakes[k]) if k < len(e.mistakes) else e.passed() for e in exercises}
            results.append((learner(f"learner{k}"), Graded(verdicts)))
        write(tmp_path / sheet, results, sheet, {exercise.id: 1.0 for exercise in exercises})
        assert len(list((tmp_path / sheet / "feedback").iterdir())) == count


def test_the_log_tells_what_a_teacher_should_know():
    submission = learner(log=("b was skipped.",))
    lines = report.log([(submission, graded(None, notes=["x"] * 40)), (learner("bea"), graded())], POINTS)
    assert lines[:2] == [
        "anna: b was skipped.",
        "anna: No mark. There is no total, because these exercises could not be graded: attention.by_hand.",
    ]
    assert lines[-1] == "anna: And 12 more."
    others = [(learner(other_sheets=["03", None]), graded()), (learner("bea", other_sheets=["03", "03"]), graded())]
    assert report.log(others, POINTS) == ["Other notebooks were skipped: 1 without exercises of this course, 3 for sheet 03."]


def test_names_of_those_with_a_mistake_and_identical_notebooks_are_for_the_teacher(tmp_path):
    slip, other = missed(mistake="no exp"), missed(mistake="=rounded")
    results = [
        (learner("anna", digest="same"), graded(other, slip)),
        (learner("bo; or so", digest="same"), graded(slip, slip)),
        (learner("cy"), graded()),
    ]
    write(tmp_path, results)
    first, second = EXERCISES[0].id, EXERCISES[1].id
    assert (tmp_path / "mistakes.csv").read_text(encoding="utf-8-sig").splitlines() == [
        "exercise,mistake,learners,names",
        f"{second},no exp,2,anna; bo; or so",
        f"{first},'=rounded,1,anna",
        f"{first},no exp,1,bo; or so",
    ]
    log = (tmp_path / "grading.log").read_text(encoding="utf-8").splitlines()
    assert log == ["These notebooks are identical, byte for byte: anna, bo; or so."]
