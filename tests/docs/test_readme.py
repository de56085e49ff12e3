"""README.md agrees with the lessons, the sheets and the benchmarks."""

import re
from pathlib import Path

from transformer_course.authoring import lesson_table
from transformer_course.site.first_page import samples

REPOSITORY = Path(__file__).parents[2]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


def test_the_path_is_what_lessons_and_sheets_say():
    assert lesson_table.overview() in README, "run `make notebooks`"


def test_what_is_measured_is_what_the_benchmarks_measured():
    measured = (REPOSITORY / "benchmarks" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:training|generating|grading).+ \| ([\d.; ]+) \|$", README, re.MULTILINE)
    assert len(rows) == 4
    for ratio in "; ".join(rows).split("; "):
        assert re.search(rf"(?<![\d.]){re.escape(ratio)}(?![\d.]\d)", measured), ratio


def test_what_models_write_is_what_they_wrote():
    recorded = [f"{each.source}, {each.bits:.2f} bits: {each.start}|{each.text}".replace("\n", " ") for each in samples()]
    shown = re.findall(r"^.+ bits: .+(?= …$)", README, re.MULTILINE)
    assert len(shown) == 3
    for text in shown:
        assert any(each.startswith(text) for each in recorded), text
