"""The text that explains a result, below a question: it waits for the result, and a click on a guess leads to it."""

import nbformat
import pytest
from browser import ACTIVE, LESSON, Keyboard, open_notebook
from playwright.sync_api import expect

WAITS = """start => jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.sharedModel.source.startsWith(start))
    .map(cell => cell.node.classList.contains("course-waits"))"""


def test_an_explanation_waits_for_its_result(server, page):
    open_notebook(page, server, LESSON)
    learner = Keyboard(page)
    result = next(source for source in learner.sources if 'reveal("02.largest")' in source)
    explains, *below = learner.sources[learner.cell(result) + 1 :]
    page.wait_for_function(f"start => ({WAITS})(start)[0]", arg=explains)
    assert page.evaluate(WAITS, next(source for source in below if source.startswith("#"))) == [False]
    text = page.locator(".jp-Notebook .course-waits .jp-MarkdownOutput").first
    learner.run_to('predict("02.largest")')
    expect(text).to_be_hidden()
    learner.run_to(result)
    page.wait_for_function(f"start => !({WAITS})(start)[0]", arg=explains)


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


def test_after_a_guess_the_next_cell_is_selected(server, page):
    open_notebook(page, server, LESSON)
    learner = Keyboard(page)
    asks = learner.cell('predict("02.zero")')
    learner.run_to(learner.sources[asks])
    page.evaluate(f"jupyterapp.shell.currentWidget.content.activeCellIndex = {asks}")
    page.locator('course-question[data-question="02.zero"] button').first.click()
    page.wait_for_function(f"{ACTIVE} === {asks + 1}")
