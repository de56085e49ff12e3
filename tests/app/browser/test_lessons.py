"""Lessons as a learner meets them: opened, run and read in JupyterLab."""

import nbformat
import pytest
from browser import CELLS, LESSON, Keyboard, cells, open_notebook, run_all
from playwright.sync_api import expect

from transformer_course.folders.learner_folder import fingerprint

pytestmark = pytest.mark.slow


def test_all_of_lesson_02_runs(server, page):
    open_notebook(page, server, LESSON)
    assert not any(cell["outputs"] for cell in cells(page))
    assert not page.evaluate("jupyterapp.shell.currentWidget.context.model.dirty")  # opening the notebook has not changed it
    ran = run_all(page)
    outputs = [output for cell in ran for output in cell["outputs"]]
    assert not [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"]
    drawing = sum("figures." in cell["source"] and "import" not in cell["source"] for cell in ran)
    assert sum("image/png" in output.get("data", {}) for output in outputs) == drawing >= 3


def test_a_guess_by_keyboard_is_answered_by_the_next_cell(server, page):
    open_notebook(page, server, LESSON)
    learner = Keyboard(page)
    learner.run_to('predict("02.car")')
    guess, reply = (page.locator(f'[data-question="02.car"][data-view="{view}"]') for view in ("predict", "reveal"))
    expect(guess.get_by_role("button")).to_have_count(3)
    page.keyboard.press("Shift+Tab")
    expect(guess.get_by_role("button").last).to_be_focused()
    for key in ("ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(guess.get_by_role("status")).to_have_text("Your guess is a. Now run the next cell.")
    page.keyboard.press("Shift+Enter")
    expect(reply.locator("p")).to_contain_text("You guessed a.")
    expect(reply.get_by_text("Car has different scores")).to_be_visible()
    expect(reply.get_by_text("Yes, and you can be sure of it")).to_be_hidden()


def test_a_guess_by_mouse_is_answered_and_may_be_changed(server, page):
    open_notebook(page, server, LESSON)
    Keyboard(page).run_to('predict("02.largest")')
    guess, reply = (page.locator(f'[data-question="02.largest"][data-view="{view}"]') for view in ("predict", "reveal"))
    guess.get_by_role("button").first.click()
    page.keyboard.press("Shift+Enter")  # the next cell is still selected
    expect(reply.locator("p")).to_contain_text("You guessed a.")
    guess.get_by_role("button").last.click()
    expect(reply.locator("p")).to_contain_text("You first guessed a; now c.")
    expect(reply.locator("details").last).to_have_attribute("open", "")
    expect(reply.locator("details").first).not_to_have_attribute("open", "")


def test_a_recall_question_replies_at_once_to_the_keyboard(server, page):
    open_notebook(page, server, LESSON)
    Keyboard(page).run_to('ask("02.recall")')
    choice = page.locator('[data-question="02.recall.exp"] [data-choice=c]')
    page.keyboard.press("Shift+Tab")
    expect(choice.locator("summary")).to_be_focused()
    page.keyboard.press("Space")
    expect(choice.get_by_role("img", name="Wrong")).to_be_visible()


FOLDED = """
from transformer_course.exercises import predict
predict("02.zero")
"""


def test_a_folded_cell_says_how_to_read_it_and_unfolding_changes_nothing(server, page):
    cells = [nbformat.v4.new_code_cell(code) for code in (FOLDED, FOLDED.replace("predict", "reveal"))]
    cells[1].metadata["jupyter"] = {"source_hidden": True}
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, server.folder / "folded.ipynb")
    before = fingerprint((server.folder / "folded.ipynb").read_bytes())
    open_notebook(page, server, "folded.ipynb")
    run_all(page)
    expect(page.get_by_text("The code was folded, because it gives the answer away.")).to_be_visible()
    page.locator(".jp-InputPlaceholder .jp-Placeholder-content").click()
    expect(page.locator(".jp-Cell").nth(1).locator(".cm-content")).to_be_visible()
    page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_function("!jupyterapp.shell.currentWidget.context.model.dirty")
    saved = (server.folder / "folded.ipynb").read_bytes()
    assert b"source_hidden" not in saved
    assert fingerprint(saved) == before


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
