"""``transformer-course grade`` as a teacher sees it, with everything that a class may hand in."""

import io
import json
import os
from pathlib import Path

import pytest
from command_line import said
from grading_a_class import ATTEND, ONE_WAY, SHAPES, SHEET, SPREAD, UNSCALED, VERDICT, page, table
from reporting import POINTS, learner
from reporting import graded as result_of
from rich.console import Console
from submissions import hand_in, notebook

from transformer_course.app.commands.grade_results import results
from transformer_course.exercises.exercise import Verdict
from transformer_course.grading.assignment import Assignment

pytestmark = pytest.mark.usefixtures("needs_sandbox")
LOST = "an answer was missing or timed out (an empty cell, a typo, a renamed variable, an endless loop?)"


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Path:
    """Grade one class with every kind of bad submission, and good ones among them."""
    folder, out = tmp_path_factory.mktemp("handed in"), tmp_path_factory.mktemp("results") / "out"
    solved = notebook(SHEET)
    hand_in(folder / "Ada.ipynb", solved)
    hand_in(folder / "wrong.ipynb", notebook(SHEET, {ATTEND: UNSCALED}))
    hand_in(folder / "renamed.ipynb", notebook(SHEET, {ATTEND: "def my_attention(query, key, value): return value"}))
    hand_in(folder / "both.ipynb", notebook(SHEET, {ATTEND: "!ls\ndef my_attention(query, key, value): return value"}))
    hand_in(folder / "ended.ipynb", notebook(SHEET, {SPREAD: "import os\nos._exit(1)\nspread = [6, 3]"}))
    hand_in(folder / "deleted.ipynb", notebook(SHEET, {SPREAD: None}))
    hand_in(folder / "syntax.ipynb", notebook(SHEET, {ATTEND: "def scaled_dot_product(query key):\n    return 1"}))
    hand_in(folder / "stray.ipynb", notebook(SHEET, {ATTEND: f"haed\n{UNSCALED}"}))
    hand_in(folder / "packed.ipynb", notebook(SHEET, {ATTEND: f"import pandas\n{UNSCALED}"}))
    hand_in(folder / "quits.ipynb", notebook(SHEET, first=["quit()", "exit"]))
    magics = "%pip install numpy\n!ls /\n%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()"
    hand_in(folder / "magics.ipynb", notebook(SHEET, first=[magics, "files = !ls", "%%bash\nls"]))
    hand_in(folder / "asks.ipynb", notebook(SHEET, first=["name = input('Your name? ')"]))
    hand_in(folder / "awaits.ipynb", notebook(SHEET, first=["import asyncio\nawait asyncio.sleep(0.01)\nok = 1"]))
    hand_in(folder / "windows.ipynb", json.dumps(solved, indent=1).replace("\\n", "\\r\\n").replace("\n", "\r\n"))
    hand_in(folder / "张 伟 (2).ipynb", solved)
    hand_in(folder / "blank.ipynb", notebook(SHEET, {SPREAD: "spread = ..."}))
    hand_in(folder / "text.ipynb", "This is my homework.")
    hand_in(folder / "cut.ipynb", json.dumps(solved)[:5000])
    hand_in(folder / "other.ipynb", notebook("02"))
    with open(folder / "huge.ipynb", "wb") as file:
        file.truncate(200 * 2**20)
    (folder / "link.ipynb").symlink_to(hand_in(tmp_path_factory.mktemp("elsewhere") / "x.ipynb", solved))
    os.mkfifo(folder / "pipe.ipynb")
    hand_in(folder / "Zack.zip", "an archive")
    hand_in(folder / "notes.docx", "mine")
    hand_in(folder / "Bo" / "first try.ipynb", notebook(SHEET, {ATTEND: UNSCALED}))
    os.utime(folder / "Bo" / "first try.ipynb", (1_000_000_000, 1_000_000_000))
    hand_in(folder / "Bo" / "second try.ipynb", solved)
    output = said("grade", str(folder), "--out", str(out), status=1)
    why = "no mark (grading.log says why): cut, huge, link, other, pipe, text, Zack"
    assert f"sheet {SHEET}: marks for 17 of 24 learners\n{why}\n" in output
    assert "several attempts, of which the newest was graded: Bo\n" in output
    assert f"\n{LOST}: blank, both, deleted, ended, packed, renamed, stray, syntax\n" in output
    assert "not a notebook, so not graded: notes.docx\n" in output
    files = ["grades.csv", "feedback", "summary.html", "grading.log"]
    assert [line.split(": ")[1] for line in output.splitlines()[-4:]] == [str(out / name) for name in files]
    return out


