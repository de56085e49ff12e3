"""A lesson as a page, for learners whose laptop fails."""

import re

import pytest
from workshop_pages import flat, visible, visible_marked

from transformer_course.exercises.catalogue import predictions
from transformer_course.workshop import lesson
from transformer_course.workshop.html_export import executed


@pytest.mark.parametrize("number", ["03", "15"])
def test_an_executed_lesson_shows_its_outputs_its_formulas_and_all_replies(number):
    page = executed(number)
    notebook = lesson.read(number)
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    pictures = sum("image/png" in output.get("data", {}) for output in outputs)
    assert page.count("data:image/png;base64,") == pictures >= 4
    seen = visible(page)
    for output in outputs:
        if output.get("name") == "stdout":
            assert flat(output.text) in seen
    formulas = sum(
        len(re.findall(r"\$\$.+?\$\$|\$[^$]+?\$", cell.source, re.DOTALL))
        for cell in notebook.cells
        if cell.cell_type == "markdown"
    )
    assert page.count("<math ") == formulas >= 2
    assert "$" not in seen.replace("\\$", "")
    for name, prediction in predictions().items():
        if name.startswith(number):
            assert all(visible_marked(reply) in seen for reply in prediction.replies.values())
    assert "Noguessyet" not in seen
