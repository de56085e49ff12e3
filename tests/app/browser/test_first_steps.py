"""A newcomer's first steps in JupyterLab: a guess, a wrong answer, a right one. `make test` opens this lesson and no other."""

import html
import json

from browser import CELLS, Keyboard
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
    page.wait_for_function("jupyterapp.shell.currentWidget?.context?.path === 'notebooks/02_self_attention_by_hand.ipynb'")
