"""Each learner gets one submission, or a sentence that says why there is none."""

import os
from hashlib import sha256

import pytest
from collecting import SHEETS, found, hand_in, notebook

from transformer_course.grading.errors import GradingError
from transformer_course.grading.submissions.collect import collect


def test_a_notebook_for_each_learner_or_a_folder_for_each(folder):
    flat = hand_in(folder / "Bea.ipynb")
    nbgrader = hand_in(folder / "anna" / "sheet 02" / "02_self_attention_by_hand.ipynb")
    moodle = hand_in(folder / "王 小明_123_assignsubmission_file" / "my answer.IPYNB")
    (folder / "timestamps.txt").write_text("no submission")
    hand_in(folder / "__MACOSX" / "anna" / "02.ipynb")
    sheet, submissions, _ = collect(folder, None)
    assert sheet == "02"
    assert [s.name for s in submissions] == [file.relative_to(folder).as_posix() for file in (nbgrader, flat, moodle)]
    assert [(s.learner, s.file) for s in submissions] == [("anna", nbgrader), ("Bea", flat), ("王 小明", moodle)]
    assert [s.participant for s in submissions] == ["", "", "123"]
    assert {(s.problem, *s.log) for s in submissions} == {("",)}
    assert {s.digest for s in submissions} == {sha256(SHEETS["02"].read_bytes()).hexdigest()}


def test_what_moodle_calls_a_learner_in_different_ways_is_one_learner(folder):
    hand_in(folder / "Anna Lee_11_assignsubmission_file_" / "sheet.ipynb")
    (folder / "Anna Lee_11_assignsubmission_onlinetext_").mkdir()
    hand_in(folder / "Anna Lee_12_assignsubmission_file_02_sheet.ipynb")  # somebody else with the same name, without a folder
    hand_in(folder / "Bo_x_y_13_assignsubmission_file_02_sheet.ipynb")
    (folder / "Cy_14_assignsubmission_file_work.zip").write_text("")
    (folder / "Bo_x_y_13_assignsubmission_onlinetext_onlinetext.html").write_text("")
    (folder / "Di_15_assignsubmission_file_sheet.py").write_text("")
    _, submissions, others = collect(folder, "02")
    assert [(each.learner, each.participant, each.file is not None) for each in submissions] == [
        ("Anna Lee (11)", "11", True),
        ("Anna Lee (12)", "12", True),
        ("Bo_x_y", "13", True),
        ("Cy", "14", False),
        ("Di", "15", False),
    ]
    assert others == []


def test_what_a_teacher_adds_under_a_learners_name_is_the_learners_and_nobody_can_take_a_name_with_a_number(folder):
    for number in (11, 12):
        hand_in(folder / f"Anna Lee_{number}_assignsubmission_file_" / "sheet.ipynb", when=100)
    hand_in(folder / "Anna Lee (11)_13_assignsubmission_file_" / "sheet.ipynb", when=300)
    (folder / "Anna Lee (12)_14_assignsubmission_file_work.zip").write_text("")
    hand_in(folder / "Bo_15_assignsubmission_file_" / "sheet.ipynb", when=100)
    hand_in(folder / "Anna Lee (12).ipynb", when=200)
    hand_in(folder / "Bo" / "by mail.ipynb", when=200)
    assert {each.learner: (each.participant, each.name) for each in found(folder).values()} == {
        "Anna Lee (11)": ("11", "Anna Lee_11_assignsubmission_file_/sheet.ipynb"),
        "Anna Lee (11) (13)": ("13", "Anna Lee (11)_13_assignsubmission_file_/sheet.ipynb"),
        "Anna Lee (12)": ("12", "Anna Lee (12).ipynb"),
        "Anna Lee (12) (14)": ("14", ""),
        "Bo": ("15", "Bo/by mail.ipynb"),
    }


def test_the_newest_attempt_at_the_sheet_counts_and_the_log_says_so(folder):
    hand_in(folder / "anna" / "1" / "old.ipynb", when=100)
    newest = hand_in(folder / "anna" / "2" / "new.ipynb", when=300)
    hand_in(folder / "anna" / "3" / "other.ipynb", "03", when=400)
    hand_in(folder / "anna.ipynb", when=200)  # next to her folder
    (folder / "anna" / "cut.ipynb").write_text("{")
    hand_in(folder / "anna" / ".ipynb_checkpoints" / "new-checkpoint.ipynb", when=900)
    hand_in(folder / "anna" / ".hidden.ipynb", when=900)
    submission = found(folder)["anna"]
    assert submission.file == newest
    chosen, unread = submission.log
    assert chosen == "anna/2/new.ipynb was chosen as the newest of 3; skipped: anna.ipynb, anna/1/old.ipynb."
    assert (submission.other_sheets, submission.changed, submission.tied, submission.needs_review) == (
        ["03"],
        300,
        False,
        True,
    )
    assert unread.startswith("anna/cut.ipynb was skipped: The notebook arrived incomplete or damaged")


def test_a_browsers_second_copy_comes_after_the_first_with_the_same_time(folder):
    for name in ("sheet (1).ipynb", "sheet.ipynb"):
        hand_in(folder / "dora" / name, when=200)
    assert found(folder)["dora"].file.name == "sheet (1).ipynb"


