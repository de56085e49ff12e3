"""A lesson as a page, for learners whose laptop fails."""

import html
import re

import nbformat
import pytest
from workshop_pages import flat, visible

from transformer_course import course
from transformer_course._util.mathml import with_formulas
from transformer_course.course.source import cells_of
from transformer_course.exercises.catalogue import questions
from transformer_course.exercises.markup import marked
from transformer_course.workshop import lesson
from transformer_course.workshop.html_export import FOLD, UNFOLD, _folded, executed

EVERY = tuple(source.number for source in course.lessons())


@pytest.mark.parametrize("number", ["03", "07", "15"])
def test_an_executed_lesson_shows_its_code_its_outputs_its_formulas_and_all_replies(number):
    page = executed(number, EVERY)
    notebook = lesson.stored(number)
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    pictures = sum("image/png" in output.get("data", {}) for output in outputs)
    assert page.count("data:image/png;base64,") == pictures >= 4
    described = [o.metadata["image/png"]["alt"] for o in outputs if "image/png" in o.get("data", {})]
    explorables = re.findall(r'<img [^>]*?src="data:image/webp[^>]*>', page)  # their pictures remain without scripts
    assert all('alt="' in picture for picture in explorables)
    shown = page
    for picture in explorables:
        shown = shown.replace(picture, "")
    assert [html.unescape(alt) for alt in re.findall(r'<img [^>]*?alt="(.*?)"', shown)] == described
    seen = visible(page)
    assert all(re.sub(r"\s+", "", cell.source) in seen for cell in notebook.cells if cell.cell_type == "code")
    for output in outputs:
        if output.get("name") == "stdout":
            assert flat(output.text) in seen
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    texts += [output.get("data", {}).get("text/html", "").partition("<script")[0] for output in outputs]
    formulas = sum(len(re.findall(r"\$\$.+?\$\$|\$[^$]+?\$", text, re.DOTALL)) for text in texts)
    assert page.count("<math ") == formulas >= 2
    assert "$" not in seen.replace("\\$", "")
    assert "<script" not in page
    for question in (question for name, question in questions().items() if name.startswith(number)):
        for text in (question.text, *(text for choice in question.choices for text in (choice.text, choice.reply))):
            assert visible(with_formulas(marked(text))) in seen


def test_questions_about_lessons_that_the_workshop_leaves_out_are_not_asked():
    page = visible(executed("05", ("02", "03", "05")))
    asked = {
        name: visible(with_formulas(marked(question.text))) in page
        for name, question in questions().items()
        if name.startswith("05.recall.")
    }
    assert asked == {"05.recall.mask": False, "05.recall.width": True, "05.recall.scores": True}


def test_what_follows_a_prediction_is_folded_up_to_its_reply():
    page = executed("02", EVERY)
    assert page.count("<details") == page.count("</details>")
    page = re.sub("<details data-choice.*?</details>", "", page, flags=re.DOTALL)
    _, *parts = page.split(FOLD)
    folded = [part[: part.index(UNFOLD, part.index('data-view="reveal"'))] for part in parts]
    assert len(folded) == 5
    assert "0.1554" in folded[1]  # the answer to 02.zero
    assert "0.1554" not in page[: page.index(folded[1])]
    assert "mirror images of each other" in folded[2]  # what the lesson shows next


@pytest.mark.parametrize(
    "begins",
    [
        "# %% [markdown]\n# ## The next part",
        "# %% [markdown]\n# <!-- paper -->\n# **Your turn, on paper.** Add.",
        "# %% [markdown]\n# <!-- task -->\n# **Your turn.** Add.",
        '# %% ask="02.recall"',
    ],
)
def test_what_is_folded_ends_where_a_part_a_task_or_a_question_begins(begins):
    text = f'# %% predict="02.zero"\n\n# %%\nreveal("02.zero")\n\n# %% [markdown]\n# So.\n\n{begins}\n'
    written = cells_of(text, "lesson.py")
    built = [nbformat.v4.new_code_cell(cell.text) for cell in written]
    links = nbformat.v4.new_markdown_cell("Links")
    shown = [cell.source for cell in _folded([links, *built, links], written)]
    assert shown == ["Links", 'predict("02.zero")', FOLD, 'reveal("02.zero")', "So.", UNFOLD, written[-1].text, "Links"]
