"""The reports: a missing mark is never 0, hostile words do nothing, and a grading that was cut off can go on."""

import base64
import csv
import errno
import io
import json
import os
import re
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transformer_course._util import paths
from transformer_course.exercises.catalogue import by_lesson, exercise_titles
from transformer_course.exercises.exercise import Verdict
from transformer_course.grading.graded import Correction, Graded, Submission
from transformer_course.grading.points import marks, number
from transformer_course.grading.reports import report
from transformer_course.grading.reports.summary import summarise
from transformer_course.grading.sanitize import plain
from transformer_course.grading.submissions.filenames import RESERVED, file_names
from transformer_course.runner.run import record

EXERCISES = by_lesson()["02"]
POINTS = {exercise.id: 1.0 + place for place, exercise in enumerate(EXERCISES)}  # 1 to 7: 28 in all
HOSTILE = [
    "<script>alert(1)</script>",
    "</p></section><img src=x onerror=alert(1)>",
    "{{ 7 * 7 }}{% raw %}",
    "`</code><b>`",
    '" onload="x',
    "\u202emorp\u2066 \u200f\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link\x00\x9b \ud800 \ufeff\r\n=1+1",
    "x" * 10_000,
    "<!--",
    "&lt;b&gt;",
]


def learner(name: str = "anna", **more) -> Submission:
    return Submission(name, Path(f"class/{name}.ipynb"), name=f"{name}/1.ipynb", digest="d1", **more)


def graded(*verdicts: Verdict | None, **more) -> Graded:
    """These verdicts on the first exercises, and a pass on each of the others."""
    given = [*verdicts, *(exercise.passed() for exercise in EXERCISES[len(verdicts) :])]
    return Graded({exercise.id: verdict for exercise, verdict in zip(EXERCISES, given, strict=True)}, **more)


def missed(score: float = 0.0, message: str = "Not so.", hint: str = "", mistake: str | None = None) -> Verdict:
    return Verdict(False, "mistake" if mistake else "value", message, hint, mistake, score)


def rows(out: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((out / "grades.csv").read_bytes().decode("utf-8-sig"), newline="")))


class Page(HTMLParser):
    """A page as a browser sees it: its elements, what they are given, and its text."""

    def __init__(self, path: Path):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], ""
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_data(self, data):
        self.text += data

    def handle_comment(self, data):
        raise AssertionError(data)


def test_marks_are_scores_times_points(tmp_path):
    result = graded(missed(0.5), EXERCISES[1].empty(), missed(1 / 3, hint="Look."))
    report.write(tmp_path, "02", [(learner(), result)], POINTS, "e1")
    (row,) = rows(tmp_path)
    assert [row[name] for name in POINTS] == ["0.5", "0", "1", "4", "5", "6", "7"]
    assert (row["total"], row["out of"], row["percent"], row["remark"]) == ("23.5", "28", "83.93", "")
    assert (row["learner"], row["file"]) == ("anna", "anna/1.ipynb")
    assert (tmp_path / "grades.csv").read_bytes().startswith("\ufeff".encode())
    page = Page(tmp_path / "feedback" / "anna.html").text
    for words in ("23.5 of 28 points (84 %)", EXERCISES[0].prompt, "partly right", "Not so.", "Try: Look.", "1 of 3"):
        assert words in page
    assert f'Stuck? hint("{EXERCISES[0].id}") in the notebook.' in page
    assert f"{EXERCISES[1].answer_name} is still empty: no answer was handed in." in page
    assert "Right." not in page


