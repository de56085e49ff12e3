"""The text that explains a result, below a question: what ends its wait. (See also test_first_steps.py.)"""

import nbformat
import pytest
from browser import LESSON, WAITS, Keyboard, open_notebook

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("asks", ['predict("02.zero")', "**Predict:** what will x be?"])
def test_a_cell_that_prints_nothing_ends_the_wait_too(server, page, asks):
    new = nbformat.v4
    ask = new.new_markdown_cell(asks) if asks.startswith("*") else new.new_code_cell(asks)
    cells = [new.new_code_cell("from transformer_course.exercises import predict"), ask, new.new_code_cell("x = 1")]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    cells.append(new.new_markdown_cell("Nothing was printed."))
    nbformat.write(new.new_notebook(cells=cells, metadata=kernel), server.folder / "quiet.ipynb")
    open_notebook(page, server, "quiet.ipynb")
    learner = Keyboard(page)
    page.wait_for_function(f"start => ({WAITS})(start)[0]", arg="Nothing")
    learner.run_to("x = 1")
    page.wait_for_function(f"start => !({WAITS})(start)[0]", arg="Nothing")


def test_so_does_what_the_lesson_shows_next_in_the_same_section(server, page):
    open_notebook(page, server, LESSON)
    learner = Keyboard(page)
    follows = "These are the same three vectors"
    learner.run_to('predict("02.car")')
    page.wait_for_function(f"start => ({WAITS})(start)[0]", arg=follows)
    learner.run_to(next(source for source in learner.sources if 'reveal("02.car")' in source))
    assert page.evaluate(WAITS, follows) == [True]
    learner.run_to("print(X[:, ::-1])")
    page.wait_for_function(f"start => !({WAITS})(start)[0]", arg=follows)


def test_a_click_shows_an_explanation_without_the_result(server, page):
    open_notebook(page, server, LESSON)
    learner = Keyboard(page)
    learner.run_to('predict("02.zero")')
    waiting = page.locator(".jp-Notebook .course-waits").first
    place = waiting.evaluate("node => jupyterapp.shell.currentWidget.content.widgets.findIndex(cell => cell.node === node)")
    waiting.click(position={"x": 120, "y": 10})
    page.wait_for_function(
        "k => !jupyterapp.shell.currentWidget.content.widgets[k].node.classList.contains('course-waits')", arg=place
    )
