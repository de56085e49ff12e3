"""The course as a learner meets it: served by JupyterLab, in a real browser."""

import contextlib
import html
import json
import os
import re
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from chromium import CHROMIUM, OFFLINE
from playwright.sync_api import Page, expect, sync_playwright

from transformer_course.exercises import catalogue
from transformer_course.exercises.catalogue import predictions

pytestmark = pytest.mark.slow

LESSON, SHEET = "notebooks/02_self_attention_by_hand.ipynb", "exercises/02_sheet_self_attention_by_hand.ipynb"

# What the open notebook holds, as JupyterLab knows it: on long notebooks, only the cells in view are in the page.
CELLS = "jupyterapp.shell.currentWidget.content.model.sharedModel.toJSON().cells"


class Server:
    def __init__(self, folder: Path, home: Path, config: Path):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.folder, self.home = folder, home
        config.mkdir()
        (config / "jupyter_lab_config.py").write_text("c.LabApp.expose_app_in_browser = True\n")
        ours = "IPYTHONDIR", "TRANSFORMER_COURSE_PROGRESS"  # see conftest.py; a learner has neither
        kept = {name: value for name, value in os.environ.items() if name not in ours}
        env = {**kept, "TRANSFORMER_COURSE_HOME": str(home), "JUPYTER_CONFIG_DIR": str(config), "PYTHONUNBUFFERED": "1"}
        command = [
            sys.executable,
            "-m",
            "transformer_course.app.cli",
            "lab",
            str(folder),
            "--no-browser",
            "--port",
            str(self.port),
        ]
        self.process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = ""
        for line in self.process.stdout:
            said += line
            if found := re.search(rf"http://127\.0\.0\.1:{self.port}(\S+)\?token=(\w+)", line):
                self.first, self.token = found.groups()
                self.wait()
                return
        raise AssertionError(f"JupyterLab did not start:\n{said}")

    def wait(self) -> None:
        """The address is printed a moment before the server listens there."""
        pause = threading.Event()
        for _ in range(300):
            with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", self.port)):
                return
            pause.wait(0.1)
        raise AssertionError(f"nothing listens on port {self.port}")

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}?token={self.token}") as answer:
            assert answer.status == 200
            return answer.read().decode()


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    place = tmp_path_factory.mktemp("learner")
    running = Server(place / "my course", place / "home", place / "config")
    yield running
    running.process.terminate()
    running.process.communicate(timeout=30)


@pytest.fixture(scope="module")
def page(server: Server) -> Iterator[Page]:
    if CHROMIUM is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("needs Chromium: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OFFLINE)
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        page.set_default_timeout(60_000)
        yield page
        browser.close()


def open_notebook(page: Page, server: Server, path: str) -> None:
    page.goto(f"http://127.0.0.1:{server.port}/lab/tree/{path}?token={server.token}&reset")
    page.wait_for_function(f"window.jupyterapp?.shell.currentWidget?.context?.path === '{path}' && {CELLS}.length > 1")
    page.wait_for_function("jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'")


def cells(page: Page) -> list[dict]:
    return [cell for cell in page.evaluate(CELLS) if cell["cell_type"] == "code"]


def run_all(page: Page) -> list[dict]:
    page.evaluate("jupyterapp.commands.execute('runmenu:run-all')")
    page.wait_for_function(f"{CELLS}.filter(c => c.cell_type === 'code').every(c => c.execution_count)")
    page.wait_for_function("jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'")
    return cells(page)


def test_lesson_00_is_served_with_its_token_and_without_answers(server):
    assert re.fullmatch(r"/lab/workspaces/course-\w+/tree/notebooks/00_start_here.ipynb", server.first)
    assert "<html" in server.get(server.first)
    notebook = json.loads(server.get("/api/contents/notebooks/00_start_here.ipynb"))["content"]
    assert "# 00 · Start here" in notebook["cells"][0]["source"]
    assert not any(cell.get("outputs") for cell in notebook["cells"])


def test_all_of_lesson_02_runs(server, page):
    open_notebook(page, server, LESSON)
    assert not any(cell["outputs"] for cell in cells(page))
    assert not page.evaluate("jupyterapp.shell.currentWidget.context.model.dirty")  # nobody has changed it yet
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


def answer(page: Page, empty: str, text: str) -> None:
    """Type an answer over the one that stands there, and run its cell and the check below it."""
    cell = page.locator(".jp-CodeCell", has_text=empty).first
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
    page.get_by_text("✗ attention.by_hand: not yet").wait_for()
    page.get_by_text(exercise.mistakes[0].diagnosis).wait_for()

    answer(page, "weights_1 = [4", "weights_1 = [0.8668, 0.0159, 0.1173]")
    page.get_by_text("✓ attention.by_hand: passed").wait_for()


ACTIVE = "jupyterapp.shell.currentWidget.content.activeCellIndex"


class Keyboard:
    """A learner who works through the open notebook with the keyboard alone."""

    def __init__(self, page: Page):
        self.page = page
        self.sources = [cell["source"] for cell in page.evaluate(CELLS)]
        page.evaluate("jupyterapp.commands.execute('notebook:enter-command-mode')")

    def cell(self, begins: str) -> int:
        return next(place for place, source in enumerate(self.sources) if source.startswith(begins))

    def run_to(self, begins: str) -> None:
        """Shift + Enter, until the cell that begins so has run."""
        end = self.cell(begins)
        count = f"{CELLS}[{end}].execution_count"
        before = self.page.evaluate(count)
        while (here := self.page.evaluate(ACTIVE)) <= end:
            self.page.keyboard.press("Shift+Enter")
            self.page.wait_for_function(f"{ACTIVE} === {here + 1}")
        self.page.wait_for_function(f"![null, {before or 'null'}].includes({count})")

    def run_down(self) -> None:
        """Shift + Enter, down to the last cell."""
        for place in range(self.page.evaluate(ACTIVE), len(self.sources) - 1):
            self.page.keyboard.press("Shift+Enter")
            self.page.wait_for_function(f"{ACTIVE} === {place + 1}")

    def write(self, begins: str, text: str) -> None:
        """Go to the cell that begins so, and write over what stands there; it is left selected, and not run."""
        while (here := self.page.evaluate(ACTIVE)) != (there := self.cell(begins)):
            self.page.keyboard.press("ArrowDown" if here < there else "ArrowUp")
            self.page.wait_for_function(f"{ACTIVE} === {here + (1 if here < there else -1)}")
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)
        self.page.keyboard.press("Escape")

    def shows(self, begins: str, kind: str = "text/html") -> str:
        """What the cell that begins so has put out of that kind."""
        outputs = self.page.evaluate(CELLS)[self.cell(begins)]["outputs"]
        (shown,) = [output["data"][kind] for output in outputs if kind in output.get("data", {})]
        return "".join(shown)


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