def test_what_the_teacher_has_set_counts_and_is_shown_everywhere(tmp_path):
    first, second = EXERCISES[0].id, EXERCISES[1].id
    third = EXERCISES[2].id
    given = {
        first: Correction(1.0, "rounding `accepted`"),
        second: Correction(0.5, "<b>late"),
        third: Correction(3.0, "shown"),
    }
    result = graded(missed(0.25, "Rounded."), EXERCISES[1].passed(), None)
    report.write(tmp_path, "02", [(learner(corrections=given), result)], POINTS, "e1")
    (row,) = rows(tmp_path)
    told = f"Set by your teacher: {first} 1 (rounding `accepted`), {second} 0.5 (<b>late), {third} 3 (shown)."
    assert (row[first], row[second], row["total"], row["remark"]) == ("1", "0.5", "26.5", told)
    whole = Page(tmp_path / "feedback" / "anna.html")
    page = " ".join(whole.text.split())
    assert "26.5 of 28 points" in page
    assert "set by your teacher, 1 of 1 rounding `accepted` The check said: Rounded. 2 · " in page  # no hint that one is stuck
    assert "set by your teacher, 0.5 of 2 <b>late The check said: Right. 3 · " in page
    assert "set by your teacher, 3 of 3 shown 4 · " in page
    assert not {"partly", "missed"} & {value for name, value in whole.attributes if name == "class"}
    assert "Stuck?" not in page
    assert (tmp_path / "grading.log").read_text("utf-8") == f"anna: {told}\n"
    content = json.loads((tmp_path / "results.json").read_bytes())
    assert (content["score"], content["output"]) == (26.5, f"26.5 of 28 points\n{told}")
    scores = [(test["score"], test["status"]) for test in content["tests"][:3]]
    assert scores == [(1, "passed"), (0.5, "failed"), (3, "passed")]
    assert content["tests"][0]["output"] == "Set by your teacher: rounding `accepted`\nThe check said: Rounded."
    assert report.load(tmp_path, "anna", "02")[2] == replace(result, notes=())  # the verdicts are the machine's own
    report.write(tmp_path, "02", [(learner(), result)], POINTS, "e1")
    assert (rows(tmp_path)[0][first], rows(tmp_path)[0]["total"]) == ("0.25", "")


def test_the_class_is_counted_as_its_teacher_has_set_it():
    slip = graded(missed(mistake="a slip"))
    set_to = [learner(str(points), corrections={EXERCISES[0].id: Correction(points, "so")}) for points in (1.0, 0.5, 0.0)]
    summary = summarise([(submission, slip) for submission in (*set_to, learner())], POINTS, "02")
    assert summary.rows[0].standings == {"passed": 1, "partly right": 1, "not yet": 2}
    assert [common.count for common in summary.mistakes] == [3]


def test_a_teacher_may_give_points_where_there_is_no_verdict(tmp_path):
    unread = Submission("anna", None, "The file is empty; hand in the notebook itself.")
    some = {EXERCISES[0].id: Correction(1.0, "shown in class")}
    report.write(tmp_path, "02", [(replace(unread, corrections=some), Graded({}))], POINTS, "e1")
    (row,) = rows(tmp_path)
    assert (row[EXERCISES[0].id], row["total"]) == ("1", "")
    assert row["remark"].endswith("the notebook itself. Set by your teacher: attention.by_hand 1 (shown in class).")
    assert "hand in the notebook itself" in Page(tmp_path / "feedback" / "anna.html").text
    all_ = {name: Correction(0.5, "excused") for name in POINTS}
    report.write(tmp_path, "02", [(replace(unread, corrections=all_), Graded({}))], POINTS, "e1")
    (row,) = rows(tmp_path)
    assert (row["total"], "itself. Set by your teacher" in row["remark"]) == ("3.5", True)
    assert json.loads((tmp_path / "results.json").read_bytes())["score"] == 3.5
    page = Page(tmp_path / "feedback" / "anna.html")
    assert "The file is empty. Your teacher has set these marks." in page.text
    assert "hand in" not in page.text
    assert page.tags.count("section") == 7
    assert "No mark" not in (tmp_path / "grading.log").read_text("utf-8")


def test_who_is_no_longer_there_is_moved_and_never_lost(tmp_path):
    for content in ("first", "second"):
        for name in ("anna", "frida"):
            for folder, ending in (("feedback", "html"), ("results", "json")):
                (tmp_path / folder).mkdir(exist_ok=True)
                (tmp_path / folder / f"{name}.{ending}").write_text(content)
        assert report.set_aside(tmp_path, ["anna", "bea"]) == ["frida"]
    assert report.set_aside(tmp_path, ["anna", "bea"]) == []
    left = {path.relative_to(tmp_path).as_posix(): path.read_text() for path in tmp_path.glob("*/*")}
    gone = {f"no-longer-there/frida.{ending}": "first" for ending in ("html", "json")}
    gone |= {f"no-longer-there/frida (2).{ending}": "second" for ending in ("html", "json")}
    assert left == gone | {"feedback/anna.html": "second", "results/anna.json": "second"}
    report.write(tmp_path, "02", [(learner(), graded())], POINTS, "e1", ["frida"])
    log = (tmp_path / "grading.log").read_text("utf-8")
    assert log == "frida: nobody in the submissions has this name; moved to no-longer-there.\n"