def test_attempt_10_comes_after_attempt_9_and_the_log_says_what_decided(folder):
    for number in (1, 9, 10):
        hand_in(folder / "lena" / f"attempt {number}.ipynb", when=200)
    hand_in(folder / "lena" / "attempt 11.ipynb", when=100)
    hand_in(folder / "max" / "attempt 9.ipynb", when=200)
    hand_in(folder / "max" / "attempt 10.ipynb", when=100)
    hand_in(folder / "max" / "other.ipynb", "03", when=200)
    lena, max_ = found(folder).values()
    assert (lena.file.name, lena.changed, lena.tied, lena.needs_review) == ("attempt 10.ipynb", 200, True, True)
    assert lena.log == (
        "lena/attempt 10.ipynb was chosen as the last in name order of the 3 that were changed at the same time; skipped: "
        "lena/attempt 9.ipynb, lena/attempt 1.ipynb, lena/attempt 11.ipynb.",
    )
    assert (max_.file.name, max_.tied, max_.needs_review) == ("attempt 9.ipynb", False, False)
    assert max_.log == ("max/attempt 9.ipynb was chosen as the newest of 2; skipped: max/attempt 10.ipynb.",)


def test_who_handed_in_nothing_but_damaged_files_reads_which(folder):
    hand_in(folder / "jan" / "02.ipynb", "03")
    (folder / "jan" / "03.ipynb").write_text("")
    (folder / "jan" / "cut.ipynb").write_text("{")
    jan = found(folder)["jan"]
    assert "jan/03.ipynb: The file is empty; save your notebook in JupyterLab, and hand it in again." in jan.problem
    assert "jan/cut.ipynb: The notebook arrived incomplete" in jan.problem
    assert jan.log == ()  # the remark says it already
    assert jan.needs_review


def test_the_sheet_is_the_one_that_most_learners_handed_in(folder):
    for name, sheet in (("anna", "04"), ("bea", "04"), ("chen", "03")):
        hand_in(folder / name / "x.ipynb", sheet)
    for attempt in range(5):
        hand_in(folder / "chen" / f"{attempt}.ipynb", "03")
    sheet, submissions, _ = collect(folder, None)
    assert sheet == "04"
    assert submissions[2].problem == (
        "This notebook is sheet 03, but sheet 04 is being graded; hand in the notebook for sheet 04."
    )
    hand_in(folder / "dana.ipynb", "03")
    assert collect(folder, None)[0] == "03"  # as many of each, so the lower number


def test_without_metadata_the_checks_tell_the_sheet(folder):
    code = ["softmax = 3", "check('attention.softmax', softmax)\ncheck( \"attention.by_hand\", x)", 'check("heads.sizes", 1)']
    (folder / "anna.ipynb").write_text(notebook(*code))
    (folder / "bea.ipynb").write_text(notebook('check("attention.softmax", 1)', exercise="heads.sizes"))
    class_ = found(folder, None)
    assert class_["anna"].problem == ""
    assert "is sheet 05" in class_["bea"].problem  # metadata take precedence


def test_a_folder_without_a_notebook_and_a_notebook_without_an_exercise(folder):
    hand_in(folder / "anna.ipynb")
    (folder / "bea").mkdir()
    (folder / "chen.ipynb").write_text(notebook("x = 1"))
    class_ = found(folder)
    assert class_["bea"].problem == "No notebook was handed in; hand in the notebook for sheet 02."
    assert class_["chen"].problem.startswith("The notebook contains none of the course's exercises; hand in the sheet")


def test_names_are_sorted_as_letters_and_not_as_codes(folder):
    for name in ("Zoe", "Åke", "ann", "Emil", "Éva"):
        hand_in(folder / f"{name}.ipynb")
    assert [*found(folder)] == ["Åke", "ann", "Emil", "Éva", "Zoe"]


def test_a_sheet_that_cannot_be_told_or_is_not_there(folder):
    (folder / "anna.ipynb").write_text("{")
    with pytest.raises(
        GradingError,
        match=r"with --sheet 03\. The problem with the first notebook: anna\.ipynb: The notebook arrived incomplete",
    ):
        collect(folder, None)
    with pytest.raises(GradingError, match=r"There is no sheet '2'; the course has 00, 01, 02"):
        collect(folder, "2")


def test_a_path_too_long_for_the_system_costs_its_owner_alone(folder):
    """Zip files can hold such paths, and some programs unpack them folder by folder."""
    hand_in(folder / "anna.ipynb")
    here, length = os.open(folder, os.O_RDONLY), len(str(folder))
    filler = "f" * (1 + (4000 - length - len("/max//")) % 251)  # so that one of the folders has a path of 4000 characters
    for name in ["max", filler, *["a" * 250] * (4096 // 250 + 1)]:
        os.mkdir(name, dir_fd=here)
        here, outer = os.open(name, os.O_RDONLY, dir_fd=here), here
        os.close(outer)
        length += len(name) + 1
        if length + 250 > 4096:
            os.close(os.open("b" * 243 + ".ipynb", os.O_CREAT, dir_fd=here))
    os.close(here)
    anna, max_ = found(folder).values()
    assert anna.file
    assert max_.file is None
    assert "cannot be opened (File name too long); ask your teacher" in max_.problem
    assert "cannot be opened (File name too long)." in "".join(max_.log)