@pytest.mark.parametrize("learner", ["Ada", "magics", "asks", "quits", "awaits", "windows", "张 伟 (2)", "Bo"])
def test_full_marks(graded, learner):
    row = table(graded)[learner]
    assert (row["total"], row["out of"], row["remark"]) == ("5", "5", "")


@pytest.mark.parametrize(
    ("learner", "exercise", "sentence"),
    [
        ("wrong", ATTEND, "divid"),
        ("renamed", ATTEND, "<code>scaled_dot_product</code> did not exist. Did you rename it"),
        ("both", ATTEND, "<code>scaled_dot_product</code> did not exist. Did you rename it"),  # a remark is not a failure
        ("ended", SPREAD, "<code>spread</code> did not exist, because its cell stopped the run: it ended its own process"),
        ("packed", ATTEND, "because its cell raised ModuleNotFoundError: No module named 'pandas'</p>"),
        (
            "packed",
            ATTEND,
            "Hint: Remove anything the sheet does not need. During grading there are only the course",
        ),
        ("deleted", SPREAD, "<code>spread</code> did not exist. Did you rename it, or delete its cell?"),
        ("syntax", ATTEND, "<code>scaled_dot_product</code> did not exist, because its cell raised SyntaxError: "),
        (
            "syntax",
            ATTEND,
            "Hint: Python does not run any part of a cell that has a syntax error, so there was nothing to grade. To see what "
            "your teacher sees, choose Kernel → Restart Kernel and Run All Cells.",
        ),
        ("stray", ATTEND, "because its cell raised NameError: name 'haed' is not defined</p>"),
        ("stray", ATTEND, "<p>Hint: To see what your teacher sees, choose Kernel"),
    ],
)
def test_one_question_is_lost_and_the_page_says_why(graded, learner, exercise, sentence):
    row = table(graded)[learner]
    assert {name for name in (SHAPES, ATTEND, SPREAD, ONE_WAY, VERDICT) if row[name] != "1"} == {exercise}
    assert (row[exercise], row["total"]) == ("0", "4")
    assert sentence in page(graded, learner)


@pytest.mark.parametrize(
    ("learner", "sentence"),
    [
        ("syntax", "raised SyntaxError"),
        ("quits", "<code>quit()</code> and <code>exit()</code> were ignored"),
        ("magics", "was not run: during grading, code cannot start programs or install packages"),
        ("asks", "nobody can answer <code>input()</code> during grading"),
    ],
)
def test_a_remark_on_the_run(graded, learner, sentence):
    assert sentence in page(graded, learner)


@pytest.mark.parametrize(
    ("learner", "sentence"),
    [
        ("text", "it is not JSON"),
        ("cut", "incomplete or damaged"),
        ("other", "sheet 02, but sheet 03 is being graded"),
        ("huge", "larger than 20 MB"),
        ("link", "links are not followed"),
        ("pipe", "not a file"),
        ("Zack", "Zack.zip is an archive, and was not opened"),
    ],
)
def test_no_mark_where_nothing_can_be_graded(graded, learner, sentence):
    row = table(graded)[learner]
    assert [row[name] for name in (SHAPES, ATTEND, SPREAD, ONE_WAY, VERDICT, "total", "percent")] == [""] * 7
    assert sentence in row["remark"]
    assert sentence in page(graded, learner)


def test_the_newest_attempt_counts_and_the_log_says_so(graded):
    assert "Bo/second try.ipynb was chosen as the newest of 2" in (graded / "grading.log").read_text(encoding="utf-8")


def test_status_for_classrooms_that_grade_by_ci(tmp_path):
    file = hand_in(tmp_path / "mine.ipynb", notebook(SHEET, {ATTEND: UNSCALED}))
    said("grade", str(file), "--out", str(tmp_path / "out"), "--fail-under", "80")
    below = said("grade", str(file), "--out", str(tmp_path / "out"), "--resume", "--fail-under", "81", status=3)
    assert "below 81%: mine" in below
    result = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    assert (result["score"], [test["score"] for test in result["tests"]]) == (4, [1, 0, 1, 1, 1])


