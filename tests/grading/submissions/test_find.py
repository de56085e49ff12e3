"""Everything in a folder is found, in any form, and nothing that is not a learner's own file is opened."""

import os
import sys
from hashlib import sha256

import pytest
from collecting import UNIX, found, hand_in, problem

from transformer_course.grading.errors import GradingError
from transformer_course.grading.submissions.collect import collect
from transformer_course.grading.submissions.notebook_file import NotANotebook, read
from transformer_course.runner import limits


def test_an_archive_in_place_of_a_notebook_is_a_learner_who_has_handed_in(folder):
    hand_in(folder / "anna.ipynb")
    for name in ("anna.zip", "Zed.zip", "Yan.tar.gz", "notes.docx"):
        (folder / name).write_text("")
    _, submissions, others = collect(folder, None)
    assert [submission.learner for submission in submissions] == ["anna", "Yan", "Zed"]
    assert (
        submissions[2].problem
        == "Zed.zip is an archive, and was not opened; hand in the notebook for sheet 02, not in an archive."
    )
    assert others == ["anna.zip", "notes.docx"]
    (folder / "anna.ipynb").unlink()
    (folder / "anna.zip").unlink()
    with pytest.raises(GradingError, match=r"contains no notebooks; unpack Yan\.tar\.gz first"):
        collect(folder, "02")


def test_what_lies_there_in_place_of_a_notebook_is_named(folder):
    hand_in(folder / "anna.ipynb")
    for name in ("sheet.pdf", "photo.jpg", ".DS_Store"):
        (folder / "zoe" / "in").mkdir(parents=True, exist_ok=True)
        (folder / "zoe" / "in" / name).write_text("")
    (folder / "zack").mkdir()
    (folder / "zack" / "a.zip").write_text("")
    (folder / "yve").mkdir()
    (folder / "yve" / "02_sheet.ipynb.txt").write_text("")
    class_ = found(folder)
    assert class_["yve"].problem == (
        "02_sheet.ipynb.txt seems to be a notebook; delete everything after .ipynb in its name, and hand it in again."
    )
    assert class_["zoe"].problem == (
        "No notebook was handed in, only photo.jpg, sheet.pdf; hand in the notebook for sheet 02."
    )
    assert (
        class_["zack"].problem
        == "a.zip is an archive, and was not opened; hand in the notebook for sheet 02, not in an archive."
    )
    assert class_["zack"].log == ("a.zip is an archive, and was not opened.",)


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
    assert (ben.learner, ben.problem) == ("Ben", "No notebook was handed in; hand in the notebook for sheet 02.")
    for sheet, sentence in ((None, "contains no notebooks"), ("99", "There is no sheet '99'")):
        with pytest.raises(GradingError, match=sentence):
            collect(folder / "Ben", sheet, one=True)
    with pytest.raises(GradingError, match="cannot be opened"):
        collect(folder / "nobody", "02", one=True)


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
        (lambda place: None, r"cannot be opened \(.*\); check the path of the folder of submissions"),
        (lambda place: place.mkdir(), "contains no notebooks; choose the folder that holds the"),
        (lambda place: (place / "bea").mkdir(parents=True), "contains no notebooks"),
        (lambda place: place.write_text(""), r"is not a notebook; choose a notebook \(.ipynb\) or the folder"),
    ],
)
def test_nothing_to_grade(tmp_path, make, sentence):
    make(tmp_path / "given")
    for sheet in ("02", None):
        with pytest.raises(GradingError, match=sentence):
            collect(tmp_path / "given", sheet)


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
    assert class_["away"].problem.startswith("away is a link, and links are not followed; hand in")
    assert class_["away"].log == ("away is a link, and links are not followed.",)
    assert sorted(class_["inner"].log) == [f"{name} is a link, and links are not followed." for name in ("out", "up")]
    with pytest.raises(NotANotebook, match="links are not followed"):
        read(folder / "away" / "secret.ipynb", folder)


@pytest.mark.skipif(sys.platform != "linux", reason="other file systems refuse such names")
def test_hostile_names_are_names(folder):
    names = ["=cmd|' calc'!A1", "-rf", "\u202egnp", "a\nb", "\x1b[31m", "x" * 240, "学习 者", "'; --", "<b>", "%s{0}"]
    names.append(os.fsdecode(b"\xff\xfe"))  # not text in any encoding
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
    assert submission.log[0] == "Only the first 150 files were searched."
    assert submission.log[1] == f"Of 150 notebooks, only the newest {limits.LEARNER_NOTEBOOKS} were opened."
    assert submission.log[2].endswith(f"and {limits.LEARNER_NOTEBOOKS - 6} more.")


def test_the_folder_above_a_class_is_not_taken_for_one_learner(folder):
    for name in ("Ada", "Ben"):
        hand_in(folder / "submissions" / name / "sheet.ipynb")
    assert list(found(folder)) == ["submissions"]  # could be two attempts
    hand_in(folder / "submissions" / "Cem" / "sheet.ipynb")
    with pytest.raises(GradingError, match=r"notebooks in 3 folders.*grade .*submissions\. .*grade .*submissions with --one"):
        collect(folder, None)
    hand_in(folder / "submissions" / "sheet.ipynb")
    assert list(found(folder)) == ["submissions"]