def test_who_comes_back_has_page_and_result_as_they_were(tmp_path):
    report.write(tmp_path, "02", [(learner("anna"), graded()), (learner("frida"), graded())], POINTS, "e1")
    before = {path: path.read_bytes() for path in tmp_path.glob("*/frida.*")}
    assert len(before) == 2
    report.set_aside(tmp_path, ["anna"])
    assert report.learners(tmp_path) == {"anna", "frida"}
    report.bring_back(tmp_path, ["anna", "frida", "nobody"])
    assert {path: path.read_bytes() for path in tmp_path.glob("*/frida.*")} == before
    (tmp_path / "no-longer-there" / "frida.json").write_text("an older one")
    report.bring_back(tmp_path, ["frida"])
    assert {path.parent.name for path in tmp_path.glob("*/frida.json")} == {"results", "no-longer-there"}
    assert report.learners(tmp_path) == {"anna", "frida"}


def test_the_table_says_when_a_file_was_changed(tmp_path):
    results = [(learner(f"learner{k}", changed=changed), graded()) for k, changed in enumerate((1_000_000_000, None, 1e30))]
    report.write(tmp_path, "02", results, POINTS, "e1")
    first, *others = [row["changed"] for row in rows(tmp_path)]
    assert datetime.fromisoformat(first) == datetime(2001, 9, 9, 1, 46, 40, tzinfo=UTC)
    assert others == ["", ""]


@pytest.mark.parametrize(
    ("submission", "result", "why", "judged"),
    [
        (learner(), graded(missed(), None), "Not judged, so there is no total: attention.zero_token.", 6),
        (learner(), graded(problem="The locks could not be had."), "The locks could not be had.", 0),
        (Submission("anna", None, "The file is empty."), graded(*7 * [None]), "The file is empty.", 0),
    ],
)
def test_a_mark_that_does_not_exist_is_never_zero(tmp_path, submission, result, why, judged):
    report.write(tmp_path, "02", [(submission, result)], POINTS, "e1")
    (row,) = rows(tmp_path)
    assert (row["total"], row["percent"], row["remark"]) == ("", "", why)
    assert [row[name] for name in POINTS].count("") == 7 - judged
    content = json.loads((tmp_path / "results.json").read_bytes())
    assert content.keys() == {"output", "output_format", "extra_data"}  # neither score nor tests: no mark for Gradescope
    assert why in content["output"]
    page = Page(tmp_path / "feedback" / "anna.html")
    assert "There is no mark." in page.text
    assert why in page.text
    assert page.tags.count("section") == (7 if judged else 0)
    assert "1 submission, 0 with a mark." in Page(tmp_path / "summary.html").text
    assert (tmp_path / "grading.log").read_text("utf-8") == f"anna: No mark. {why}\n"


def test_gradescope_finds_what_it_reads(tmp_path):
    report.write(tmp_path, "02", [(learner(), graded(missed(0.5, hint="Look."), notes=["A cell failed."]))], POINTS, "e1")
    content = json.loads((tmp_path / "results.json").read_bytes())
    assert content == json.loads((tmp_path / "results" / "anna.json").read_bytes())
    assert content["score"] == 27.5
    assert content["output"] == "27.5 of 28 points\nA cell failed."
    assert content["output_format"] == content["test_output_format"] == "text"
    first, second, *_ = content["tests"]
    assert first == {
        "number": "1",
        "name": f"Other numbers: {EXERCISES[0].prompt}",
        "score": 0.5,
        "max_score": 1.0,
        "status": "failed",
        "output": "Not so.\nTry: Look.",
    }
    assert (second["score"], second["max_score"], second["status"]) == (2.0, 2.0, "passed")
    assert sum(test["score"] for test in content["tests"]) == content["score"]


