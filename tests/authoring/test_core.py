"""The core of a lesson: short enough for the minutes that its first cell states, with numbers in place of verdicts."""

import re

import pytest
from built_notebooks import LESSONS, built, read

from transformer_course._util import headings
from transformer_course.authoring import build
from transformer_course.workshop import lesson

# Lesson 00 has nothing to skip. Every other lesson joins this list once it has parts that may be skipped.
WITH_A_CORE = [
    source
    for source in LESSONS
    if source.stem.startswith("00") or f"\n# ## {lesson.DEEPER}\n" in source.read_text(encoding="utf-8")
]
EACH = pytest.mark.parametrize("source", WITH_A_CORE, ids=lambda source: source.stem)

WORDS_PER_MINUTE = 180  # of a careful reader
LINES_PER_MINUTE = 20  # of code that is not folded
PAPER_MINUTES = 2  # for each "Your turn"
MOST_WORDS, MOST_MINUTES = 1500, 25


def core(source):
    return lesson.core(lesson.sections_of(build.notebook_of(source)))


def words_of_replies(questions) -> float:
    """The number of words in the replies that a reader opens, one for each question: their mean, as it may be any."""
    return sum(len(choice.reply.split()) / len(each.choices) for each in questions for choice in each.choices)


def lines_of_code(cells) -> int:
    """The number of lines of code to read."""
    code = [cell for cell in cells if cell.cell_type == "code"]
    shown = [cell.source for cell in code if not cell.metadata.get("jupyter", {}).get("source_hidden")]
    return sum(bool(line.strip()) for source in shown for line in source.splitlines())


def computed_minutes(source) -> float:
    """A careful reader's minutes: words, code, a minute of thought per prediction, announced waits, and work on paper."""
    cells, parts = build.notebook_of(source).cells, core(source)
    prose = "\n".join(text for part in parts for text in part.prose).replace("\n", " ")
    predictions = [asked.question for part in parts for asked in part.asked if asked.is_prediction]
    words = sum(part.words for part in parts) + words_of_replies(predictions)
    lines = lines_of_code(cells[index] for part in parts for index in part.cells)
    waits = sum(map(int, re.findall(r"\babout (\d+) seconds", prose))) / 60
    on_paper = PAPER_MINUTES * prose.count("**Your turn")
    return words / WORDS_PER_MINUTE + lines / LINES_PER_MINUTE + len(predictions) + waits + on_paper


@EACH
def test_a_core_takes_the_minutes_that_its_first_cell_states(source):
    computed, stated = computed_minutes(source), headings.minutes(source)
    assert abs(stated - computed) <= 0.2 * computed, f"computed: {computed:.1f} minutes"
    assert stated <= MOST_MINUTES


@EACH
def test_a_core_is_short(source):
    parts = core(source)
    assert sum(part.prose_words for part in parts) <= MOST_WORDS
    assert 1 <= sum(asked.is_prediction for part in parts for asked in part.asked) <= 4


@EACH
def test_a_core_ends_with_its_questions_and_the_answer_to_its_title(source):
    if source.stem.startswith("00"):
        pytest.skip("lesson 00 asks its last questions before the course begins")
    final = core(source)[-1]
    assert final.heading == "Before you go"
    assert any(not asked.is_prediction for asked in final.asked)
    assert any(text.startswith("**") for text in final.prose)


def printed_booleans(notebook) -> list[str]:
    """The lines of text output that end in True or False: verdicts. A printed mask ends in a bracket."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    texts = [o.get("text", "") or str(o.get("data", {}).get("text/plain", "")) for o in outputs]
    return [line for text in texts for line in text.splitlines() if re.search(r"\b(True|False)\s*$", line)]


@EACH
def test_a_lesson_prints_numbers_not_verdicts(source):
    assert len(printed_booleans(read(built(source)))) <= 1
