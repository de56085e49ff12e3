"""Explorables: a picture while the notebook is not trusted, and then controls whose events stay with them."""

import nbformat
import pytest
from browser import ACTIVE, open_notebook, run_all
from explorable_samples import SAMPLES
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

MODE = "jupyterapp.shell.currentWidget.content.mode"
COUNT = "jupyterapp.shell.currentWidget.content.widgets.length"
STATE = "each => JSON.stringify(each.closest('.course-explorable').state)"


@pytest.fixture
def lab(server, page):
    """A notebook of stored explorables, which another computer has sent, so that it is not trusted."""
    cells = []
    for name, make in SAMPLES.items():
        shown = make()
        (server.folder / f"{name}.html").write_text(shown._repr_html_(), encoding="utf-8")
        data = {"text/html": shown._repr_html_(), "text/plain": repr(shown)}
        output = nbformat.v4.new_output("execute_result", data=data, execution_count=1)
        source = f"from IPython.display import HTML\nHTML(filename='{name}.html')"
        cells.append(nbformat.v4.new_code_cell(source, outputs=[output], execution_count=1))
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), server.folder / "explore.ipynb")
    open_notebook(page, server, "explore.ipynb")
    return page


def test_a_picture_until_it_is_trusted_then_controls_whose_events_stay_with_them(lab):
    expect(lab.locator(".jp-OutputArea-output img")).to_have_count(len(SAMPLES))
    expect(lab.locator(".course-explorable")).to_have_count(0)
    run_all(lab)
    expect(lab.locator(".course-explorable")).to_have_count(len(SAMPLES))
    lab.evaluate("jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
    before = [lab.evaluate(what) for what in (ACTIVE, MODE, COUNT)]
    for control in lab.locator(".course-explorable :is([type=range], .handle)").all():
        control.focus()
        for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "d", "d", "a", "Escape", "Enter"):
            lab.keyboard.press(key)
            expect(control).to_be_focused()
        state = control.evaluate(STATE)
        control.scroll_into_view_if_needed()
        box = control.bounding_box()
        lab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        lab.mouse.down()
        lab.mouse.move(box["x"] + box["width"] / 2 + 40, box["y"] + 5)
        lab.mouse.up()
        assert control.evaluate(STATE) != state
        assert [lab.evaluate(what) for what in (ACTIVE, MODE, COUNT)] == before
