"""Lessons as a learner meets them: opened, run and read in JupyterLab."""

import html
import json

import pytest
from browser import CELLS, LESSON, Keyboard, cells, open_notebook, run_all
from playwright.sync_api import expect

from transformer_course.exercises import catalogue
from transformer_course.exercises.catalogue import predictions

pytestmark = pytest.mark.slow


def test_lesson_00_is_served_with_its_token_and_without_answers(server):
    assert server.first == "/course"
    assert "<html" in server.get(server.first)
    notebook = json.loads(server.get("/api/contents/notebooks/00_start_here.ipynb"))["content"]
    assert "# 00 · Start here" in notebook["cells"][0]["source"]
    assert not any(cell.get("outputs") for cell in notebook["cells"])


def test_all_of_lesson_02_runs(server, page):
    open_notebook(page, server, LESSON)
    assert not any(cell["outputs"] for cell in cells(page))
    assert not page.evaluate("jupyterapp.shell.currentWidget.context.model.dirty")  # opening the notebook has not changed it
    ran = run_all(page)
    outputs = [output for cell in ran for output in cell["outputs"]]
    assert not [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"]
    drawing = sum("figures." in cell["source"] and "import" not in cell["source"] for cell in ran)
    assert sum("image/png" in output.get("data", {}) for output in outputs) == drawing >= 3
    assert sum("No guess yet" in str(output) for output in outputs) == sum("reply(" in cell["source"] for cell in ran)


def test_a_question_opens_its_reply(server, page):
    open_notebook(page, server, LESSON)
    choice = page.locator(".jp-RenderedMarkdown details", has_text="Those are the products coordinate by coordinate").first
    assert not choice.evaluate("choice => choice.open")
    choice.locator("summary").click()
    assert choice.evaluate("choice => choice.open")


def test_a_newcomers_first_steps(server, page):
    page.goto(f"http://127.0.0.1:{server.port}{server.first}?token={server.token}&reset")
    page.wait_for_function(f"window.jupyterapp?.shell.currentWidget?.context?.path && {CELLS}.length > 1")
    page.wait_for_function("jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'")
    learner, exercise = Keyboard(page), catalogue()["start.average"]
    answer, check, hint = "my_average = ...", 'check("start.average"', 'hint("start.average"'
    mine = "ax = figures.progress("

    learner.run_to("attention = [")
    learner.write("guess = ...", 'guess = "b"')
    learner.run_to("reply(")
    assert predictions()["00.average"].replies["b"] in html.unescape(learner.shows("reply("))

    learner.write(answer, "my_average = 5")
    learner.run_to(mine)
    assert exercise.mistakes[0].diagnosis in html.unescape(learner.shows(check))
    assert exercise.hints[0] in html.unescape(learner.shows(hint))
    before = learner.shows(mine, "image/png")

    learner.write(hint, 'hint("start.average")')
    learner.run_to(hint)
    assert exercise.hints[1] in html.unescape(learner.shows(hint))

    learner.write(answer, "my_average = 4")
    learner.run_to(mine)
    assert "✓" in learner.shows(check)
    assert learner.shows(mine, "image/png") != before
    assert exercise.id in json.loads((server.home / "progress.json").read_text())["passed"]

    learner.run_down()
    page.get_by_role("link", name="01 · Why attention?").click()
    page.wait_for_function("jupyterapp.shell.currentWidget?.context?.path === 'notebooks/01_why_attention.ipynb'")


def test_a_page_is_read_and_not_edited_and_its_table_leads_to_its_parts(server, page):
    open_notebook(page, server, "notebooks/00_start_here.ipynb")
    places = [place for place, cell in enumerate(page.evaluate(CELLS)) if "What you need before you begin" in cell["source"]]
    page.evaluate(f"jupyterapp.shell.currentWidget.content.scrollToItem({places[0]}, 'start')")
    page.get_by_role("link", name="What you need before you begin").click()
    shown = page.locator(".jp-MarkdownViewer:visible")
    shown.get_by_role("link", name="Probability", exact=True).click()
    expect(shown.get_by_role("heading", name="10 · Probability")).to_be_in_viewport()
    answer = shown.locator("details").last
    assert "0.5 · 0.2 = 0.1" not in answer.inner_text()
    answer.locator("summary").click()
    expect(answer).to_contain_text("0.5 · 0.2 = 0.1")
