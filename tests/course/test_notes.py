"""What a leader says: what is read from a lesson's notes, and what is said about notes that cannot be used."""

import pytest
from refusals import refusals

from transformer_course import course
from transformer_course.course.notes import Context, Note, Notes, read

GOOD = """# What to say in lesson 04

## title

**Goal:** A goal that is
long.

**Say:** One. Two.
**Repeat:** A *point*: this.

**They ask:**

- Why? Here is
  more.
  - Because.
- And then?
  - Nothing.

**While it trains:** Look.

**Above the task:** X.

### 04.row

**Above the question:** Above are three.

**Below the reply:** Each row.
"""
FAULTS = {
    "a text before the first part": ("## title", "Some notes.\n\n## title"),
    "a part that the lesson does not have": ("## title", "## titel"),
    "a question that the lesson does not have": ("### 04.row", "### 04.column"),
    "one part twice": ("### 04.row", "## title"),
    "no goal": ("**Goal:** A goal that is\nlong.", ""),
    "nothing to repeat": ("**Repeat:** A *point*: this.", ""),
    "an unknown label": ("**While it trains:**", "**Meanwhile:**"),
    "an unknown label, right below a paragraph": ("**Repeat:**", "**Point:**"),
    "a label of a question": ("**Above the task:**", "**Above the question:**"),
    "a label twice": ("**Say:** One. Two.", "**Say:** One. Two.\n**Say:** Three."),
    "an empty label": ("**Say:** One. Two.", "**Say:**"),
    "a text after the last label": ("**Below the reply:** Each row.", "**Below the reply:** Each row.\n\nEach column."),
    "a second paragraph": ("**While it trains:** Look.", "**While it trains:** Look.\n\nThen listen."),
    "a question of the room without its label": ("**They ask:**\n", ""),
    "no answer": ("  - Because.\n", ""),
    "the last one without an answer": ("  - Nothing.\n\n**While it trains:** Look.\n\n**Above the task:** X.\n", ""),
    "two answers": ("  - Because.", "  - Because.\n  - So."),
    "the same question twice": ("- And then?", "- Why? Here is more."),
}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "04_masks" / "notes.md"
    path.parent.mkdir()
    path.write_text(GOOD, encoding="utf-8")
    return path


def test_notes_are_read_by_part_and_by_question(file):
    asked = {"Why? Here is more.": "Because.", "And then?": "Nothing."}
    note = Note("A goal that is long.", "One. Two.", "A *point*: this.", asked, meanwhile="Look.", task="X.")
    expected = Notes({"title": note}, {"04.row": Context("Above are three.", "Each row.")})
    assert read(file, ["title", "row"], ["04.row"]) == expected


def test_what_cannot_be_used_is_told_with_its_line_and_what_to_write(file, snapshot):
    assert refusals(file, FAULTS, lambda: read(file, ["title", "row"], ["04.row"])) == snapshot


@pytest.mark.parametrize("lesson", course.lessons(), ids=lambda lesson: lesson.number)
def test_notes_follow_the_lessons_core(lesson):
    core = [part.id for part in lesson.core]
    assert [*lesson.notes.parts] == [name for name in core if name in lesson.notes.parts]
