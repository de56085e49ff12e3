"""``transformer-course grade`` from the outside: a class with all that a class hands in."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from command_line import said
from submissions import hand_in, notebook

from transformer_course.exercises.catalogue import catalogue
from transformer_course.grading import assignment
from transformer_course.grading.graded import Graded
from transformer_course.grading.judging import local_pool
from transformer_course.grading.judging.judge import Patience, grade
from transformer_course.grading.sandbox import bubblewrap, syscalls
from transformer_course.grading.sandbox.supervisor import Sandbox
from transformer_course.grading.submissions.notebook_file import Cell

SHEET = "03"
SHAPES, ATTEND, SPREAD, ONE_WAY, VERDICT = (
    "attention.shapes",
    "attention.scaled_dot_product",
    "attention.score_spread",
    "attention.one_way",
    "attention.saturated",
)
pytestmark = pytest.mark.usefixtures("locks")


def table(out: Path) -> dict[str, dict[str, str]]:
    with open(out / "grades.csv", encoding="utf-8-sig", newline="") as file:
        return {row["learner"]: row for row in csv.DictReader(file)}


def page(out: Path, learner: str) -> str:
    return re.sub(r"\s+", " ", (out / "feedback" / f"{learner}.html").read_text(encoding="utf-8"))


TYPED = """
def scaled_dot_product(query, key, value):
    import numpy as np
    scores = query @ key.swapaxes(-2, -1)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ value
