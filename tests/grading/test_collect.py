"""Finding submissions: whatever a folder holds, each learner gets a notebook or a sentence, and nothing else is opened."""

import json
import os
import socket
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from transformer_course._util import paths
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.grading import corrections, points
from transformer_course.grading.errors import GradingError
from transformer_course.grading.graded import Correction, Submission
from transformer_course.grading.submissions.collect import collect
from transformer_course.grading.submissions.notebook_file import Cell, NotANotebook, cells, read
from transformer_course.runner import limits
from transformer_course.runner.wire import encode

SHEETS = {path.stem[:2]: path for path in paths.notebooks("exercises")}

UNIX = pytest.mark.skipif(os.name != "posix", reason="only Unix has pipes and sockets as files, and links for everybody")


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "class").mkdir()
    return tmp_path / "class"


def hand_in(path: Path, sheet: str = "02", when: int = 1_000_000) -> Path:
    """The sheet as it is handed out, as if it had been saved at ``when``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(SHEETS[sheet].read_bytes())
    os.utime(path, (when, when))
    return path


def notebook(*sources, **metadata) -> str:
    made = [{"cell_type": "code", "metadata": metadata, "source": source} for source in sources]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def found(folder: Path, sheet: str | None = "02") -> dict[str, Submission]:
    return {submission.learner: submission for submission in collect(folder, sheet)[1]}


def problem(path: Path) -> str:
    """What the learner who handed this in is told; another one's notebook is graded all the same."""
    hand_in(path.parent / "another.ipynb")
    class_ = found(path.parent)
    assert class_["another"].problem == ""
    submission = class_[path.stem]
    assert submission.file is None
    assert submission.problem.count("; ") == 1  # what is wrong; what to do
    assert submission.problem.endswith(".")
    return submission.problem


def test_a_notebook_for_each_learner_or_a_folder_for_each(folder):
    flat = hand_in(folder / "Bea.ipynb")
    nbgrader = hand_in(folder / "anna" / "sheet 02" / "02_self_attention_by_hand.ipynb")
    moodle = hand_in(folder / "王 小明_123_assignsubmission_file" / "my answer.IPYNB")
    (folder / "timestamps.txt").write_text("no submission")
    hand_in(folder / "__MACOSX" / "anna" / "02.ipynb")
    sheet, submissions, _ = collect(folder, None)
    assert sheet == "02"
    assert [s.name for s in submissions] == [file.relative_to(folder).as_posix() for file in (nbgrader, flat, moodle)]
    assert [(s.learner, s.file) for s in submissions] == [("anna", nbgrader), ("Bea", flat), (moodle.parent.name, moodle)]
    assert {(s.problem, *s.log) for s in submissions} == {("",)}
    assert {s.digest for s in submissions} == {sha256(SHEETS["02"].read_bytes()).hexdigest()}


def test_the_newest_attempt_at_the_sheet_counts_and_the_log_says_so(folder):
    hand_in(folder / "anna" / "1" / "old.ipynb", when=100)
    newest = hand_in(folder / "anna" / "2" / "new.ipynb", when=300)
    hand_in(folder / "anna" / "3" / "other.ipynb", "03", when=400)
    hand_in(folder / "anna.ipynb", when=200)  # beside her folder
    (folder / "anna" / "cut.ipynb").write_text("{")
    hand_in(folder / "anna" / ".ipynb_checkpoints" / "new-checkpoint.ipynb", when=900)
    hand_in(folder / "anna" / ".hidden.ipynb", when=900)
    submission = found(folder)["anna"]
    assert submission.file == newest
    taken, unread = submission.log
    assert taken == "anna/2/new.ipynb was taken, the newest of 3; passed over: anna.ipynb, anna/1/old.ipynb."
    assert (submission.other_sheets, submission.changed, submission.tied, submission.doubtful) == (["03"], 300, False, True)
    assert unread.startswith("anna/cut.ipynb was passed over: The notebook arrived cut off or damaged")


def test_of_equally_new_attempts_the_last_by_name_counts(folder):
    for letter in "dahgbfce":
        hand_in(folder / "anna" / f"attempt_{letter}.ipynb")
    assert found(folder)["anna"].file.name == "attempt_h.ipynb"