def test_of_several_submissions_none_is_the_one(tmp_path):
    report.write(tmp_path, "02", [(learner("anna"), graded()), (learner("bea"), graded())], POINTS, "e1")
    assert not (tmp_path / "results.json").exists()
    assert {path.name for path in (tmp_path / "results").iterdir()} == {"anna.json", "bea.json"}


def test_hostile_words_are_shown_and_do_nothing(tmp_path):
    results = [
        (
            Submission(text, Path(f"class/{text}".replace("\0", "")), log=[text]),
            graded(missed(0.1, text, text, "a slip"), notes=[text, f"`{text}`"]),
        )
        for text in HOSTILE
    ]
    results += [(Submission(f"{text}2", None, text), graded(*7 * [None], problem=text)) for text in HOSTILE]
    report.write(tmp_path, "02", results, POINTS, "e1")
    pages = sorted(tmp_path.glob("**/*.html"))
    assert len(pages) == len(results) + 1
    ours = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "bdi", "strong", "code"}
    ours |= {"section", "ul", "ol", "li"}
    table = {"table", "thead", "tbody", "tr", "th", "td", "br", "span", "figure", "img"}
    given = {"lang", "charset", "http-equiv", "content", "name", "class", "style", "src", "alt"}
    for path in pages:
        page = Page(path)
        assert set(page.tags) <= (ours | table if path.name == "summary.html" else ours)
        assert page.tags.count("section") in (0, 7)
        assert {name for name, _ in page.attributes} <= given
        assert ("lang", "en") in page.attributes
        assert ("content", "default-src 'none'; style-src 'unsafe-inline'; img-src data:") in page.attributes
        assert all(value.startswith("data:image/png;base64,") for name, value in page.attributes if name == "src")
        assert not re.search(r"url\(|@import", page.text)
    assert "<script>alert(1)</script>" in "".join(Page(path).text for path in pages)
    texts = [path.read_text("utf-8") for path in tmp_path.glob("**/*") if path.is_file() and path.suffix != ".png"]
    assert len(texts) == 2 * len(results) + 3
    for text in texts:
        hidden = {unicodedata.category(c) for c in text.removeprefix("\ufeff")} & {"Cc", "Cf", "Cs"}
        assert hidden <= {"Cc"}
        assert {c for c in text if unicodedata.category(c) == "Cc"} <= {"\n", "\r"}
        assert "x" * 3000 not in text
    assert len((tmp_path / "grading.log").read_text("utf-8").splitlines()) == 4 * len(HOSTILE)


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " \n=1", "＝1", "＠x"])
def test_a_spreadsheet_takes_no_name_for_a_formula(tmp_path, name):
    report.write(
        tmp_path, "02", [(Submission(name, Path(f"{name}.ipynb"), name=f"{name}.ipynb"), graded(problem=name))], POINTS, "e1"
    )
    (row,) = rows(tmp_path)
    assert all(row[column].startswith("'") for column in ("learner", "file", "remark"))


def test_names_with_commas_quotes_and_chinese_come_back(tmp_path):
    names = ['Lee, "Max"', "王小明", "O'Hara; x"]
    report.write(tmp_path, "02", [(learner(name), graded()) for name in names], POINTS, "e1")
    assert [row["learner"] for row in rows(tmp_path)] == names
    assert (tmp_path / "feedback" / "王小明.html").exists()


def test_what_was_graded_is_not_graded_again(tmp_path):
    result = graded(missed(0, "Not `so`.", "Look.", "a slip"), EXERCISES[1].empty(), None, notes=("A cell failed.",))
    report.write_one(tmp_path, "anna", "02", learner(), result, POINTS, "e1")
    assert report.load(tmp_path, "anna", "02") == ("d1", "e1", result)
    result = graded(missed(), notes=("x",), cells_failed=True)
    report.write_one(tmp_path, "anna", "02", learner(), result, POINTS, "e1")
    assert report.load(tmp_path, "anna", "02") == ("d1", "e1", result)
    result = graded(*7 * [None], problem="No locks.")
    report.write_one(tmp_path, "anna", "02", learner(), result, POINTS, "e1")
    digest, edition, again = report.load(tmp_path, "anna", "02")
    assert (digest, edition, dict(again.verdicts), again.problem) == ("d1", "e1", result.verdicts, "No locks.")
    assert report.load(tmp_path, "anna", "03") is None
    assert report.load(tmp_path, "bea", "02") is None


