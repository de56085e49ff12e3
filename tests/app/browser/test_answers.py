"""Answers that a learner types into a sheet, and what the checks do with them."""

import json
import shutil

import pytest
from browser import SHEET, open_notebook, run_all
from playwright.sync_api import Page, expect

from transformer_course._util import paths
from transformer_course.exercises import catalogue
from transformer_course.exercises.catalogue import by_lesson

pytestmark = pytest.mark.slow


def answer(page: Page, begins: str, text: str) -> None:
    """Replace what a cell for an answer holds, then run the cell and the check below it."""
    cell = page.locator(".jp-CodeCell", has_text=begins).first
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")


def test_a_wrong_answer_is_diagnosed_in_the_page_and_a_right_one_passes(server, page):
    exercise = catalogue()["attention.by_hand"]
    open_notebook(page, server, SHEET)
    assert not any(output["output_type"] == "error" for cell in run_all(page) for output in cell["outputs"])
    assert page.get_by_text("There's no answer in weights_1 yet").is_visible()

    answer(page, "weights_1 = ...", "weights_1 = [4 / 6, 0, 2 / 6]")
    page.get_by_text("Exercise 1 of 4 ✗").wait_for()
    page.get_by_text(exercise.mistakes[0].diagnosis).wait_for()
    hints = [exercise.mistakes[0].hint, *exercise.hints]
    card = page.locator(".jp-OutputArea-output", has_text="Exercise 1 of 4 ✗")
    expect(card.get_by_role("status")).to_contain_text(exercise.mistakes[0].diagnosis)  # what a screen reader announces
    page.keyboard.press("Shift+Tab")  # from the cell below, which is selected now
    expect(card.get_by_text(f"Hint 1 of {len(hints)}", exact=True)).to_be_focused()
    for number, hint in enumerate(hints, 1):  # each is hidden until its summary is clicked
        assert not card.get_by_text(hint).is_visible()
        card.get_by_text(f"Hint {number} of {len(hints)}", exact=True).click()
        card.get_by_text(hint).wait_for()
    card.get_by_text("Show a solution").press("Enter")
    card.get_by_text("weights_1 = [0.8668, 0.0159, 0.1173]").wait_for()

    answer(page, "weights_1 = [4", "weights_1 = [0.8668, 0.0159, 0.1173]")
    page.get_by_text("Exercise 1 of 4 ✓").wait_for()
    page.get_by_text(exercise.why).wait_for()


def test_the_card_after_the_last_exercise_leads_on(server, page):
    names = [exercise.id for exercise in by_lesson()["02"] if exercise.id != "attention.by_hand"]
    passed = {"passed": dict.fromkeys(names, "2026-01-01T00:00:00")}
    server.home.mkdir(exist_ok=True)
    (server.home / "progress.json").write_text(json.dumps(passed))
    page.goto("about:blank")  # every 20 seconds, JupyterLab saves what an earlier test answered in this sheet
    shutil.copy(paths.ROOT / SHEET, server.folder / SHEET)
    open_notebook(page, server, SHEET)
    run_all(page)
    answer(page, "weights_1 = ...", "weights_1 = [0.8668, 0.0159, 0.1173]")
    page.get_by_text("You have passed all 7 exercises of this notebook").wait_for()
    page.locator(".jp-OutputArea-output").get_by_role("link", name="Go on with lesson 03").click()
    lesson = "notebooks/03_queries_keys_values_and_the_scale.ipynb"
    page.wait_for_function(f"jupyterapp.shell.currentWidget?.context?.path === '{lesson}'")


def test_an_endless_answer_leaves_the_kernel_alive(server, page):
    open_notebook(page, server, SHEET)
    loop = """
from transformer_course.exercises import check

def softmax(scores):
    while True:
        pass

check("attention.softmax", softmax)
"""
    outputs = page.evaluate(
        """async code => {
            const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
            const run = async code => {
                let output = "";
                const future = kernel.requestExecute({code});
                future.onIOPub = message => { output += message.content.data?.["text/plain"] ?? message.content.text ?? ""; };
                await future.done;
                return output;
            };
            return [await run(code), await run("6 * 7")];
        }""",
        loop,
    )
    assert "stopped after 5 seconds" in outputs[0]
    assert outputs[1] == "42"