def test_attempt_10_comes_after_attempt_9_and_the_log_says_what_decided(folder):
    for number in (1, 9, 10):
        hand_in(folder / "lena" / f"attempt {number}.ipynb", when=200)
    hand_in(folder / "lena" / "attempt 11.ipynb", when=100)
    hand_in(folder / "max" / "attempt 9.ipynb", when=200)
    hand_in(folder / "max" / "attempt 10.ipynb", when=100)
    hand_in(folder / "max" / "other.ipynb", "03", when=200)
    lena, max_ = found(folder).values()
    assert (lena.file.name, lena.changed, lena.tied, lena.doubtful) == ("attempt 10.ipynb", 200, True, True)
    assert lena.log == (
        "lena/attempt 10.ipynb was taken, of 3 with the same time, the last by name; passed over: lena/attempt 9.ipynb, "
        "lena/attempt 1.ipynb, lena/attempt 11.ipynb.",
    )
    assert (max_.file.name, max_.tied, max_.doubtful) == ("attempt 9.ipynb", False, False)
    assert max_.log == ("max/attempt 9.ipynb was taken, the newest of 2; passed over: max/attempt 10.ipynb.",)


def test_who_handed_in_nothing_but_damaged_files_reads_which(folder):
    hand_in(folder / "jan" / "02.ipynb", "03")
    (folder / "jan" / "03.ipynb").write_text("")
    (folder / "jan" / "cut.ipynb").write_text("{")
    jan = found(folder)["jan"]
    assert "jan/03.ipynb: The file is empty; hand in the notebook itself." in jan.problem
    assert "jan/cut.ipynb: The notebook arrived cut off" in jan.problem
    assert jan.doubtful


def test_the_sheet_is_the_one_that_most_learners_handed_in(folder):
    for name, sheet in (("anna", "04"), ("bea", "04"), ("chen", "03")):
        hand_in(folder / name / "x.ipynb", sheet)
    for attempt in range(5):
        hand_in(folder / "chen" / f"{attempt}.ipynb", "03")
    sheet, submissions, _ = collect(folder, None)
    assert sheet == "04"
    assert submissions[2].problem == (
        "The notebook is of sheet 03, and sheet 04 is graded here; hand in the notebook of sheet 04."
    )
    hand_in(folder / "dana.ipynb", "03")
    assert collect(folder, None)[0] == "03"  # as many: the lower number


def test_without_metadata_the_checks_tell_the_sheet(folder):
    code = ["softmax = 3", "check('attention.softmax', softmax)\ncheck( \"attention.by_hand\", x)", 'check("heads.sizes", 1)']
    (folder / "anna.ipynb").write_text(notebook(*code))
    (folder / "bea.ipynb").write_text(notebook('check("attention.softmax", 1)', exercise="heads.sizes"))
    class_ = found(folder, None)
    assert class_["anna"].problem == ""
    assert "is of sheet 05" in class_["bea"].problem  # the metadata come first


def test_a_folder_without_a_notebook_and_a_notebook_without_an_exercise(folder):
    hand_in(folder / "anna.ipynb")
    (folder / "bea").mkdir()
    (folder / "chen.ipynb").write_text(notebook("x = 1"))
    class_ = found(folder)
    assert class_["bea"].problem == "No notebook was found in your folder; hand in the notebook of sheet 02."
    assert class_["chen"].problem.startswith("The notebook has none of the course's exercises; hand in the sheet")


def test_an_archive_in_place_of_a_notebook_is_a_learner_who_has_handed_in(folder):
    hand_in(folder / "anna.ipynb")
    for name in ("anna.zip", "Zed.zip", "Yan.tar.gz", "notes.docx"):
        (folder / name).write_text("")
    _, submissions, others = collect(folder, None)
    assert [submission.learner for submission in submissions] == ["anna", "Yan", "Zed"]
    assert submissions[2].problem == "Zed.zip is an archive; unpack it, or hand in the notebook of sheet 02 itself."
    assert others == ["anna.zip", "notes.docx"]
    (folder / "anna.ipynb").unlink()
    (folder / "anna.zip").unlink()
    with pytest.raises(GradingError, match=r"holds no notebooks; unpack Yan\.tar\.gz first"):
        collect(folder, "02")


def test_what_lies_there_in_place_of_a_notebook_is_named(folder):
    hand_in(folder / "anna.ipynb")
    for name in ("sheet.pdf", "photo.jpg", ".DS_Store"):
        (folder / "zoe" / "in").mkdir(parents=True, exist_ok=True)
        (folder / "zoe" / "in" / name).write_text("")
    (folder / "zack").mkdir()
    (folder / "zack" / "a.zip").write_text("")
    class_ = found(folder)
    assert class_["zoe"].problem == (
        "No notebook was found in your folder, only photo.jpg, sheet.pdf; hand in the notebook of sheet 02."
    )
    assert class_["zack"].problem == "a.zip is an archive; unpack it, or hand in the notebook of sheet 02 itself."
    assert class_["zack"].log == ("a.zip is an archive, and was not looked into.",)


