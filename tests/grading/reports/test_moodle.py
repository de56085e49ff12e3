"""Marks and feedback for Moodle: a made-up class comes back in the formats in which Moodle hands it out."""

import csv
import io
import re
import zipfile
from dataclasses import replace

import pytest
from command_line import said
from reporting import POINTS, graded, learner, missed, rows, run_of, write
from rich.console import Console
from submissions import hand_in, notebook

from transformer_course.app.commands.grade_results import print_names
from transformer_course.grading.errors import GradingError
from transformer_course.grading.graded import Graded
from transformer_course.grading.reports import moodle

ENGLISH = (
    "Identifier,Full name,ID number,Email address,Status,Grade,Maximum grade,Grade can be changed,"
    "Last modified (submission),Online text,Last modified (grade),Feedback comments\n"
)
CLASS = (
    ("Participant 11", "Ada Lovelace", "", "submitted"),
    ("Participant 12", 'Lee, Anna "Ann"', "", "submitted"),
    ("Participant 13", "张伟", "40.00", "submitted"),
    ("Participant 14", "=cmd() Mallory", "", "submitted"),
    ("Participant 15", "Never There", "", "no submission"),
)


def worksheet(path, lines=CLASS, header=ENGLISH, most="100.00", delimiter=","):
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    for number, name, grade, status in lines:
        writer.writerow(
            [number, name, "", f"{number[-2:]}@school.test", status, grade, most, "Yes", "-", "", "-", "<p>old</p>"]
        )
    path.write_text(f"\ufeff{header}{text.getvalue()}", encoding="utf-8", newline="")
    return path


def of_class(**more):
    """The class, as it is graded: full marks, a half, no mark, an odd name, and somebody from elsewhere."""
    half = {name: missed(0.5) for name in POINTS}
    return [
        (learner("Ada Lovelace", participant="11"), graded()),
        (learner("Lee, Anna Ann", participant="12"), Graded(half)),
        (replace(learner("张伟", participant="13"), file=None, problem="No notebook was found."), Graded({})),
        (learner("=cmd() Mallory", participant="14"), graded()),
    ]


def written(tmp_path, results=None, **form):
    """Fill a worksheet in; return its lines, the files of the zip, and what is left out."""
    results = of_class() if results is None else results
    write(tmp_path / "out", results)
    sheet = moodle.read(worksheet(tmp_path / "worksheet.csv", **form))
    count, left_out = moodle.write(run_of(results, tmp_path / "out"), sheet, results)
    text = (tmp_path / "out" / moodle.WORKSHEET).read_bytes().decode("utf-8-sig")
    lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=form.get("delimiter", ",")))
    with zipfile.ZipFile(tmp_path / "out" / moodle.FEEDBACK) as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
    return lines, pages, count, left_out


def test_only_the_grades_are_filled_in(tmp_path):
    (header, *lines), _, count, left_out = written(tmp_path)
    _, *before = csv.reader(io.StringIO((tmp_path / "worksheet.csv").read_text("utf-8-sig"), newline=""))
    grade = header.index("Grade")
    assert [line[grade] for line in lines] == ["100.00", "50.00", "40.00", "100.00", ""]  # no mark: as it was in Moodle
    assert (count, left_out) == (3, {})
    assert [line[1] for line in lines] == ["Ada Lovelace", 'Lee, Anna "Ann"', "张伟", "'=cmd() Mallory", "Never There"]
    for line, old in zip(lines, before, strict=True):
        assert [*line[:1], *line[2:grade], *line[grade + 1 :]] == [*old[:1], *old[2:grade], *old[grade + 1 :]]


def test_each_page_is_in_a_folder_that_moodle_gives_to_its_participant(tmp_path):
    _, pages, *_ = written(tmp_path)
    assert len(pages) == 4
    for name, page in pages.items():
        _, number, plugin, kind, rest = name.split("_", 4)  # as Moodle reads it
        assert (plugin, kind) == ("assignsubmission", "file")
        assert rest == "/feedback_02.html"
        own = next(submission.learner for submission, _ in of_class() if submission.participant == number)
        assert re.escape(own.split()[0]) in re.escape(page)


