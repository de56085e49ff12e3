"""The map of the model in JupyterLab: its parts open notebooks."""

import nbformat
import pytest
from axe import serious_faults
from browser import open_notebook

pytestmark = pytest.mark.slow


def test_a_part_opens_the_notebook_where_it_is_built(server, page):
    shows = "from transformer_course.exercises import my_progress\n\nmy_progress()"
    code = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(shows), nbformat.v4.new_code_cell("")])
    code.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(code, server.folder / "notebooks" / "map.ipynb")
    open_notebook(page, server, "notebooks/map.ipynb")
    page.evaluate("jupyterapp.commands.execute('runmenu:run-all')")
    part = page.locator(".course-map").get_by_role("link", name="Feed-forward")
    part.wait_for()
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        page.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
        page.wait_for_function("theme => document.body.dataset.jpThemeName === theme", arg=theme)
        assert serious_faults(page, [".course-map"]) == [], theme
    part.click()
    page.wait_for_function("jupyterapp.shell.currentWidget?.context?.path === 'exercises/B4_a_gpt.ipynb'")