def test_one_learners_folder_is_one_learner(folder, tmp_path):
    hand_in(folder / "Nia" / "sheet.ipynb", when=100)
    hand_in(folder / "Nia" / "sheet (1).ipynb", when=200)
    newest = hand_in(folder / "Nia" / "attempt" / "sheet.ipynb", when=300)
    (tmp_path / "link").symlink_to(folder / "Nia")
    for given in (folder / "Nia", tmp_path / "link"):
        sheet, (nia,), others = collect(given, None, one=True)
        assert (sheet, nia.learner, nia.file, nia.name, others) == ("02", "Nia", newest, "Nia/attempt/sheet.ipynb", [])
        assert (nia.attempts, nia.tied, nia.digest) == (3, False, sha256(newest.read_bytes()).hexdigest())
    assert len(collect(folder / "Nia", None)[1]) == 3
    (folder / "Ben").mkdir()
    _, (ben,), _ = collect(folder / "Ben", "02", one=True)
    assert (ben.learner, ben.problem) == ("Ben", "No notebook was found in your folder; hand in the notebook of sheet 02.")
    for sheet, sentence in ((None, "holds no notebooks"), ("99", "There is no sheet '99'")):
        with pytest.raises(GradingError, match=sentence):
            collect(folder / "Ben", sheet, one=True)
    with pytest.raises(GradingError, match="cannot be opened"):
        collect(folder / "nobody", "02", one=True)


def test_names_are_sorted_as_letters_and_not_as_codes(folder):
    for name in ("Zoe", "Åke", "ann", "Emil", "Éva"):
        hand_in(folder / f"{name}.ipynb")
    assert [*found(folder)] == ["Åke", "ann", "Emil", "Éva", "Zoe"]


def test_a_single_notebook(folder):
    path = hand_in(folder / "submission.ipynb", "04")
    hand_in(folder / "another.ipynb", "02")
    sheet, (submission,), _ = collect(path, None)
    assert (sheet, submission.learner, submission.file, submission.problem) == ("04", "submission", path.resolve(), "")


@UNIX
def test_whoever_names_a_link_means_the_file_behind_it(folder, tmp_path):
    (tmp_path / "link.ipynb").symlink_to(hand_in(folder / "anna.ipynb"))
    (tmp_path / "link").symlink_to(folder)
    for given in ("link.ipynb", "link"):
        _, (submission,), _ = collect(tmp_path / given, None)
        assert (submission.learner, submission.problem) == ("anna", "")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda place: None, r"cannot be opened \(.*\); give the folder of submissions"),
        (lambda place: place.mkdir(), "holds no notebooks; give the folder with"),
        (lambda place: (place / "bea").mkdir(parents=True), "holds no notebooks"),
        (lambda place: place.write_text(""), r"is no notebook; give a notebook \(.ipynb\), or the folder"),
    ],
)
def test_nothing_to_grade(tmp_path, make, sentence):
    make(tmp_path / "given")
    for sheet in ("02", None):
        with pytest.raises(GradingError, match=sentence):
            collect(tmp_path / "given", sheet)


def test_a_sheet_that_cannot_be_told_or_is_not_there(folder):
    (folder / "anna.ipynb").write_text("{")
    with pytest.raises(GradingError, match=r"name the sheet\. The first: anna\.ipynb: The notebook arrived cut off"):
        collect(folder, None)
    with pytest.raises(GradingError, match=r"There is no sheet '2'; the course has 00, 01, 02"):
        collect(folder, "2")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (SHEETS["02"].read_bytes()[:5000], "cut off or damaged"),
        (b'{"cells": ' + b"9" * 5000 + b"}", "cut off or damaged"),  # too long for Python to read as a number
        (b"[" * 100_000 + b"]" * 100_000, "nests lists too deeply"),
        ("注意力".encode("gb18030"), "not text in UTF-8"),
        (notebook("x").encode("utf-16"), "not text in UTF-8"),
        (b"[1, 2]", "no list of cells"),
        (b'{"cells": 3}', "no list of cells"),
        (b'{"worksheets": [], "nbformat": 3}', "format of before 2015"),
        (b'{"cells": [3]}', "something in place of a cell"),
        (b'{"cells": [{"cell_type": "code", "source": [3]}]}', "cell 1 has no source"),
        (b'{"cells": [{"cell_type": "code"}]}', "cell 1 has no source"),
    ],
)
def test_what_is_no_notebook_is_told_to_its_learner_alone(folder, content, sentence):
    (folder / "bea.ipynb").write_bytes(content)
    assert sentence in problem(folder / "bea.ipynb")