"""  # no division by √d_k


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Path:
    """One class with every kind of bad input, and good ones among them."""
    folder, out = tmp_path_factory.mktemp("handed in"), tmp_path_factory.mktemp("results") / "out"
    solved = notebook(SHEET)
    hand_in(folder / "Ada.ipynb", solved)
    hand_in(folder / "wrong.ipynb", notebook(SHEET, {ATTEND: TYPED}))
    hand_in(folder / "renamed.ipynb", notebook(SHEET, {ATTEND: "def my_attention(query, key, value): return value"}))
    hand_in(folder / "both.ipynb", notebook(SHEET, {ATTEND: "!ls\ndef my_attention(query, key, value): return value"}))
    hand_in(folder / "ended.ipynb", notebook(SHEET, {SPREAD: "import os\nos._exit(1)\nspread = [6, 3]"}))
    hand_in(folder / "deleted.ipynb", notebook(SHEET, {SPREAD: None}))
    hand_in(folder / "syntax.ipynb", notebook(SHEET, {ATTEND: "def scaled_dot_product(query key):\n    return 1"}))
    hand_in(folder / "packed.ipynb", notebook(SHEET, {ATTEND: f"import pandas\n{TYPED}"}))
    hand_in(folder / "quits.ipynb", notebook(SHEET, first=["quit()", "exit"]))
    magics = "%pip install numpy\n!ls /\n%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()"
    hand_in(folder / "magics.ipynb", notebook(SHEET, first=[magics, "files = !ls", "%%bash\nls"]))
    hand_in(folder / "asks.ipynb", notebook(SHEET, first=["name = input('Your name? ')"]))
    hand_in(folder / "awaits.ipynb", notebook(SHEET, first=["import asyncio\nawait asyncio.sleep(0.01)\nok = 1"]))
    hand_in(folder / "windows.ipynb", json.dumps(solved, indent=1).replace("\\n", "\\r\\n").replace("\n", "\r\n"))
    hand_in(folder / "张 伟 (2).ipynb", solved)
    hand_in(folder / "text.ipynb", "This is my homework.")
    hand_in(folder / "cut.ipynb", json.dumps(solved)[:5000])
    hand_in(folder / "other.ipynb", notebook("02"))
    with open(folder / "huge.ipynb", "wb") as file:
        file.truncate(200 * 2**20)
    (folder / "link.ipynb").symlink_to(hand_in(tmp_path_factory.mktemp("elsewhere") / "x.ipynb", solved))
    os.mkfifo(folder / "pipe.ipynb")
    hand_in(folder / "Zack.zip", "an archive")
    hand_in(folder / "notes.docx", "mine")
    hand_in(folder / "Bo" / "first try.ipynb", notebook(SHEET, {ATTEND: TYPED}))
    os.utime(folder / "Bo" / "first try.ipynb", (1_000_000_000, 1_000_000_000))
    hand_in(folder / "Bo" / "second try.ipynb", solved)
    output = said("grade", str(folder), "--out", str(out), status=1)
    assert f"sheet {SHEET}: marks for 15 of 22 submissions\nno mark: cut, huge, link, other, pipe, text, Zack\n" in output
    assert "several attempts, of which the newest was graded: Bo\n" in output
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
        ("renamed", ATTEND, "there was no <code>scaled_dot_product</code>. Was it renamed"),
        ("both", ATTEND, "there was no <code>scaled_dot_product</code>. Was it renamed"),  # a remark is no failure
        ("ended", SPREAD, "there was no <code>spread</code>, since its own cell ended the run: the process"),
        ("packed", ATTEND, "since its own cell raised ModuleNotFoundError: No module named 'pandas'</p>"),
        ("packed", ATTEND, "Try: Leave out what the sheet does not need: while it is graded there are no packages but the"),
        ("deleted", SPREAD, "there was no <code>spread</code>. Was it renamed, or its cell deleted?"),
        ("syntax", ATTEND, "there was no <code>scaled_dot_product</code>, since its own cell raised SyntaxError: "),
        ("syntax", ATTEND, "Try: Kernel → Restart Kernel and Run All Cells shows what your teacher gets."),
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
        ("quits", "<code>quit()</code> and <code>exit()</code> were not run"),
        ("magics", "was not run: grading starts no other program, and installs nothing"),
        ("asks", "nobody is there to answer <code>input()</code> while a notebook is graded"),
    ],
)
def test_a_remark_on_the_run(graded, learner, sentence):
    assert sentence in page(graded, learner)


@pytest.mark.parametrize(
    ("learner", "sentence"),
    [
        ("text", "it is not JSON"),
        ("cut", "cut off or damaged"),
        ("other", "sheet 02, and sheet 03 is graded here"),
        ("huge", "more than 20 MB"),
        ("link", "links are not followed"),
        ("pipe", "not a file"),
        ("Zack", "Zack.zip is an archive; unpack it"),
    ],
)
def test_no_mark_where_nothing_can_be_graded(graded, learner, sentence):
    row = table(graded)[learner]
    assert [row[name] for name in (SHAPES, ATTEND, SPREAD, ONE_WAY, VERDICT, "total", "percent")] == [""] * 7
    assert sentence in row["remark"]
    assert sentence in page(graded, learner)


def test_the_newest_attempt_counts_and_the_log_says_so(graded):
    assert "Bo/second try.ipynb was taken, the newest of 2" in (graded / "grading.log").read_text(encoding="utf-8")


def test_status_for_classrooms_that_grade_by_ci(tmp_path):
    file = hand_in(tmp_path / "mine.ipynb", notebook(SHEET, {ATTEND: TYPED}))
    said("grade", str(file), "--out", str(tmp_path / "out"), "--fail-under", "80")
    below = said("grade", str(file), "--out", str(tmp_path / "out"), "--resume", "--fail-under", "81", status=3)
    assert "below 81%: mine" in below
    result = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    assert (result["score"], [test["score"] for test in result["tests"]]) == (4, [1, 0, 1, 1, 1])


def test_points_are_the_teachers_and_count_anew_without_grading_anew(tmp_path, monkeypatch):
    file, out = hand_in(tmp_path / "mine.ipynb", notebook(SHEET, {ATTEND: TYPED})), tmp_path / "out"
    said("grade", str(file), "--out", str(out))
    default = (out / "points.toml").read_text(encoding="utf-8")
    (out / "points.toml").write_text(default.replace(f"{ATTEND} = 1", f"{ATTEND} = 6"), encoding="utf-8")
    monkeypatch.setattr(local_pool, "grade_all", lambda *_, **__: pytest.fail("graded again"))
    monkeypatch.setenv("PATH", str(tmp_path))  # without bubblewrap: counting needs no locks
    assert "marks for 1 of 1 submissions, 1 of them from earlier results" in said(
        "grade", str(file), "--out", str(out), "--resume"
    )
    row = table(out)["mine"]
    assert (row["total"], row["out of"], row["percent"]) == ("4", "10", "40")


def test_a_mark_is_overruled_points_are_remembered_and_who_left_is_moved(tmp_path, monkeypatch):
    folder, out = tmp_path / "in", tmp_path / "out"
    for name, answers in (("quinn", {ATTEND: TYPED}), ("frida", {})):
        hand_in(folder / f"{name}.ipynb", notebook(SHEET, answers))
    said("grade", str(folder), "--out", str(out))
    monkeypatch.setattr(local_pool, "grade_all", lambda *_, **__: pytest.fail("graded again"))
    default = (out / "points.toml").read_bytes()
    mine = hand_in(tmp_path / "mine.toml", default.replace(f"{ATTEND} = 1".encode(), f"{ATTEND} = 6".encode()))
    hand_in(out / "corrections.toml", f'["quinn"]\n"{ATTEND}" = {{points = 7, why = "by word of mouth"}}')
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    again = ("grade", str(folder), "--out", str(out), "--resume")
    assert "should be a number from 0 to 6, and is 7" in " ".join(said(*again, "--points", str(mine), status=1).split())
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    hand_in(out / "corrections.toml", f'["quinn"]\n"{ATTEND}" = {{points = 5, why = "by word of mouth"}}')
    said(*again, "--points", str(mine))
    assert ((out / "points.toml").read_bytes(), (out / "points-before.toml").read_bytes()) == (mine.read_bytes(), default)
    with open(out / "corrections.toml", "a") as file:
        file.write(f'\n["frida"]\n"{ATTEND}" = {{points = 0, why = "copied"}}')
    said(*again)
    assert table(out)["frida"]["total"] == "4"
    moved = (folder / "frida.ipynb").rename(tmp_path / "frida.ipynb")
    for first in (True, False):
        output = said(*again)
        assert "in corrections.toml but not among the submissions, so ignored: frida\n" in output
        assert ("no longer among the submissions, so moved to no-longer-there: frida\n" in output) == first
    assert "frida: nobody in the submissions has this name; what corr" in (out / "grading.log").read_text(encoding="utf-8")
    assert {path.name for path in (out / "no-longer-there").iterdir()} == {"frida.html", "frida.json"}
    moved.rename(folder / "frida.ipynb")
    assert "marks for 2 of 2 submissions, 2 of them from earlier results" in said(*again)
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
    several = "several attempts with the same time, of which the last by name was graded"
    assert f"\n{several}: lena\nsee grading.log: ben, lena, max\n" in output
    assert table(tmp_path / "out")["lena"]["changed"].startswith("2001-09-0")
    log = (tmp_path / "out" / "grading.log").read_text(encoding="utf-8").splitlines()
    assert log[-1] == "Other notebooks, passed over: 1 of sheet 02."


def test_stopping_it_shows_no_traceback(tmp_path):
    """Ctrl+C in a terminal reaches every process of the command's group."""
    file = hand_in(tmp_path / "mine.ipynb", notebook(SHEET, first=["import time", "time.sleep(9)"]))
    command = [sys.executable, "-m", "transformer_course.app.cli", "grade", str(file), "--out", str(tmp_path / "out")]
    listening = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # where tests run in the background, it may be ignored
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, **pipes, process_group=0, preexec_fn=listening) as grader:
        while not list((tmp_path / "out").glob("points.toml")):
            assert grader.poll() is None
            time.sleep(0.05)
        time.sleep(2)  # the process that judges is loading, or at work
        listed = ["ps", "-eo", "pgid=,args="]
        group = [
            line for line in subprocess.check_output(listed, text=True).splitlines() if line.split()[0] == str(grader.pid)
        ]
        assert group
        assert not [line for line in group if "grading.worker" in line]  # it would say where it was
        os.killpg(grader.pid, signal.SIGINT)
        output, _ = grader.communicate()
    assert grader.returncode == 1
    assert "Stopped. The results so far are kept in" in output
    assert "Traceback" not in output