@pytest.mark.parametrize("delimiter", [";", ","])
def test_decimals_and_columns_are_those_of_the_worksheets_language(tmp_path, delimiter):
    results = of_class()[:2]
    lines = [("Teilnehmer/in11", "Ada Lovelace", "", "x"), ("Teilnehmer/in12", 'Lee, Anna "Ann"', "7,50", "x")]
    filled, *_ = written(
        tmp_path, results, lines=lines, header=ENGLISH.replace(",", delimiter), most="20,00", delimiter=delimiter
    )
    assert [line[5] for line in filled[1:]] == ["20,00", "10,00"]


def test_a_groups_name_may_stand_before_a_learners(tmp_path):
    results = [(learner("Group A-Ada Lovelace", participant="11"), graded())]
    lines, _, count, left_out = written(tmp_path, results)
    assert (lines[1][5], count, left_out) == ("100.00", 1, {})


def test_hidden_names_are_no_doubt(tmp_path):
    results = [(learner("Participant", participant="11"), graded())]
    lines, _, count, _ = written(tmp_path, results, lines=[("Participant 11", "", "", "submitted")])
    assert (lines[1][5], count) == ("100.00", 1)


def test_where_there_is_a_doubt_the_grade_stays_and_the_others_get_theirs(tmp_path):
    ada = learner("Ada Lovelace", participant="11")
    results = [
        (ada, graded()),
        (learner("Somebody Else", participant="12"), graded()),
        (learner("Zoe", participant="99"), graded()),
        (learner("Never There"), graded()),
        (learner("Mallory", participant="14"), graded()),
        (learner("Mallory again", participant="14"), graded()),
    ]
    lines, pages, count, left_out = written(tmp_path, results)
    assert [line[5] for line in lines[1:]] == ["100.00", "", "40.00", "", ""]
    assert count == len(pages) == 1
    assert left_out == {
        "the worksheet has a different name for this participant number": ["Somebody Else"],
        "not in the worksheet": ["Zoe"],
        "no participant number in the name of the folder": ["Never There"],
        "several folders with the same participant number": ["Mallory", "Mallory again"],
    }


@pytest.mark.parametrize(
    "lines",
    [[("Participant 71", "Kim", "", "submitted")], [(f"Participant 8{number[-2:]}", *rest) for number, *rest in CLASS]],
    ids=["another course", "another assignment of the same class"],
)
def test_a_worksheet_of_another_assignment_is_refused_and_nothing_is_written(tmp_path, lines):
    with pytest.raises(GradingError, match="has none of the 4 learners"):
        written(tmp_path, lines=lines)
    assert not (tmp_path / "out" / moodle.WORKSHEET).exists()


UNREADABLE = {
    "empty": "",
    "nobody": ENGLISH,
    "no participant": f"{ENGLISH}Ada Lovelace,1\n",
    "twice": f"{ENGLISH}Participant 1{',' * 11}\nParticipant 1{',' * 11}\n",
    "no grades": "a,b\nParticipant 1,x\n",
    "two columns of grades": "a,b,c,d\nParticipant 1,,100,100\n",
    "a grade above the maximum": "a,b,c\nParticipant 1,90,80\n",
    "a quotation mark too few": 'a,"b\nParticipant 1,2\n',
    "a null character": "\x00",
    "not UTF-8": "ID;Bewertung höchstens\n".encode("latin-1"),
}


def test_what_is_no_worksheet_gets_one_sentence(tmp_path, snapshot):
    told = {}
    for case, text in {**UNREADABLE, "no file": None}.items():
        path = tmp_path / f"{case}.csv"
        if text is not None:
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        with pytest.raises(GradingError) as error:
            moodle.read(path)
        assert str(path) in str(error.value)
        told[case] = str(error.value).replace(str(path), "worksheet.csv")
    assert told == snapshot


def test_options_that_do_not_go_together_are_refused(tmp_path, snapshot):
    usual = ("grade", str(tmp_path), "--out", str(tmp_path / "out"))
    wrong = {
        ("--late", "10"): 1,
        ("--late", "ten"): 2,
        ("--one", "--roster", "roster.csv"): 1,
        ("--roster", str(tmp_path / "roster.csv")): 1,
        ("--due", "1.12.2026 18:00"): 2,
    }
    read = {}
    for options, status in wrong.items():
        text = re.sub("[│╭╮╰╯─]", " ", said(*usual, *options, status=status)).rpartition(" Error ")[2]  # without a box
        read[" ".join(options).replace(str(tmp_path), "")] = " ".join(text.split()).replace(str(tmp_path), "")
    assert read == snapshot


