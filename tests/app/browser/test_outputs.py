"""Outputs that change while a cell runs."""

import re

import nbformat
import pytest
from browser import CELLS, open_notebook

pytestmark = pytest.mark.slow

LONG_RUN = """import time
from pathlib import Path
from transformer_course._util.progress_bar import progress
print("before")
for step in progress(range(8), "training"):
    time.sleep(0.5)
    while step == 5 and not Path("seen").exists():  # however slow the browser is
        time.sleep(0.05)
print("after")"""


def test_progress_is_seen_while_it_lasts_and_gone_after(server, page):
    code = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(LONG_RUN), nbformat.v4.new_code_cell("")])
    code.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(code, server.folder / "run.ipynb")
    open_notebook(page, server, "run.ipynb")
    page.evaluate("() => { jupyterapp.commands.execute('runmenu:run-all') }")  # without waiting for it to finish
    line = page.locator(".jp-OutputArea-output", has_text=re.compile(r"training: \d of 8, about \d+ s left"))
    line.wait_for()
    (server.folder / "seen").touch()
    page.locator(".jp-OutputArea-output", has_text="after").wait_for()
    assert line.count() == 0
    shown = [output.inner_text().strip() for output in page.locator(".jp-OutputArea-output").all()]
    assert [text for text in shown if text] == ["before", "after"]
    assert sum(output.bounding_box()["height"] for output in page.locator(".jp-OutputArea-output").all()) < 60  # two lines


LEARNING = """import time
from pathlib import Path
from transformer_course import figures
with figures.live(15, "learning") as watch:
    for step in range(1, 16):
        time.sleep(0.2)
        while step == 10 and not Path("early figure").exists():  # however slow the browser is
            time.sleep(0.05)
        watch(step, 1 / step, {"share": step / 15})"""


def test_a_figure_grows_in_its_place_and_one_is_left(server, page):
    code = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(LEARNING), nbformat.v4.new_code_cell("")])
    code.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(code, server.folder / "learning.ipynb")
    open_notebook(page, server, "learning.ipynb")
    page.evaluate("() => { jupyterapp.commands.execute('runmenu:run-all') }")  # without waiting for it to finish
    pictures = page.locator(".jp-OutputArea-output img")
    pictures.first.wait_for()
    assert pictures.count() == 1
    early = pictures.get_attribute("src")
    (server.folder / "early figure").touch()
    page.wait_for_function(f"{CELLS}[0].execution_count !== null")
    page.wait_for_function(f"{CELLS}[0].execution_state !== 'running'")
    assert pictures.count() == 1
    assert pictures.get_attribute("src") != early
    (output,) = page.evaluate(CELLS)[0]["outputs"]
    assert output["output_type"] == "display_data"


DESCRIBED = """from transformer_course import figures
ax = figures.bars([0.2, 0.8], ["a", "b"], "Weights")"""


def test_a_figure_has_alt_text_when_it_is_drawn_and_opened_again_and_exported(server, page):
    code = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(DESCRIBED), nbformat.v4.new_code_cell("")])
    code.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(code, server.folder / "described.ipynb")
    open_notebook(page, server, "described.ipynb")
    page.evaluate("() => { jupyterapp.commands.execute('runmenu:run-all') }")
    sentence = "Weights: bars: a 0.2, b 0.8."
    picture = page.get_by_role("img", name=sentence)
    picture.wait_for()
    page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    open_notebook(page, server, "described.ipynb")
    picture.wait_for()
    assert page.locator(".jp-OutputArea-output img").count() == 1
    exported = server.get("/nbconvert/html/described.ipynb")
    assert re.findall(r'<img [^>]*?alt="(.*?)"', exported) == [sentence]