def test_a_file_is_no_folder_for_results_and_a_sheet_may_lose_its_zero(tmp_path):
    file, out = hand_in(tmp_path / "mine.ipynb", notebook(SHEET)), hand_in(tmp_path / "notes.txt", "mine")
    assert "is a file; name a folder" in said("grade", str(file), "--out", str(out), status=1)
    assert out.read_text() == "mine"
    assert "marks for 1 of 1 submissions" in said("grade", str(file), "--out", str(tmp_path / "out"), "--sheet", "3")
    assert "There is no sheet '99'; the course has 00, 01" in said(
        "grade", str(file), "--out", str(tmp_path / "99"), "--sheet", "99", status=1
    )


def test_one_notebook_never_takes_a_classes_place(tmp_path):
    folder, out = tmp_path / "in", tmp_path / "out"
    for name in ("ada", "ben"):
        hand_in(folder / f"{name}.ipynb", notebook(SHEET))
    said("grade", str(folder), "--out", str(out))
    output = said("grade", str(folder / "ada.ipynb"), "--out", str(out), "--resume", status=1)
    assert f"holds the results of a class, and {folder / 'ada.ipynb'} is one learner's" in output
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
    assert f"2 of the 3 learners of {out} are not in {late}, so nothing was changed. For late work or one learner," in output
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    (out / "results").rename(tmp_path / "results")  # as it says
    assert "no longer among the submissions, so moved to no-longer-there: ada, ben\n" in said(*again)
    assert table(out).keys() == {"zoe"}


