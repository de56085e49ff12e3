"""Whatever learners write, into names, code or errors: every report is written, can be read back, and takes it for text."""

import csv
import io
import json
import re
import unicodedata
import zipfile
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from reporting import POINTS, Page, graded, learner, missed, run_of, write
from rich.console import Console

from transformer_course.app.autograder.summary import markdown
from transformer_course.app.commands import grade_results
from transformer_course.exercises.exercise import Verdict
from transformer_course.grading import store, totals
from transformer_course.grading.reports import moodle
from transformer_course.grading.reports.cells import csv_text, harmless, original
from transformer_course.grading.reports.summary import CommonMistake, chart
from transformer_course.grading.sanitize import plain
from transformer_course.grading.submissions.filenames import file_names

PIECES = ["$$", "$x", "\\frac{", "{{ 7 * 7 }}", "{% raw %}", "{0}", "%s", "<script>", "</p><img src=x>", "<!--", "]]>", "&lt;"]
PIECES += ["`", "*x*", "**x**", "# ", "```\n", "[x](http://x)", "[red]", "[/]", "[link=http://x]", ":smile:", '" onload="x']
PIECES += [*"=+-@＝＋－＠", *",;|\t\"' ", "=1+1", "x", "raised ValueError: ", "王"]
PIECES += ["\x00", "\x1b[31m", "\x1b]0;", "\x07", "\x9b", "\n", "\r", "\r\n", "\u2028", "\x0b", "\ud800", "\udcff", "\u202e"]
PIECES += ["\u2066", "\u200b", "\u200d", "\ufeff", "\u3164"]
TEXT = st.builds(
    lambda pieces, times: "".join(pieces) * times,
    st.lists(st.sampled_from(PIECES) | st.text(st.characters(), max_size=3), max_size=8),
    st.sampled_from([1, 1, 1, 1, 2_000]),
)
VERDICTS = st.one_of(
    st.none(),
    st.builds(missed, st.floats(0, 0.9), TEXT, TEXT, st.none() | TEXT),
    st.builds(Verdict, st.just(False), st.sampled_from(["error", "missing", "timeout"]), TEXT.map("raised {}".format), TEXT),
)
RESULTS = st.builds(
    lambda verdicts, answer, **more: graded(*verdicts, answers=dict.fromkeys(POINTS, answer), **more),
    st.lists(VERDICTS, max_size=3),
    TEXT,
    notes=st.lists(TEXT, max_size=2),
    problem=st.just("") | TEXT,
)
SUBMISSIONS = st.builds(
    lambda name, file, **more: replace(learner(name or "x", digest="d", **more), name=file, file=Path(f"class/{file}")),
    TEXT,
    TEXT,
    problem=st.just("") | TEXT,
    log=st.lists(TEXT, max_size=2),
    number=TEXT,
)
CLASSES = st.lists(st.tuples(SUBMISSIONS, RESULTS), min_size=1, max_size=3, unique_by=lambda each: each[0].learner)
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "style", "src", "alt"}
MARKED = {"code", "em", "strong"}  # which a text may have, as in a notebook


def sure(max_examples: int = 30) -> settings:
    return settings(
        max_examples=max_examples, deadline=None, phases=[Phase.reuse, Phase.generate]
    )  # making an example small takes minutes


def demand_no_formula(text: str) -> None:
    for delimiter in ",;\t|":
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            assert not [cell for cell in row if re.match(r"[\s\"\u200b-\u200d\ufeff]*(?!-$)[-=+@＝＋－＠]", cell)], (
                delimiter,
                row,
            )


def table(path: Path) -> list[list[str]]:
    """Return the rows of a table, which all have the same columns, and none a formula."""
    text = path.read_bytes().decode("utf-8-sig")
    demand_no_formula(text)
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert {len(row) for row in rows} == {len(rows[0])}
    return rows


@pytest.fixture(scope="module")
def usual(tmp_path_factory) -> dict[bool, set[str]]:
    """The elements of a page about ordinary text: of the class, and of a learner."""
    out = tmp_path_factory.mktemp("usual")
    shared = [missed(mistake="slip"), None, missed(0.5), missed(hint="Look.")]
    results = [(learner(name), graded(*shared, notes=["A note."], answers=dict.fromkeys(POINTS, "x = 1"))) for name in "ab"]
    write(out, [*results, (learner("c", problem="No."), graded())])
    pages = {True: [out / "summary.html"], False: (out / "feedback").glob("*.html")}
    return {kind: MARKED.union(*(Page(path).tags for path in paths)) for kind, paths in pages.items()}


