"""What the course shows inside JupyterLab has no serious fault for people who use a keyboard or a screen reader.

JupyterLab's own parts are left out: its editors have no names, for example.
"""

import pytest
from axe import serious_faults
from browser import LESSON, SHEET, open_notebook, run_all

pytestmark = pytest.mark.slow

OURS = [".jp-OutputArea-output", ".jp-MarkdownOutput"]


@pytest.mark.parametrize("notebook", [LESSON, SHEET])
def test_outputs_and_texts_have_no_serious_fault(notebook, server, page):
    open_notebook(page, server, notebook)
    run_all(page)
    for fold in page.locator(".jp-OutputArea-output summary").all():  # what is folded is read too
        fold.evaluate("summary => { summary.parentElement.open = true }")
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        page.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
        page.wait_for_function("theme => document.body.dataset.jpThemeName === theme", arg=theme)
        assert serious_faults(page, OURS) == [], theme
    page.locator(OURS[0]).first.evaluate("output => { output.append(new Image()) }")
    assert any("image-alt" in fault for fault in serious_faults(page, OURS))