LONG_RUN = """import time
from transformer_course._util.progress_bar import progress
print("before")
for _ in progress(range(8), "training"):
    time.sleep(0.5)
print("after")"""


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


def test_progress_is_seen_while_it_lasts_and_gone_after(server, page):
    code = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(LONG_RUN), nbformat.v4.new_code_cell("")])
    code.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(code, server.folder / "run.ipynb")
    open_notebook(page, server, "run.ipynb")
    page.evaluate("() => { jupyterapp.commands.execute('runmenu:run-all') }")  # does not wait for its end
    line = page.locator(".jp-OutputArea-output", has_text=re.compile(r"training: \d of 8, about \d+ s left"))
    line.wait_for()
    page.locator(".jp-OutputArea-output", has_text="after").wait_for()
    assert line.count() == 0
    shown = [output.inner_text().strip() for output in page.locator(".jp-OutputArea-output").all()]
    assert [text for text in shown if text] == ["before", "after"]
    assert sum(output.bounding_box()["height"] for output in page.locator(".jp-OutputArea-output").all()) < 60  # two lines


LEARNING = """import time
from transformer_course import figures
with figures.live(30, "learning") as watch:
    for step in range(1, 31):
        time.sleep(0.2)
        watch(step, 1 / step, {"share": step / 30})"""


def test_a_figure_grows_in_its_place_and_one_is_left(server, page):
    code = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(LEARNING), nbformat.v4.new_code_cell("")])
    code.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(code, server.folder / "learning.ipynb")
    open_notebook(page, server, "learning.ipynb")
    page.evaluate("() => { jupyterapp.commands.execute('runmenu:run-all') }")  # does not wait for its end
    pictures = page.locator(".jp-OutputArea-output img")
    pictures.first.wait_for()
    assert pictures.count() == 1
    early = pictures.get_attribute("src")
    page.wait_for_function(f"{CELLS}[0].execution_count !== null")
    page.wait_for_function(f"{CELLS}[0].execution_state !== 'running'")
    assert pictures.count() == 1
    assert pictures.get_attribute("src") != early
    (output,) = page.evaluate(CELLS)[0]["outputs"]
    assert output["output_type"] == "display_data"


@pytest.mark.parametrize("sheet", sorted((Path(__file__).parents[2] / "docs" / "paper").glob("*.html")), ids=lambda s: s.stem)
def test_a_paper_version_is_one_printed_page_and_nothing_is_cut_off(page, sheet):
    page.goto(sheet.as_uri())
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 1
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 673, "height": 1000})  # A4 between its margins, in CSS pixels
    assert page.evaluate("document.documentElement.scrollWidth") <= 673
    page.set_viewport_size({"width": 1300, "height": 1000})


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
                let said = "";
                const future = kernel.requestExecute({code});
                future.onIOPub = message => { said += message.content.data?.["text/plain"] ?? message.content.text ?? ""; };
                await future.done;
                return said;
            };
            return [await run(code), await run("6 * 7")];
        }""",
        loop,
    )
    assert "stopped after 5 seconds" in outputs[0]
    assert outputs[1] == "42"