@pytest.mark.parametrize(
    ("part", "damage"),
    [
        ("digest", 3),
        ("edition", None),
        ("notes", "text"),
        ("notes", [3]),
        ("problem", None),
        ("cells_failed", "yes"),
        ("verdicts", {}),
        ("verdicts", []),
        ("score", 1.5),
        ("score", "1"),
        ("score", float("nan")),
        ("passed", "yes"),
        ("message", None),
        ("more", 1),
    ],
)
def test_a_damaged_result_is_graded_again(tmp_path, part, damage):
    report.write_one(tmp_path, "anna", "02", learner(), graded(), POINTS, "e1")
    path = tmp_path / "results" / "anna.json"
    content = json.loads(path.read_bytes())
    stored = content["extra_data"]
    (stored if part in stored else stored["verdicts"]["attention.softmax"])[part] = damage
    path.write_text(json.dumps(content))
    assert report.load(tmp_path, "anna", "02") is None


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b'{"extra_data": 3}', b"\xff", b"[" * 100_000, b"9" * 5000])
def test_what_is_no_result_is_graded_again(tmp_path, content):
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "anna.json").write_bytes(content)
    assert report.load(tmp_path, "anna", "02") is None


def test_a_full_disk_is_told_and_nothing_is_half_written(tmp_path, monkeypatch):
    report.write(tmp_path, "02", [(learner(), graded())], POINTS, "e1")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        report.write(tmp_path, "02", [(learner(), graded(missed()))], POINTS, "e1")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_the_summary_counts_a_class_and_names_nobody(tmp_path):
    slip = missed(0.0, "You forgot `exp`.", mistake="no exp")
    other = missed(0.5, "Nearly.", mistake="rounded")
    results = [(learner(f"learner{k}"), graded(slip, missed(0.25), EXERCISES[2].empty())) for k in range(3)]
    results += [(learner(f"learner{k}"), graded(other)) for k in (3, 4)]
    results += [(Submission("learner5", None, "cut"), graded(*7 * [None]))]
    report.write(tmp_path, "02", results, POINTS, "e1")
    page = Page(tmp_path / "summary.html")
    assert "6 submissions, 5 with a mark." in page.text
    text = " ".join(page.text.split())
    assert "passed partly right not yet empty not judged" in text
    titles = exercise_titles("02")
    for exercise, counts in zip(EXERCISES, ("0 2 3 0 1", "2 3 0 0 1", "2 0 0 3 1", "5 0 0 0 1"), strict=False):
        assert f"· {titles[exercise.id]}{exercise.prompt.replace('`', '')} {counts}" in text
    assert "no exp, 3 in “Other numbers”: You forgot exp. rounded, 2 in “Other numbers”: Nearly." in text
    assert "80 to below 90 %3 " in text  # 22.5 of 28
    assert "90 to 100 %2 " in text
    assert "median is 80.36 %" in text
    assert "learner" not in text
    assert "grades.csv" not in text  # which the class must not see
    assert "tr { break-inside: avoid; }" in text  # in print, no row is cut in two
    png = (tmp_path / "mistakes.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    assert ("src", "data:image/png;base64," + base64.b64encode(png).decode()) in page.attributes
    report.write(tmp_path, "02", results[-1:], POINTS, "e1")
    assert not (tmp_path / "mistakes.png").exists()


def test_the_class_is_told_that_it_rounded_too_much(tmp_path):
    rounded = [EXERCISES[0].judge(0, [record([0.8668, 0.0159, number])]) for number in (0.117, 0.1169)]
    results = [(learner(str(k)), graded(verdict)) for k, verdict in enumerate(rounded)]
    report.write(tmp_path, "02", results, POINTS, "e1")
    text = " ".join(Page(tmp_path / "summary.html").text.split())
    assert "rounded too early or too much, 2 in “Other numbers”: The numbers are close. Round once, at the end" in text
    assert "0.117" not in text


def test_one_learners_mistake_is_not_shown_to_the_class(tmp_path):
    slip, common = missed(mistake="only mine"), missed(mistake="of two")
    results = [(learner("a"), graded(slip)), (learner("b"), graded(common)), (learner("c"), graded(common))]
    report.write(tmp_path, "02", results, POINTS, "e1")
    text = Page(tmp_path / "summary.html").text
    assert "of two" in text
    assert "only mine" not in text


def test_the_class_is_told_of_a_mistake_without_one_learners_numbers(tmp_path):
    test, plan = by_lesson()["02"][3], next(each for each in by_lesson()["01"] if each.kind == "experiment")
    for exercise, shared in ((test, "naive"), (plan, plan.mistakes[0].name)):
        (sheet,) = (sheet for sheet, exercises in by_lesson().items() if exercise in exercises)
        result = Graded({exercise.id: missed(message="Yours caught 5 of 11.", mistake=shared)})
        (common,) = summarise([(learner(), result)] * 2, {exercise.id: 1.0}, sheet).mistakes
        assert "5 of 11" not in common.diagnosis
        assert common.diagnosis in (plan.mistakes[0].diagnosis, "These tests accept a function with this mistake.")


def test_what_did_not_run_is_told_from_what_was_wrong(tmp_path):
    reasons = ("missing", "ended", "timeout", "error", "value", "shape")
    results = graded(*(Verdict(False, reason, "No.") for reason in reasons))
    report.write(tmp_path, "02", [(learner(), results)], POINTS, "e1")
    page = Page(tmp_path / "feedback" / "anna.html")
    told = re.findall(r"(did not run|ran too long|not yet|passed),\s", page.text)
    assert told == [*2 * ["did not run"], "ran too long", "did not run", *2 * ["not yet"], "passed"]


def test_the_page_names_exercises_as_the_sheet_does_and_tells_which_file(tmp_path):
    half = missed(0.5)
    report.write(tmp_path, "02", [(learner(changed=10**9), graded(half, missed()))], POINTS, "e1")
    page = Page(tmp_path / "feedback" / "anna.html")
    sheet = (paths.ROOT / "exercises" / "02_sheet_self_attention_by_hand.ipynb").read_text("utf-8")
    headings = re.findall(r"(\d · [^\n]+)\n", page.text)
    assert len(headings) == 7
    assert all(f"## {heading} (" in sheet for heading in headings)
    assert re.search(
        r"from anna.ipynb, saved 2001-09-\d\d \d\d:\d\d \(UTC[+-]\d\d:\d\d\), graded by transformer-course \d", page.text
    )
    looks = [value for name, value in page.attributes if name == "class" and value in ("passed", "partly", "missed")]
    assert looks == ["partly"] * 2 + ["missed"] * 2 + ["passed"] * 10


@pytest.mark.slow
def test_the_class_can_be_read_on_a_phone(tmp_path):
    from chromium import CHROMIUM, OFFLINE
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("needs Chromium: apt install chromium")
    all_ways = [
        missed(0.5),
        missed(),
        Verdict(False, "error", "No."),
        Verdict(False, "timeout", "No."),
        EXERCISES[0].empty(),
        None,
        EXERCISES[0].passed(),
    ]
    report.write(tmp_path, "02", [(learner(str(k)), graded(way)) for k, way in enumerate(all_ways)], POINTS, "e1")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OFFLINE)
        page = browser.new_page(viewport={"width": 375, "height": 800})
        page.goto((tmp_path / "summary.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == 375
        heights = page.eval_on_selector_all("table.counts tbody tr", "rows => rows.map(row => row.offsetHeight)")
        assert len(heights) == 7
        assert max(heights) < 120  # a name of a letter a line has some hundreds
        browser.close()


def test_a_class_without_mistakes_and_one_without_marks(tmp_path):
    report.write(tmp_path, "02", [(learner(), graded())], POINTS, "e1")
    assert (
        "No mistake that the checks know by name was made in more than one submission." in Page(tmp_path / "summary.html").text
    )
    assert not (tmp_path / "mistakes.png").exists()
    report.write(tmp_path, "02", [(learner(), graded(problem="No."))] * 2, POINTS, "e1")
    assert "Totals" not in Page(tmp_path / "summary.html").text


def test_every_sheet_and_every_mistake_can_be_reported(tmp_path):
    for sheet, exercises in by_lesson().items():
        count = max(len(exercise.mistakes) for exercise in exercises)
        results = []
        for k in range(count):
            verdicts = {e.id: e.named(e.mistakes[k]) if k < len(e.mistakes) else e.passed() for e in exercises}
            results.append((learner(f"learner{k}"), Graded(verdicts)))
        report.write(tmp_path / sheet, sheet, results, {exercise.id: 1.0 for exercise in exercises}, "e1")
        assert len(list((tmp_path / sheet / "feedback").iterdir())) == count


def test_the_log_tells_what_a_teacher_should_know():
    submission = learner(log=("b was passed over.",))
    told = report.log([(submission, graded(None, notes=["x"] * 40)), (learner("bea"), graded())], POINTS)
    assert told[:2] == ["anna: b was passed over.", "anna: No mark. Not judged, so there is no total: attention.by_hand."]
    assert told[-1] == "anna: And 12 more."
    others = [(learner(other_sheets=["03", None]), graded()), (learner("bea", other_sheets=["03", "03"]), graded())]
    assert report.log(others, POINTS) == ["Other notebooks, passed over: 1 of no sheet, 3 of sheet 03."]


def test_marks_and_numbers():
    assert [number(x) for x in (None, 0.0, 1.0, 0.5, 1 / 3, 100.0, 12345.678)] == [
        "",
        "0",
        "1",
        "0.5",
        "0.33",
        "100",
        "12345.68",
    ]
    mark = marks(learner(), graded(None), POINTS)
    assert (mark.total, mark.percent, mark.out_of) == (None, None, 28.0)
    assert marks(learner(), Graded({}), POINTS).total is None


def test_plain_words():
    assert plain("  two\n lines\t ", 20) == "two lines"
    assert plain("\x1b[1;31mred\x1b[0m \x1b]0;title\x07", 20) == "red"
    assert plain("a\u202eb\u2066c\u200fd\x00\ud800", 20) == "a\ufffdb\ufffdc\ufffdd\ufffd\ufffd"
    assert plain("王小明 👩\u200d💻 é", 20) == "王小明 👩\u200d💻 é"
    assert plain("x" * 21, 20) == "x" * 19 + "…"
    assert plain("x" * 20, 20) == "x" * 20


@given(st.text(), st.integers(1, 50))
def test_plain_words_are_one_line_that_can_be_written(text, limit):
    words = plain(text, limit)
    assert len(words) <= limit
    assert len(words.encode().splitlines()) <= 1
    assert not {unicodedata.category(c) for c in words} & {"Cc", "Cs", "Zl", "Zp"}
    assert plain(words, limit) == words


ODD = st.sampled_from(
    ["CON", "con.txt", "aux ", "..", ".", "", "a/b", "a\\b", "a:b", "A", "a", "ａ", "ß", "ss", "é", "e\u0301", "com¹"]
)


@given(st.lists(st.one_of(st.text(max_size=300), ODD), unique=True))
def test_file_names_fit_every_file_system_and_never_meet(learners):
    names = file_names(learners)
    assert list(names) == learners
    for name in names.values():
        assert 0 < len(name.encode()) <= 200
        assert not set(name) & set('<>:"/\\|?*')
        assert not name.startswith((".", "-", " "))
        assert not name.endswith((".", " "))
        assert not RESERVED.fullmatch(name.casefold())
        assert plain(name, 300) == name
    assert len({unicodedata.normalize("NFKD", name).casefold() for name in names.values()}) == len(learners)


def test_file_names_stay_readable_and_do_not_depend_on_the_others_order():
    names = file_names(["王小明", "Anna B", "anna b", "Lee, Max", "CON", "x" * 300])
    assert (names["王小明"], names["Lee, Max"], names["CON"]) == ("王小明", "Lee, Max", "_CON")
    assert re.fullmatch(r"Anna B-[0-9a-f]{12}", names["Anna B"])
    assert file_names(["anna b", "Anna B"]) == {name: names[name] for name in ("anna b", "Anna B")}
    taken = names["Anna B"]
    assert len({name.casefold() for name in file_names([taken, "Anna B", "anna b"]).values()}) == 3
