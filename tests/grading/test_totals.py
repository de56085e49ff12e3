"""The marks of several sheets in one table."""

import csv
import io
import json

import pytest
from command_line import said
from reporting import POINTS, graded, learner, missed, rows, write

from transformer_course.exercises.catalogue import by_lesson
from transformer_course.grading.errors import GradingError
from transformer_course.grading.graded import Graded
from transformer_course.grading.totals import read, table

THREE = {exercise.id: 1.0 for exercise in by_lesson()["03"]}
PASSED = Graded({exercise.id: exercise.passed() for exercise in by_lesson()["03"]})


def results(folder, sheet="02", points=POINTS, class_=()):
    write(folder, class_, sheet, points)
    (folder / "secret.json").write_text(json.dumps({"sheet": sheet, "secret": "00"}))
    return folder


def table_of(folders):
    return table(read(folders))


@pytest.fixture
def folders(tmp_path):
    second = [(learner("anna", number="7"), PASSED), (learner("=cmd() 张伟"), PASSED)]
    nothing = Graded({exercise.id: exercise.empty() for exercise in by_lesson()["02"]})
    first = [(learner("anna", number="7"), graded(missed())), (learner("Max"), nothing)]
    first += [(learner("Zoe"), Graded({}, problem="Nothing ran."))]
    return results(tmp_path / "b", "03", THREE, second), results(tmp_path / "a", class_=first)


def test_a_line_for_each_learner_and_a_column_for_each_sheet(folders):
    header, *lines = csv.reader(io.StringIO(table_of(folders), newline=""))
    total = ["total", "out of", "percent", "no mark for"]
    assert header == ["learner", "number", "sheet 02 (of 28)", "sheet 03 (of 5)", *total]
    assert lines == [
        ["'=cmd() 张伟", "", "", "5", "5", "33", "", "02"],
        ["anna", "7", "27", "5", "32", "33", "96.97", ""],
        ["Max", "", "0", "", "0", "33", "", "03"],  # 0 is a mark
        ["Zoe", "", "", "", "", "33", "", "02, 03"],
    ]


def test_a_name_is_one_line_however_its_accents_are_stored(tmp_path):
    composed, decomposed = "José", "Jose\u0301"
    sheets = [
        results(tmp_path / "b", "03", THREE, [(learner(decomposed), PASSED)]),
        results(tmp_path / "a", class_=[(learner(composed), graded(missed()))]),
    ]
    _, *lines = csv.reader(io.StringIO(table_of(sheets), newline=""))
    assert [line[0] for line in lines] == [composed]


@pytest.mark.parametrize("name", ["'t Hooft", "'=x", "=x;=y", "Lee; =z, -1"])
def test_a_name_is_the_same_in_every_table(tmp_path, name):
    sheet = results(tmp_path, class_=[(learner(name), graded(missed(1 / 3)))])
    (row,) = csv.DictReader(io.StringIO(table_of([sheet]), newline=""))
    (before,) = rows(sheet)
    assert (row["learner"], row["percent"]) == (before["learner"], "97.62")  # not rounded, so the result was found by its name


def test_a_percentage_is_of_the_points_before_they_are_rounded(tmp_path):
    third = graded(missed(1 / 3))
    (row,) = csv.DictReader(io.StringIO(table_of([results(tmp_path, class_=[(learner("anna"), third)])]), newline=""))
    assert (row["total"], row["percent"]) == ("27.33", "97.62")
    (tmp_path / "results" / "anna.json").unlink()
    (row,) = csv.DictReader(io.StringIO(table_of([tmp_path]), newline=""))
    assert (row["total"], row["percent"]) == ("27.33", "97.61")


def test_the_command_writes_the_table_of(folders, tmp_path):
    out = tmp_path / "totals.csv"
    assert f"4 learners, 2 sheets: {out}" in said("totals", *map(str, folders), "--out", str(out))
    assert out.read_bytes().decode("utf-8-sig") == table_of(folders)
    assert "Cannot write to" in said("totals", str(folders[0]), "--out", str(tmp_path / "no" / "x.csv"), status=1)


def test_a_learner_whose_name_has_a_number_on_another_sheet_is_named(tmp_path):
    twins = ("Anna Lee (12)", "Anna Lee (345)", "Bo", "Cy (7)", "Cy", "Di (1)", "Di (2)")
    two = [(learner(name), graded()) for name in twins]
    other = results(
        tmp_path / "3", "03", THREE, [(learner(name), PASSED) for name in ("Anna Lee", "Bo", "Cy", "An", "Di (3)")]
    )
    text = said("totals", str(results(tmp_path / "2", class_=two)), str(other), "--out", str(tmp_path / "totals.csv"))
    words = "these names, from different sheets, may belong to the same learner: "
    named = [line.removeprefix(words) for line in text.splitlines() if line.startswith(words)]
    assert named == ["Anna Lee and Anna Lee (12) or Anna Lee (345)", "Di (1) and Di (3)", "Di (2) and Di (3)"]


def test_folders_without_results_and_two_of_one_sheet_get_a_sentence(folders, tmp_path):
    with pytest.raises(GradingError, match="has no results from transformer-course grade"):
        table_of([tmp_path / "c"])
    with pytest.raises(GradingError, match="Two of the folders have results for sheet 02"):
        table_of([folders[1], folders[1]])
    (folders[0] / "grades.csv").write_text("learner\n")
    with pytest.raises(GradingError, match="has been edited since it was written"):
        table_of(folders)