@given(CLASSES)
@sure()
def test_every_report_holds_it_as_text(usual, results):
    with TemporaryDirectory() as folder:
        out = Path(folder)
        assert write(out, results) == []
        for name, file in file_names(submission.learner for submission, _ in results).items():
            assert plain(name, 100) in Page(out / "feedback" / f"{file}.html").text
        for path in out.rglob("*.html"):
            page = Page(path)
            assert {*page.tags} <= usual[path.name == "summary.html"]
            assert {name for name, _ in page.attributes} <= ATTRIBUTES
        for path in out.rglob("*.json"):
            content = json.loads(path.read_bytes())
            outside = [line for line in markdown(content).split("\n") if not line.startswith("    ")]
            titles = {f"## {content['output'].splitlines()[0]}" if "score" in content else "## No mark", ""}
            assert {line for line in outside if not line.startswith("**")} <= titles
        rows = table(out / "grades.csv")
        assert len({row[0] for row in rows}) == len(results) + 1
        table(out / "mistakes.csv")
        (out / "secret.json").write_text(json.dumps({"sheet": "02"}))
        sums = totals.table(totals.read([out]))
        demand_no_formula(sums)
        names = {row[0] for row in list(csv.reader(io.StringIO(sums, newline="")))[1:]}
        assert {unicodedata.normalize("NFC", original(row[0])) for row in rows[1:]} == {original(name) for name in names}
        assert all(re.match(".*: |These|Other", line) for line in (out / "grading.log").read_text("utf-8").splitlines())


@given(RESULTS)
@sure()
def test_a_result_is_loaded_as_it_was_written(result):
    with TemporaryDirectory() as folder:
        out = Path(folder)
        run = run_of([(learner("a"), result)], out)
        store.write(run, learner("a"), result)
        digest, _, loaded = store.load(out, "a", "02")
        assert store.result(run, learner("a"), loaded) == (out / "results" / "a.json").read_bytes()
        assert digest == "d1 a"


@given(st.lists(TEXT, min_size=1, max_size=3), TEXT)
@sure(max_examples=10)
def test_moodles_worksheet_holds_it_as_text(names, online):
    header = ["ID", "Name", "Grade", "Maximum", "Changes", "Changed", "Online text", "Changed (grade)", "Comments"]
    rows = [
        [f"Person {k}", f"{k}{name}", "-", "100", "Yes", "3 May 2026, 9:15", online, "-", "=1"] for k, name in enumerate(names)
    ]
    with TemporaryDirectory() as folder:
        out = Path(folder)
        (out / "worksheet.csv").write_bytes(csv_text([header, *rows]).encode(errors="replace"))
        results = [(learner(f"{k}{name}", participant=str(k), digest="d"), graded()) for k, name in enumerate(names)]
        write(out, results)
        assert moodle.write(run_of(results, out), moodle.read(out / "worksheet.csv"), results) == (len(names), {})
        with zipfile.ZipFile(out / moodle.FEEDBACK) as archive:
            assert len(archive.namelist()) == len(names)
        with open(out / moodle.WORKSHEET, encoding="utf-8", newline="") as file:
            filled = file.read()
        _, *lines = csv.reader(io.StringIO(filled, newline=""), strict=True)
        assert [(row[2], row[-1]) for row in lines] == [("100.00", "=1")] * len(names)
        demand_no_formula(filled.replace("=1\r\n", "\r\n"))


@given(st.lists(TEXT, min_size=10, max_size=10))
@sure(max_examples=5)
def test_the_chart_shows_it_as_text(texts):
    mistakes = [CommonMistake("1 · Shapes", plain(text, 80) or "x", "", place + 2) for place, text in enumerate(texts)]
    assert chart(mistakes).startswith(b"\x89PNG")


@given(st.lists(TEXT, min_size=1, max_size=3))
@sure()
def test_the_command_prints_it_as_text(texts):
    file = io.StringIO()
    grade_results.print_names(Console(file=file, soft_wrap=True), {"late": texts})
    separator = "; " if any("," in text for text in texts) else ", "
    assert file.getvalue() == f"late: {separator.join(plain(text, 60) for text in texts)}\n"


@given(TEXT)
@sure(max_examples=200)
def test_what_keeps_text_from_being_a_formula_can_be_taken_away(text):
    assert original(harmless(text)) == text
