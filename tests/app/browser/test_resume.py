"""The next day: JupyterLab opens where the learner stopped, and a new kernel says what to run first."""

import pytest
from browser import ACTIVE, CELLS, LESSON, Keyboard, Server, open_notebook
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

IDLE = "jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'"
TABS = "Array.from(jupyterapp.shell.widgets('main')).map(widget => widget.title.label)"


def test_the_next_day_the_lesson_is_open_at_the_cell_that_was_run_last(page, tmp_path):
    course, home = tmp_path / "my course", tmp_path / "home"
    with Server(course, home, tmp_path / "config") as server:
        open_notebook(page, server, LESSON)
        learner = Keyboard(page)
        last = learner.cell("exponentials = np.exp(X @ X[1])")
        learner.run_to("exponentials = np.exp(X @ X[1])")
        page.evaluate("jupyterapp.commands.execute('docmanager:save')")
        page.wait_for_function("!jupyterapp.shell.currentWidget.context.model.dirty")
        for other in ("notebooks/03_queries_keys_values_and_the_scale.ipynb", "docs/glossary.md"):
            page.evaluate("path => { jupyterapp.commands.execute('docmanager:open', { path }) }", other)
        page.wait_for_function(f"{TABS}.length === 3")
        page.goto("about:blank")

    with Server(course, home, tmp_path / "config of the next day") as server:
        page.goto(f"http://127.0.0.1:{server.port}{server.first}?token={server.token}")
        page.wait_for_function(f"window.jupyterapp?.shell.currentWidget?.content?.model && {ACTIVE} === {last}")
        page.wait_for_function(IDLE)
        assert page.evaluate(TABS) == ["02_self_attention_by_hand.ipynb"]
        cell = page.locator(f".jp-Notebook-cell[data-windowed-list-index='{last}']")
        expect(cell).to_be_in_viewport()

        page.keyboard.press("Control+Enter")
        expect(cell).to_contain_text(
            "`np` is not defined: the cell above that defines it has not been run since this kernel started"
        )
        page.get_by_role("button", name="Run all above").click()
        page.keyboard.press("Control+Enter")
        page.wait_for_function(f"{CELLS}[{last}].outputs[0]?.output_type === 'stream'")
        expect(cell).to_contain_text("[0.5777 0.8446]")

        page.evaluate(f"{ACTIVE} = 0")
        for path in ("docs/glossary.md", LESSON):
            page.evaluate("path => { jupyterapp.commands.execute('docmanager:open', { path }) }", path)
            page.wait_for_function("path => jupyterapp.shell.currentWidget.context?.path === path", arg=path)
        assert page.evaluate(ACTIVE) == 0  # who comes back to the lesson stays where they are