def test_a_large_file_is_not_read(folder):
    with open(folder / "bea.ipynb", "wb") as file:
        file.truncate(2**43)  # more than fits any memory
    assert "more than 20 MB; clear its outputs" in problem(folder / "bea.ipynb")


@UNIX
def test_links_are_never_followed(folder, tmp_path):
    secret = hand_in(tmp_path / "elsewhere" / "secret.ipynb")
    hand_in(folder / "anna" / "x.ipynb")
    (folder / "file.ipynb").symlink_to(secret)
    (folder / "copied.ipynb").symlink_to(folder / "anna" / "x.ipynb")
    (folder / "circle.ipynb").symlink_to("circle.ipynb")
    (folder / "circle").symlink_to("circle")
    (folder / "away").symlink_to(tmp_path / "elsewhere")
    (folder / "inner").mkdir()
    (folder / "inner" / "out").symlink_to(tmp_path / "elsewhere")
    (folder / "inner" / "up").symlink_to("..")
    assert "links are not followed; hand in the notebook itself" in problem(folder / "file.ipynb")
    assert "links are not followed" in problem(folder / "copied.ipynb")
    class_ = found(folder)
    assert {name for name, submission in class_.items() if submission.file} == {"anna", "another"}
    assert class_["away"].log == ("away is a link, and links are not followed.",)
    assert sorted(class_["inner"].log) == [f"{name} is a link, and links are not followed." for name in ("out", "up")]
    with pytest.raises(NotANotebook, match="links are not followed"):
        read(folder / "away" / "secret.ipynb", folder)


@UNIX
def test_pipes_and_sockets_are_never_opened(folder, monkeypatch):
    os.mkfifo(folder / "pipe.ipynb")
    listener = socket.socket(socket.AF_UNIX)
    monkeypatch.chdir(folder)  # a socket's address is short
    listener.bind("socket.ipynb")
    opened = []
    real = os.open
    monkeypatch.setattr(os, "open", lambda path, *rest, **more: opened.append(str(path)) or real(path, *rest, **more))
    assert "is not a file (a folder, a pipe or a device)" in problem(folder / "pipe.ipynb")
    assert "is not a file" in problem(folder / "socket.ipynb")
    listener.close()
    assert {Path(path).stem for path in opened} == {"another"}


@UNIX
def test_a_pipe_that_takes_a_files_place_is_not_waited_for(folder, monkeypatch):
    os.mkfifo(folder / "bea.ipynb")
    plain_file = hand_in(folder / "another.ipynb").lstat()
    monkeypatch.setattr("transformer_course.grading.submissions.notebook_file.os.lstat", lambda path: plain_file)
    with pytest.raises(NotANotebook, match="is not a file"):
        read(folder / "bea.ipynb", folder)


def test_what_may_not_be_read_is_told(folder, monkeypatch):
    def refuse(path, *rest, **more):
        if Path(path).stem == "bea":
            raise PermissionError(13, "Permission denied")
        return real(path, *rest, **more)

    real = os.open
    monkeypatch.setattr(os, "open", refuse)
    hand_in(folder / "bea.ipynb")
    assert "cannot be opened (Permission denied); ask your teacher" in problem(folder / "bea.ipynb")
    scan = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: refuse(path) if Path(path).stem == "bea" else scan(path))
    (folder / "bea.ipynb").unlink()
    (folder / "bea").mkdir()
    assert found(folder)["bea"].log == ("bea cannot be opened (Permission denied).",)


@pytest.mark.skipif(sys.platform != "linux", reason="other file systems refuse such names")
def test_hostile_names_are_names(folder):
    names = ["=cmd|' calc'!A1", "-rf", "\u202egnp", "a\nb", "\x1b[31m", "x" * 240, "学习 者", "'; --", "<b>", "%s{0}"]
    names.append(os.fsdecode(b"\xff\xfe"))  # no text in any encoding
    for name in names:
        hand_in(folder / f"{name}.ipynb")
    class_ = found(folder)
    assert set(class_) == set(names)
    assert not any(submission.problem for submission in class_.values())