def test_one_learners_folder_always_has_a_result_for_gradescope(tmp_path):
    several, nothing = tmp_path / "Nia Twice", tmp_path / "submission"
    for name in ("sheet.ipynb", "sheet (1).ipynb", "in/sheet.ipynb"):
        hand_in(several / name, notebook(SHEET))
    output = said("grade", str(several), "--out", str(tmp_path / "out"), "--one", "--sheet", SHEET)
    assert "marks for 1 of 1 submissions\n" in output
    assert "unlikely names for learners" not in output
    assert table(tmp_path / "out").keys() == {"Nia Twice"}
    assert json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))["score"] == 5
    hand_in(nothing / "sheet.pdf", "no notebook")
    said("grade", str(nothing), "--out", str(tmp_path / "none"), "--one", "--sheet", SHEET, status=1)
    result = json.loads((tmp_path / "none" / "results.json").read_text(encoding="utf-8"))
    assert "score" not in result
    assert "No notebook was found in your folder, only sheet.pdf; hand in the notebook of sheet 03." in result["output"]
    assert table(tmp_path / "none").keys() == {"submission"}
    with_class = ("grade", str(several), "--out", str(tmp_path / "class"), "--one", "--resume")
    for name in ("ada", "ben"):
        hand_in(tmp_path / "class" / "results" / f"{name}.json", "{}")
    assert f"holds the results of a class, and {several} is one learner's" in said(*with_class, status=1)


def test_an_answer_whose_cell_ran_too_long_is_told_from_one_that_was_not_there():
    exercise = catalogue()["attention.zero_token"]
    with Sandbox(bubblewrap.Bubble.start()) as sandbox:
        sandbox.ready()
        with sandbox.boss() as boss:
            for ill, reason in (("while True: pass", "timeout"), ("del z_4", "missing")):
                cell = Cell(f"z_4 = [0.5, 0.5]\n{ill}", exercise.id, ())
                assert grade([cell], [exercise], 0, boss, Patience(cell=3)).verdicts[exercise.id].reason == reason


def test_a_folder_whose_learners_are_called_as_the_courses_files_is_asked_about(tmp_path):
    name = "03_sheet_queries_keys_values"
    for file in ("exercises/a.ipynb", f"{name}.ipynb", "ada/a.ipynb", "docs and I/a.ipynb"):
        hand_in(tmp_path / "in" / file, notebook(SHEET))
    asked = "unlikely names for learners (give the folder of the whole class, or add --one for one learner's folder): "
    assert f"{asked}{name}, exercises\n" in said("grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"))
    single = tmp_path / "in" / f"{name}.ipynb"
    assert asked not in said("grade", str(single), "--out", str(tmp_path / "single"))