def test_names_with_commas_are_told_apart():
    output = io.StringIO()
    print_names(Console(file=output, soft_wrap=True), {"left": ["Lee, Anna", "Bo"], "right": ["Ada", "Bo"]})
    assert output.getvalue() == "left: Lee, Anna; Bo\nright: Ada, Bo\n"


@pytest.mark.usefixtures("warm_sandbox")
def test_what_moodle_hands_out_is_graded_and_goes_back(tmp_path):
    folder = tmp_path / "submissions"
    hand_in(folder / "Ada Lovelace_11_assignsubmission_file_" / "03_sheet.ipynb", notebook("03"))
    hand_in(folder / "Ada Lovelace_11_assignsubmission_onlinetext_" / "onlinetext.html", "see my notebook")
    hand_in(folder / "张伟_13_assignsubmission_file_03_sheet.ipynb", notebook("03"))
    (folder / "Never There_15_assignsubmission_file_").mkdir()
    sheet = worksheet(tmp_path / "worksheet.csv")
    out = tmp_path / "out"
    (tmp_path / "roster.csv").write_text("name,number\nAda Lovelace,1\nNever There,2\nHas No Folder,3", encoding="utf-8")
    options = ("--roster", str(tmp_path / "roster.csv"), "--due", "2026-01-01 18:00", "--late", "100")
    output = said("grade", str(folder), "--out", str(out), "--moodle", str(sheet), *options[:2], status=1)
    assert "marks for 2 of 4 learners\nno mark (grading.log says why): Has No Folder, Never There\n" in output
    assert "not on the roster: 张伟\n" in output
    assert "left out of the Moodle files (nothing handed in): Has No Folder\n" in output
    assert f"Moodle worksheet, 2 grades (maximum 100.00): {out / moodle.WORKSHEET}\n" in output
    assert f"Moodle feedback files: {out / moodle.FEEDBACK}\n" in output
    _, *lines = csv.reader(io.StringIO((out / moodle.WORKSHEET).read_text("utf-8-sig"), newline=""))
    assert [line[5] for line in lines] == ["100.00", "", "100.00", "", ""]
    with zipfile.ZipFile(out / moodle.FEEDBACK) as archive:
        assert sorted(archive.namelist()) == [
            "Ada Lovelace_11_assignsubmission_file_/feedback_03.html",
            "Never There_15_assignsubmission_file_/feedback_03.html",
            "张伟_13_assignsubmission_file_/feedback_03.html",
        ]
    late = said("grade", str(folder), "--out", str(out), "--resume", *options, status=1)
    assert "marks for 2 of 4 learners, 2 of them from earlier results\n" in late
    assert "late: Ada Lovelace, 张伟\n" in late
    assert f"files for Moodle were deleted: {moodle.WORKSHEET} and {moodle.FEEDBACK}\n" in late  # they are no longer true
    assert not (out / moodle.WORKSHEET).exists()
    assert not (out / moodle.FEEDBACK).exists()
    assert [row["percent"] for row in rows(out)] == ["0", "", "", "0"]
    again = ("grade", str(folder), "--out", str(out), "--resume")
    for _ in range(2):
        assert "deleted" not in said(*again, "--moodle", str(sheet), status=1)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    foreign = worksheet(tmp_path / "foreign.csv", lines=[("Participant 71", "Kim", "", "submitted")])
    (folder / "张伟_13_assignsubmission_file_03_sheet.ipynb").unlink()
    assert f"Nothing was changed: {foreign} has none of the 3 learners" in said(*again, "--moodle", str(foreign), status=1)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    (tmp_path / "broken.csv").write_text("no worksheet")
    again = said("grade", str(folder), "--out", str(tmp_path / "new"), "--moodle", str(tmp_path / "broken.csv"), status=1)
    assert "lists no learners" in again
    assert not (tmp_path / "new").exists()  # it is read before anything is graded