def test_a_learners_thousand_notebooks_are_not_all_opened(folder, monkeypatch):
    monkeypatch.setattr("transformer_course.runner.limits.LEARNER_FILES", 150)
    for k in range(200):
        hand_in(folder / "anna" / f"{k}.ipynb", when=k)
    submission = found(folder)["anna"]
    assert submission.log[0] == "Only the first 150 files were looked through."
    assert submission.log[1] == f"Of 150 notebooks, only the newest {limits.LEARNER_NOTEBOOKS} were opened."
    assert submission.log[2].endswith(f"and {limits.LEARNER_NOTEBOOKS - 6} more.")


def test_cells_are_read_as_they_are_written():
    data = {
        "cells": [
            {"cell_type": "markdown", "source": "no code"},
            {
                "cell_type": "code",
                "source": ["a = 1\r\n", "b = 2"],
                "metadata": {"exercise": "x.y", "tags": ["one", 2, "two"]},
            },
            {"cell_type": "code", "source": "s = '\ud800'", "metadata": {"exercise": 3, "tags": "one"}},
            {"cell_type": "code", "source": "", "metadata": None},
        ]
    }
    text = "\ufeff" + json.dumps(data, indent=1).replace("\n", "\r\n")
    expected = [Cell("a = 1\nb = 2", "x.y", ("one", "two")), Cell("s = '?'", None, ()), Cell("", None, ())]
    assert cells(text.encode()) == expected


def test_the_default_points_are_one_for_each_exercise(tmp_path):
    path = tmp_path / "points.toml"
    for sheet, exercises in by_lesson().items():
        path.unlink(missing_ok=True)
        points.write_default(path, sheet)
        assert points.read(path, sheet) == {exercise.id: 1.0 for exercise in exercises}
        assert all(f": {exercise.prompt}\n{exercise.id} = 1\n" in path.read_text("utf-8") for exercise in exercises)
    kept = path.read_bytes()
    with pytest.raises(GradingError, match="is there already, and is left as it is"):
        points.write_default(path, "02")
    assert path.read_bytes() == kept


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("attention.softmax = 1", "", "leaves out attention.softmax; give each a line, such as attention.softmax = 1"),
        (
            "attention.softmax",
            "attention.softmx",
            "sheet 02 has no exercise 'attention.softmx'. The nearest .* `attention.softmax`",
        ),
        ("softmax = 1", "softmax = -1", "attention.softmax should be a number from 0 to 10000, and is -1"),
        ("softmax = 1", "softmax = nan", "should be a number from 0 to 10000, and is nan"),
        ("softmax = 1", "softmax = inf", "should be a number"),
        ("softmax = 1", f"softmax = 1{'0' * 400}", "should be a number"),
        ("softmax = 1", "softmax = true", "should be a number"),
        ("softmax = 1", 'softmax = "2"', "should be a number from 0 to 10000, and is '2'"),
        ("softmax = 1", "softmax = {}", "should be a number"),
        ("softmax = 1", "softmax 1", r"cannot be read: .*at line 13.*should look like attention.softmax = 1"),
        (" = 1", " = 0", "gives no exercise any points"),
    ],
)
def test_points_that_cannot_be_used_are_told(tmp_path, before, after, sentence):
    path = tmp_path / "points.toml"
    points.write_default(path, "02")
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after), "utf-8")
    with pytest.raises(GradingError, match=sentence):
        points.read(path, "02")


def test_points_may_be_quoted_and_any_numbers(tmp_path):
    path = tmp_path / "points.toml"
    points.write_default(path, "02")
    text = path.read_text("utf-8").replace("attention.softmax = 1", '"attention.softmax" = 2.5')
    path.write_text("\ufeff" + text.replace("zero_token = 1", "zero_token = 0"), "utf-8")
    given = points.read(path, "02")
    assert (given["attention.softmax"], given["attention.zero_token"]) == (2.5, 0.0)
    assert list(given) == [exercise.id for exercise in by_lesson()["02"]]
    with pytest.raises(GradingError, match="cannot be read"):
        points.read(tmp_path / "nowhere.toml", "02")


CLASS = ["Quinn rounding", "Rene\u0301", "b.c"]  # the accent by itself, as macOS writes names


def corrected(tmp_path: Path, text: str) -> dict:
    worth = {exercise.id: 2.0 for exercise in by_lesson()["02"]}
    (tmp_path / "corrections.toml").write_text(text, "utf-8")
    given, unused = corrections.read(tmp_path / "corrections.toml", CLASS, worth)
    assert not unused
    return given


