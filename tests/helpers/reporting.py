"""Submissions and results for tests of the reports, and ways to read the reports."""

import csv
import html
import io
import re
from collections.abc import Callable, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

from transformer_course.exercises.catalogue import by_lesson
from transformer_course.exercises.exercise import Verdict
from transformer_course.grading import store
from transformer_course.grading.errors import GradingError
from transformer_course.grading.graded import Graded, Submission
from transformer_course.grading.reports import report
from transformer_course.grading.run import Run

EXERCISES = by_lesson()["02"]


POINTS = {exercise.id: 1.0 + place for place, exercise in enumerate(EXERCISES)}  # 1 to 7, 28 in total


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
    return Submission(name, Path(f"class/{name}.ipynb"), name=f"{name}/1.ipynb", **{"digest": f"d1 {name}"} | more)


def graded(*verdicts: Verdict | None, **more) -> Graded:
    """Return a result with these verdicts on the first exercises, and a pass on each of the others."""
    given = [*verdicts, *(exercise.passed() for exercise in EXERCISES[len(verdicts) :])]
    return Graded({exercise.id: verdict for exercise, verdict in zip(EXERCISES, given, strict=True)}, **more)


def missed(score: float = 0.0, message: str = "Not so.", hint: str = "", mistake: str | None = None) -> Verdict:
    return Verdict(False, "mistake" if mistake else "value", message, hint, mistake, score)


def run_of(results: list, out: Path = Path(), sheet: str = "02", points: Mapping = POINTS, **more) -> Run:
    return Run(out, sheet, points, [submission for submission, _ in results], version="e1", **more)


def write(out: Path, results: list, sheet: str = "02", points: Mapping = POINTS, gone: Sequence = ()) -> list[str]:
    """Write results and reports as at the end of a run; return which pages could not be made."""
    run = run_of(results, out, sheet, points)
    store.write_all(run, results)
    return report.write(run, results, gone)


def rows(out: Path) -> list[dict[str, str]]:
    """Return the lines of the table of marks, without what an exercise is worth in the names of its columns."""
    table = csv.DictReader(io.StringIO((out / "grades.csv").read_bytes().decode("utf-8-sig"), newline=""))
    return [{re.sub(r" \(of [\d.]+\)$", "", name): value for name, value in row.items()} for row in table]


def refused(folder: Path, read: Callable[[], object]) -> str:
    """What a teacher is told about a file in this folder, without the folder's path."""
    with pytest.raises(GradingError) as caught:
        read()
    assert str(folder) in str(caught.value)
    return str(caught.value).replace(f"{folder}/", "")


def without_toml(message: str) -> str:
    """Return a message without what Python's TOML parser says in it, which may change from version to version."""
    return re.sub(r"(?<=cannot be read: ).*(?= \(at line)", "…", message)


def text_of(path: Path) -> list[str]:
    """Return the lines that a reader sees on a page, without the version of the course."""
    seen = re.sub(r"<(title|style)>.*?</\1>", "", path.read_text("utf-8"), flags=re.DOTALL)
    lines = re.sub(r"</(p|h1|h2|summary|pre|li|tr|th|td)>|<br>", "\n", " ".join(seen.split()))
    text = html.unescape(re.sub(r"<[^>]*>", "", lines))
    text = re.sub(r"transformer-course \d\S*", "transformer-course", text)
    return [line.strip() for line in text.split("\n") if line.strip()]


class Page(HTMLParser):
    """A page as a browser sees it: its elements, their attributes, and its text."""

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