def test_the_terminal_names_those_whose_results_a_teacher_should_look_at(tmp_path):
    folder = tmp_path / "in"
    hand_in(folder / "ada" / "02.ipynb", notebook("02"))
    hand_in(folder / "ada" / "03.ipynb", notebook(SHEET, first=["!ls"]))
    hand_in(folder / "ben" / "03.ipynb", notebook(SHEET, first=["1 / 0"]))
    for number in (9, 10):
        os.utime(hand_in(folder / "lena" / f"attempt {number}.ipynb", notebook(SHEET)), (10**9, 10**9))
    hand_in(folder / "max" / "03.ipynb", notebook(SHEET))
    hand_in(folder / "max" / "damaged.ipynb", "{")
    output = said("grade", str(folder), "--out", str(tmp_path / "out"), "--sheet", SHEET)
    several = "several attempts with the same time; the last in name order was graded"
    same = "identical notebooks, byte for byte (grading.log lists the groups): lena, max"
    assert f"\n{several}: lena\n{same}\nsee grading.log about: ben, lena, max\n" in output
    assert table(tmp_path / "out")["lena"]["changed"].startswith("2001-09-0")
    log = (tmp_path / "out" / "grading.log").read_text(encoding="utf-8").splitlines()
    assert log[-1] == "Other notebooks were skipped: 1 for sheet 02."


def test_an_empty_sheet_and_a_cell_that_was_stopped_are_named():
    reasons = ("empty", "missing", "timeout", "value")
    graded_class = [(learner(reason), result_of(Verdict(False, reason, "Not so."))) for reason in reasons]
    assignment = Assignment("02", graded_class, POINTS, 0, 0, [], [], [], [], [])
    output = io.StringIO()
    results(Console(file=output, soft_wrap=True), assignment, [], of_a_class=True)
    assert f"\n{LOST}: empty, missing, timeout\n" in output.getvalue()


def test_one_learners_folder_always_has_a_result_for_gradescope(tmp_path):
    several, nothing = tmp_path / "Nia Twice", tmp_path / "submission"
    for name in ("sheet.ipynb", "sheet (1).ipynb", "in/sheet.ipynb"):
        hand_in(several / name, notebook(SHEET))
    output = said("grade", str(several), "--out", str(tmp_path / "out"), "--one", "--sheet", SHEET)
    assert "marks for 1 of 1 learners\n" in output
    assert "unlikely names for learners" not in output
    assert table(tmp_path / "out").keys() == {"Nia Twice"}
    assert json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))["score"] == 5
    hand_in(nothing / "sheet.pdf", "no notebook")
    said("grade", str(nothing), "--out", str(tmp_path / "none"), "--one", "--sheet", SHEET, status=1)
    result = json.loads((tmp_path / "none" / "results.json").read_text(encoding="utf-8"))
    assert "score" not in result
    assert "No notebook was found in your folder, only sheet.pdf; hand in the notebook for sheet 03." in result["output"]
    assert table(tmp_path / "none").keys() == {"submission"}
    with_class = ("grade", str(several), "--out", str(tmp_path / "class"), "--one", "--resume")
    for name in ("ada", "ben"):
        hand_in(tmp_path / "class" / "results" / f"{name}.json", "{}")
    assert f"holds the results of a class, but {several} is one learner's" in said(*with_class, status=1)


def test_a_folder_whose_learners_are_called_as_the_courses_files_is_asked_about(tmp_path):
    name = "03_sheet_queries_keys_values"
    for file in ("exercises/a.ipynb", f"{name}.ipynb", "ada/a.ipynb", "docs and I/a.ipynb"):
        hand_in(tmp_path / "in" / file, notebook(SHEET))
    asked = "unlikely names for learners (give the folder of the whole class, or add --one for one learner's folder): "
    assert f"{asked}{name}, exercises\n" in said("grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"))
    single = tmp_path / "in" / f"{name}.ipynb"
    assert asked not in said("grade", str(single), "--out", str(tmp_path / "single"))
