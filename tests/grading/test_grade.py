"""``transformer-course grade`` as a teacher sees it, with everything that a class may hand in."""

import io
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from command_line import said
from grading_a_class import ATTEND, ONE_WAY, SHAPES, SHEET, SPREAD, UNSCALED, VERDICT, grade_in, table
from reporting import Page, learner, run_of
from reporting import graded as result_of
from rich.console import Console
from submissions import hand_in, notebook

from transformer_course.app.commands.grade_results import print_results
from transformer_course.exercises.exercise import Verdict
from transformer_course.grading.grade_class import GradedClass

pytestmark = pytest.mark.usefixtures("warm_sandbox")
LOST = {"wrong": ATTEND, "renamed": ATTEND, "both": ATTEND, "ended": SPREAD, "packed": ATTEND, "deleted": SPREAD}
LOST |= {"syntax": ATTEND, "stray": ATTEND, "blank": SPREAD}
UNREADABLE = ("text", "cut", "other", "huge", "link", "pipe", "Zack")


@dataclass
class Class:
    out: Path
    output: str  # of the command

    def result(self, learner: str) -> dict:
        return json.loads((self.out / "results" / f"{learner}.json").read_text(encoding="utf-8"))

    def page(self, learner: str) -> str:
        return " ".join(Page(self.out / "feedback" / f"{learner}.html").text.split())


@pytest.fixture(scope="module")
def graded(needs_sandbox, tmp_path_factory) -> Class:
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
    with pytest.MonkeyPatch.context() as patch:
        grade_in(needs_sandbox, patch)
        output = said("grade", str(folder), "--out", str(out), status=1)
    return Class(out, output.replace(str(out), "out").strip())


def test_what_the_command_says(graded, snapshot):
    assert graded.output == snapshot


def test_who_is_graded(graded):
    marks = {learner: (row["total"], row["out of"], row["remark"]) for learner, row in table(graded.out).items()}
    right = ["Ada", "magics", "asks", "quits", "awaits", "windows", "张 伟 (2)", "Bo"]
    assert {learner: marks[learner] for learner in right} == dict.fromkeys(right, ("5", "5", ""))
    assert {learner for learner, (total, _, _) in marks.items() if not total} == set(UNREADABLE)


def test_one_question_is_lost_and_the_learner_reads_why(graded, snapshot):
    lost, read = {}, {}
    for name, exercise in LOST.items():
        row = table(graded.out)[name]
        lost[name] = [each for each in (SHAPES, ATTEND, SPREAD, ONE_WAY, VERDICT) if row[each] != "1"]
        assert (row[exercise], row["total"]) == ("0", "4")
        (read[name],) = (test["output"] for test in graded.result(name)["tests"] if test["status"] == "failed")
        assert not [
            line for line in read[name].splitlines() if " ".join(line.replace("`", "").split()) not in graded.page(name)
        ]
    assert lost == {name: [exercise] for name, exercise in LOST.items()}
    assert read | {"syntax": in_any_python(read["syntax"])} == snapshot


def test_the_remarks_on_a_run(graded, snapshot):
    read = {name: graded.result(name)["output"] for name in ("syntax", "quits", "magics", "asks")}
    for name, text in read.items():
        assert not [line for line in text.splitlines()[1:] if " ".join(line.replace("`", "").split()) not in graded.page(name)]
    assert read | {"syntax": in_any_python(read["syntax"])} == snapshot


def in_any_python(text: str) -> str:
    return re.sub(r"(?<=SyntaxError: ).*(?= \(line)", "…", text)


def test_no_mark_where_nothing_can_be_graded(graded, snapshot):
    rows = {name: table(graded.out)[name] for name in UNREADABLE}
    for name, row in rows.items():
        assert [row[each] for each in (SHAPES, ATTEND, SPREAD, ONE_WAY, VERDICT, "total", "percent")] == [""] * 7
        assert row["remark"] in graded.page(name)
    assert {name: row["remark"] for name, row in rows.items()} == snapshot


def test_the_newest_attempt_counts_and_the_log_says_so(graded):
    assert "Bo/second try.ipynb was chosen as the newest of 2" in (graded.out / "grading.log").read_text(encoding="utf-8")


def test_status_for_classrooms_that_grade_by_ci(tmp_path):
    file = hand_in(tmp_path / "mine.ipynb", notebook(SHEET, {ATTEND: UNSCALED}))
    said("grade", str(file), "--out", str(tmp_path / "out"), "--fail-under", "80")
    below = said("grade", str(file), "--out", str(tmp_path / "out"), "--resume", "--fail-under", "81", status=3)
    assert "below 81%: mine" in below
    result = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    assert (result["score"], [test["score"] for test in result["tests"]]) == (4, [1, 1, 1, 0, 1])


def test_the_terminal_names_those_whose_results_a_teacher_should_look_at(tmp_path, snapshot):
    folder = tmp_path / "in"
    hand_in(folder / "ada" / "02.ipynb", notebook("02"))
    hand_in(folder / "ada" / "03.ipynb", notebook(SHEET, first=["!ls"]))
    hand_in(folder / "ben" / "03.ipynb", notebook(SHEET, first=["1 / 0"]))
    for number in (9, 10):
        os.utime(hand_in(folder / "lena" / f"attempt {number}.ipynb", notebook(SHEET)), (10**9, 10**9))
    hand_in(folder / "max" / "03.ipynb", notebook(SHEET))
    hand_in(folder / "max" / "damaged.ipynb", "{")
    output = said("grade", str(folder), "--out", str(tmp_path / "out"), "--sheet", SHEET)
    assert output.replace(str(tmp_path), "").strip() == snapshot
    assert table(tmp_path / "out")["lena"]["changed"].startswith("2001-09-0")
    assert (tmp_path / "out" / "grading.log").read_text(encoding="utf-8").strip() == snapshot(name="log")


def test_an_empty_sheet_and_a_cell_that_was_stopped_are_named(snapshot):
    reasons = ("empty", "missing", "timeout", "value")
    given = [(learner(reason), result_of(Verdict(False, reason, "Not so."))) for reason in reasons]
    graded_class = GradedClass(run_of(given), given)
    output = io.StringIO()
    print_results(Console(file=output, soft_wrap=True), graded_class, [], of_a_class=True)
    assert output.getvalue().strip() == snapshot


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
    assert "No notebook was handed in, only sheet.pdf; hand in the notebook for sheet 03." in result["output"]
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