def test_corrections_are_read_with_the_example_in_points_toml(tmp_path):
    assert corrections.read(tmp_path / "corrections.toml", CLASS, {}) == ({}, [])
    points.write_default(tmp_path / "points.toml", "02")
    lines = [line.removeprefix("#     ") for line in (tmp_path / "points.toml").read_text("utf-8").splitlines()]
    text = "\n".join(lines[2:4]).replace("Name of the learner", "Quinn rounding")
    once = {"attention.by_hand": Correction(1.0, "rounding accepted")}
    assert corrected(tmp_path, text) == {"Quinn rounding": once}
    text += '\n["Ren\u00e9"]\nattention.softmax = {points = 0, why = "late"}'
    text += '\n["b.c".attention]\nby_hand = {points = 2, why = "?"}'
    rest = {CLASS[1]: {"attention.softmax": Correction(0.0, "late")}, "b.c": {"attention.by_hand": Correction(2.0, "?")}}
    assert corrected(tmp_path, text) == {"Quinn rounding": once, **rest}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('["Qinn rounding"]\nx = 1', "no submission is by 'Qinn rounding'. The nearest name is `Quinn rounding`; correct it"),
        ('["quinn"]\nx = 1', "no submission is by 'quinn'. The nearest name is `Quinn rounding`"),  # Moodle writes more
        ('["b.c"]', "'b.c' should be a heading in square brackets, with lines below it such as"),
        ('"b.c" = 3', "'b.c' should be a heading"),
        ('["b.c"]\nattention.softmx = {points = 1, why = "x"}', "no exercise 'attention.softmx' here. .* `attention.softmax`"),
        ('["b.c"]\nattention.softmax = 1', "attention.softmax should have points and a why, as in"),
        ('["b.c"]\nattention.softmax = {point = 1, why = "x"}', "should have points and a why"),
        ('["b.c"]\nattention.softmax = {points = -1, why = "x"}', "should be a number from 0 to 2, and is -1"),
        ('["b.c"]\nattention.softmax = {points = 2.5, why = "x"}', "should be a number from 0 to 2, and is 2.5"),
        ('["b.c"]\nattention.softmax = {points = nan, why = "x"}', "should be a number from 0 to 2, and is nan"),
        ('["b.c"]\nattention.softmax = {points = true, why = "x"}', "should be a number from 0 to 2, and is True"),
        ('["b.c"]\nattention.softmax = {why = "x"}', "should be a number from 0 to 2, and is missing"),
        ('["b.c"]\nattention.softmax = {points = 1}', "attention.softmax does not say why"),
        ('["b.c"]\nattention.softmax = {points = 1, why = " "}', "attention.softmax does not say why"),
        ("[b c]", 'cannot be read: .*should look like "attention.by_hand" = {points = 1'),
    ],
)
def test_corrections_that_cannot_be_used_are_told(tmp_path, text, sentence):
    with pytest.raises(GradingError, match=sentence) as told:
        corrected(tmp_path, text)
    assert str(tmp_path / "corrections.toml") in str(told.value)


def test_corrections_of_who_is_not_there_have_no_effect_and_stop_nobody(tmp_path):
    path = tmp_path / "corrections.toml"
    given = '["Vic Verdict"]\nx = 1\n["b.c"]\n"attention.softmax" = {points = 1, why = "x"}\n["Quin rounding"]\ny = 2'
    path.write_text(given, "utf-8")
    worth = {"attention.softmax": 1.0}
    corrected, unused = corrections.read(path, CLASS, worth, gone=["Quin rounding"])  # her results are there, or were moved
    assert (corrected, unused) == ({"b.c": {"attention.softmax": Correction(1.0, "x")}}, ["Vic Verdict", "Quin rounding"])
    with pytest.raises(GradingError, match="The nearest name is `Quinn rounding`"):
        corrections.read(path, CLASS, worth)


@pytest.mark.parametrize(("count", "source"), [(1001, ""), (2, "x" * 150_001)])
def test_more_code_than_can_be_sent_is_told(count, source):
    def handed_in(count, source):
        return cells(json.dumps({"cells": [{"cell_type": "code", "source": source}] * count}).encode())

    with pytest.raises(NotANotebook, match="more than 1,000 code cells, or 300,000 characters"):
        handed_in(count, source)
    most = handed_in(1000, "\U0001f600" * 300)  # characters that need most room
    encode({"cells": [[number, cell.source] for number, cell in enumerate(most, 1)]})
