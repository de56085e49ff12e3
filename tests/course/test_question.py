"""The files of questions: what is read from one, and what is said about one that cannot be read."""

import pytest
from refusals import refusals

from transformer_course.course.question import Choice, Question, read

GOOD = """# Questions of lesson 04

## 04.row

Which weights? There are
three.

- [ ] the first,
  which is long
  - No.
- [x] the *second*
  - Yes: `a - b`
    is 1.

## 04.recall.sums
What sums to 1?

- [X] Rows
  - Yes.
- [ ] Columns
  - No.

Looks back to: 02, 03
"""
# Each case: what is put in place of something in the file.
FAULTS = {
    "a text before the first question": ("## 04.row", "These are questions.\n\n## 04.row"),
    "a heading of another level": ("## 04.row", "### 04.row"),
    "another lesson's id": ("## 04.row", "## 05.row"),
    "an id of one word": ("## 04.row", "## row"),
    "an empty id": ("## 04.row", "##"),
    "one id twice": ("## 04.recall.sums", "## 04.row"),
    "no text": ("What sums to 1?", ""),
    "two paragraphs": ("There are\n", "\n\n"),
    "no choices": ("- [X] Rows\n  - Yes.\n- [ ] Columns\n  - No.\n", ""),
    "one choice": ("- [ ] Columns\n  - No.\n", ""),
    "a choice without its box": ("- [ ] Columns", "- Columns"),
    "a choice without its box, right below the text": ("What sums to 1?\n\n- [X]", "What sums to 1?\n-"),
    "an empty choice": ("- [ ] Columns", "- [ ]"),
    "no right choice": ("- [X] Rows", "- [ ] Rows"),
    "two right choices": ("- [ ] Columns", "- [x] Columns"),
    "a choice without a reply": ("  - Yes.\n", ""),
    "the last choice without a reply": ("- [ ] Columns\n  - No.\n", "- [ ] Columns\n"),
    "a reply that is not indented": ("  - Yes.", "- Yes."),
    "an empty reply": ("  - Yes.", "  -"),
    "two replies": ("  - Yes.", "  - Yes.\n  - Rows do."),
    "a text after the choices": ("  - No.\n\nLooks", "  - No.\nThey sum to 1.\n\nLooks"),
    "an unknown attribute": ("Looks back to:", "Origin:"),
    "a later lesson": ("02, 03", "02, 05"),
    "no lesson's number": ("02, 03", "lesson 2"),
    "an attribute twice": ("02, 03", "02\nLooks back to: 03"),
}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "04_masks" / "questions.md"
    path.parent.mkdir()
    path.write_text(GOOD, encoding="utf-8")
    return path


def test_questions_are_read_in_order_and_each_text_in_one_line(file):
    first = (Choice("the first, which is long", "No."), Choice("the *second*", "Yes: `a - b` is 1."))
    second = (Choice("Rows", "Yes."), Choice("Columns", "No."))
    assert read(file) == [
        Question("04.row", "Which weights? There are three.", first, right="b"),
        Question("04.recall.sums", "What sums to 1?", second, right="a", origin=("02", "03")),
    ]


def test_what_cannot_be_read_is_told_with_its_line_and_what_to_write(file, snapshot):
    assert refusals(file, FAULTS, lambda: read(file)) == snapshot
