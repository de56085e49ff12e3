"""A newcomer's first steps in JupyterLab: a guess, a wrong answer, a right one, and a text that waits for its result.

`make test` starts JupyterLab in a browser for this file and no other.
"""

import html
import json

import pytest
from browser import ACTIVE, CELLS, LESSON, WAITS, Keyboard, open_notebook
from playwright.sync_api import expect

from transformer_course.exercises import catalogue
from transformer_course.exercises.catalogue import questions


def test_a_newcomers_first_steps(server, page):
    page.goto(f"http://127.0.0.1:{server.port}{server.first}?token={server.token}&reset")
    page.wait_for_function(f"window.jupyterapp?.shell.currentWidget?.context?.path && {CELLS}.length > 1")
    page.wait_for_function("jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'")
    learner, exercise = Keyboard(page), catalogue()["start.average"]
    answer, check = "my_average = ...", 'check("start.average"'
    mine = "from transformer_course.exercises import my_progress"

    learner.run_to('predict("00.average")')
    page.locator('[data-view="predict"]').get_by_role("button", name="a 4").click()
    learner.run_to("print(0.75 * 2")
    expect(page.get_by_text(questions()["00.average"].lettered["a"].reply)).to_be_visible()

    learner.write(answer, "my_average = 5")
    learner.run_to(mine)
    assert exercise.mistakes[0].diagnosis in html.unescape(learner.shows(check))
    assert exercise.hints[0] in html.unescape(learner.shows(check))
    before = learner.shows(mine)

    learner.write(answer, "my_average = 4")
    learner.run_to(mine)
    assert "✓" in learner.shows(check)
    assert "00 · Start here</a>: 0 of 1" in before
    assert "00 · Start here</a>: 1 of 1" in learner.shows(mine)
    assert exercise.id in json.loads((server.home / "progress.json").read_text())["passed"]

    expect(page.get_by_role("button", name="Choose The ideas")).to_be_visible()
    page.get_by_role("button", name="Choose The ideas").click()
    expect(page.get_by_text("Your path is now: The ideas")).to_be_visible()

    learner.run_down()
    page.get_by_role("link", name="02 · Self-attention by hand").last.click()
    page.wait_for_function(f"jupyterapp.shell.currentWidget?.context?.path === '{LESSON}'")


@pytest.mark.slow
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
def test_after_a_guess_the_next_cell_is_selected(server, page):
    open_notebook(page, server, LESSON)
    learner = Keyboard(page)
    asks = learner.cell('predict("02.zero")')
    learner.run_to(learner.sources[asks])
    page.evaluate(f"jupyterapp.shell.currentWidget.content.activeCellIndex = {asks}")
    page.locator('course-question[data-question="02.zero"] button').first.click()
    page.wait_for_function(f"{ACTIVE} === {asks + 1}")
