"""README.md agrees with the lessons, the sheets and the benchmarks."""

import re
from pathlib import Path

from transformer_course._util import headings, paths
from transformer_course.exercises.catalogue import by_lesson

REPOSITORY = Path(__file__).parents[2]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
LESSONS = paths.sources("notebooks")
SHEETS = {sheet.stem[:2]: sheet for sheet in paths.sources("exercises")}


def table() -> list[str]:
    """A row for each lesson: its title and its minutes, and those of its sheet."""
    rows = []
    for lesson in LESSONS:
        number, title = headings.title(lesson).split(" · ", 1)
        rest = "|"
        if number in SHEETS:
            link = f"[{len(by_lesson()[number])}](exercises/{SHEETS[number].stem}.ipynb)"
            rest = f"{link} | {headings.minutes(SHEETS[number])}"
        rows.append(f"| [{number}](notebooks/{lesson.stem}.ipynb) | {title} | {headings.minutes(lesson)} | {rest} |")
    return rows


def hours() -> str:
    lessons, sheets = (round(sum(map(headings.minutes, sources)) / 60) for sources in (LESSONS, SHEETS.values()))
    return f"The lessons take about {lessons} hours and the exercises about {sheets}, by their own estimates."


def test_the_table_of_lessons_says_what_lessons_and_sheets_say():
    told = [line for line in README.splitlines() if re.match(r"\| \[\d\d\]\(notebooks/", line)]
    assert told == table(), "README's rows should be:\n" + "\n".join(table())
    assert hours() in README


def test_what_is_measured_is_what_the_benchmarks_measured():
    measured = (REPOSITORY / "benchmarks" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:training|generating|grading).+ \| ([\d.; ]+) \|$", README, re.MULTILINE)
    assert len(rows) == 4
    for ratio in "; ".join(rows).split("; "):
        assert re.search(rf"(?<![\d.]){re.escape(ratio)}(?![\d.]\d)", measured), ratio