def test_results_are_never_overwritten_unasked(tmp_path):
    file, out = hand_in(tmp_path / "mine.ipynb", notebook(SHEET)), tmp_path / "out"
    said("grade", str(file), "--out", str(out))
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    result = said("grade", str(file), "--out", str(out), status=1)
    assert "Add --resume" in result
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before
    other = hand_in(tmp_path / "other.ipynb", notebook("02"))
    assert "holds results of sheet 03, and this is sheet 02" in said(
        "grade", str(other), "--out", str(out), "--resume", status=1
    )


def test_resume_grades_what_is_new_or_changed_and_keeps_the_rest(tmp_path, monkeypatch):
    folder, out = tmp_path / "in", tmp_path / "out"
    for name in ("a", "b"):
        hand_in(folder / f"{name}.ipynb", notebook(SHEET))
    said("grade", str(folder), "--out", str(out))
    hand_in(folder / "b.ipynb", notebook(SHEET, {ATTEND: TYPED}))
    hand_in(folder / "c.ipynb", notebook(SHEET))
    asked, real = [], local_pool.grade_all
    monkeypatch.setattr(
        local_pool, "grade_all", lambda todo, *rest, **more: (asked.extend(s.learner for s in todo), real(todo, *rest, **more))
    )
    said("grade", str(folder), "--out", str(out), "--resume")
    assert asked == ["b", "c"]
    assert {name: row["total"] for name, row in table(out).items()} == {"a": "5", "b": "4", "c": "5"}
    monkeypatch.setattr(assignment, "edition", lambda: "another edition of the exercises")
    said("grade", str(folder), "--out", str(out), "--resume")
    assert asked == ["b", "c", "a", "b", "c"]


def test_without_the_locks_nobody_gets_a_mark(tmp_path, monkeypatch):
    """No bubblewrap, one that fails, no libseccomp, a filter that the kernel refuses: each is told, and nothing is run."""
    file = hand_in(tmp_path / "mine.ipynb", notebook(SHEET))
    bin = tmp_path / "bin"
    bin.mkdir()

    def refused(number: int) -> str:
        out = tmp_path / f"out{number}"
        for _ in range(2):  # once more in the same folder: where nothing was graded, there is nothing to go on with
            sentence = " ".join(said("grade", str(file), "--out", str(out), status=1).split())
        assert not (out / "grades.csv").exists()
        assert not (out / "results").exists()
        assert "docs/grading.md says what grading needs" in sentence
        return sentence

    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(bin))
        assert "apt install bubblewrap" in refused(1)
        (bin / "bwrap").write_text("#!/bin/sh\necho bwrap: No permissions to create new namespace >&2; exit 1\n")
        (bin / "bwrap").chmod(0o755)
        assert "No permissions to create new namespace" in refused(2)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pyseccomp", None)
        told = refused(3)
        assert "libseccomp cannot be used" in told
        assert "in the clone pip install -c constraints.txt -e '.[instructor]'" in told
    with monkeypatch.context() as patch:
        patch.setattr(syscalls, "program", lambda: b"\xff" * 8)
        assert "could not be locked in" in refused(4)
    with monkeypatch.context() as patch:
        patch.setattr(bubblewrap.sys, "platform", "darwin")
        assert "Grading runs on Linux alone" in refused(5)
    assert shutil.which("bwrap")


def test_a_grader_that_fails_costs_one_mark_and_not_the_class(tmp_path, monkeypatch):
    """One process that judges is killed while it judges; another takes its place."""
    folder, out = tmp_path / "in", tmp_path / "out"
    for name in "abc":
        hand_in(folder / f"{name}.ipynb", notebook(SHEET))
    real, seen = local_pool.read_reply, []

    def once(reply: dict) -> Graded:
        seen.append(reply)
        if len(seen) == 1:
            raise local_pool.Closed
        return real(reply)

    monkeypatch.setattr(local_pool, "read_reply", once)
    said("grade", str(folder), "--out", str(out), "--workers", "1", status=1)
    assert [row["total"] for row in table(out).values()] == ["", "5", "5"]
    assert "The grader itself failed" in table(out)["a"]["remark"]
    said("grade", str(folder), "--out", str(out), "--resume")
    assert [row["total"] for row in table(out).values()] == ["5", "5", "5"]
