"""A source's cells: those that jupytext reads, with what the course adds to them."""

import re

import jupytext
import pytest

from transformer_course import course
from transformer_course.course.source import Block, Heading, cells_of

SMALL = """# %% [markdown] minutes=20 lessons=["09", "10", "11"]
# # 04 · Masks: how?
#
# You need {lessons}; about {minutes} minutes.
#
# ## Padding {#padding}

# %% tags=["S5", "resume"]
import math

# %% [markdown] seconds=30
# <!-- picture -->
# two masks.
# <!-- end -->
# This takes {seconds} seconds. In the code `{seconds}` of a cell, nothing is filled.

# %% predict="04.row"

# %%
print("{minutes}")


def f():
    pass
"""


@pytest.mark.parametrize("source", course.sources(), ids=lambda source: source.link)
def test_cells_are_those_that_jupytext_reads(source):
    text = source.path.read_text(encoding="utf-8")
    theirs = jupytext.reads(text, "py:percent").cells
    ours = cells_of(text, source.file)
    for cell in theirs:
        cell.metadata.pop("lines_to_next_cell", None)
    assert [(cell.kind, cell.says) for cell in ours] == [(cell.cell_type, cell.metadata) for cell in theirs]
    for mine, cell in zip(ours, theirs, strict=True):
        marked = not cell.source if mine.kind == "code" else re.search(r"<!--|\{", cell.source)
        assert marked or mine.text == cell.source


def test_a_cell_is_what_the_notebook_has_and_what_its_source_says_besides():
    first, code, picture, asked, last = cells_of(SMALL, "lesson.py")
    assert first.text == "# 04 · Masks: how?\n\nYou need lessons 09 to 11; about 20 minutes.\n\n## Padding"
    assert first.headings == (Heading(1, "04 · Masks: how?", "", 0), Heading(2, "Padding", "padding", 4))
    assert (code.text, code.says, code.line) == ("import math", {"tags": ["S5", "resume"]}, 8)
    assert picture.text.startswith("Two masks.\nThis takes 30 seconds.")
    assert picture.blocks == (Block("picture", "Two masks.", 0),)
    text = "# %% [markdown]\n# <!-- picture -->\n# <!-- left -->\n# a loss.\n# <!-- right -->\n# a score."
    (panels,) = cells_of(text, "lesson.py")
    assert panels.text == "On the left, a loss.\nOn the right, a score."
    assert panels.caption == {"picture": "", "left": "a loss.", "right": "a score."}
    assert (asked.kind, asked.text) == ("code", 'predict("04.row")')
    assert last.text == 'print("{minutes}")\n\n\ndef f():\n    pass'
