"""The course in JupyterLab, in a real browser: the server, and what a learner does in a notebook."""

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Self

from playwright.sync_api import Page

LESSON, SHEET = "notebooks/02_self_attention_by_hand.ipynb", "exercises/02_sheet_self_attention_by_hand.ipynb"

# The cells of the open notebook, from JupyterLab's own model: of a long notebook, the page contains only the visible cells.
CELLS = "jupyterapp.shell.currentWidget.content.model.sharedModel.toJSON().cells"

ACTIVE = "jupyterapp.shell.currentWidget.content.activeCellIndex"

# What cells have raised, once the kernel has nothing to do: those below them are not run, and need not be waited for.
RAISED = f"""(jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle' ? {CELLS} : []).flatMap(
    cell => cell.outputs ?? []).filter(output => output.output_type === 'error').map(output => output.evalue)"""

# Whether the cells that begin so wait for a result.
WAITS = """start => jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.sharedModel.source.startsWith(start))
    .map(cell => cell.node.classList.contains("course-waits"))"""


class Server:
    """JupyterLab, as `transformer-course lab` starts it for a learner."""

    def __init__(self, folder: Path, home: Path, config: Path):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.folder, self.home = folder, home
        config.mkdir()
        (config / "jupyter_lab_config.py").write_text("c.LabApp.expose_app_in_browser = True\n")
        ours = "IPYTHONDIR", "TRANSFORMER_COURSE_PROGRESS"  # set by conftest.py; learners do not have them
        kept = {name: value for name, value in os.environ.items() if name not in ours}
        env = {**kept, "TRANSFORMER_COURSE_HOME": str(home), "JUPYTER_CONFIG_DIR": str(config), "PYTHONUNBUFFERED": "1"}
        options = ["--no-browser", "--port", str(self.port)]
        command = [sys.executable, "-m", "transformer_course", "lab", str(folder), *options]
        self.process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        output = ""
        for line in self.process.stdout:
            output += line
            if found := re.search(rf"http://127\.0\.0\.1:{self.port}(\S+)\?token=(\w+)", line):
                self.first, self.token = found.groups()
                self.wait()
                return
        raise AssertionError(f"JupyterLab did not start:\n{output}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.process.terminate()
        self.process.communicate(timeout=600)

    def wait(self) -> None:
        """Wait until the server listens, because it prints its address a moment earlier."""
        pause = threading.Event()
        for _ in range(6000):
            with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", self.port)):
                return
            pause.wait(0.1)
        raise AssertionError(f"nothing listens on port {self.port}")

    def get(self, path: str, method: str = "GET") -> str:
        address = f"http://127.0.0.1:{self.port}{path}?token={self.token}"
        with urllib.request.urlopen(urllib.request.Request(address, method=method)) as answer:
            assert answer.status in (200, 204)
            return answer.read().decode()

    def end_kernels(self) -> None:
        for session in json.loads(self.get("/api/sessions")):
            self.get(f"/api/sessions/{session['id']}", "DELETE")


def open_notebook(page: Page, server: Server, path: str) -> None:
    page.goto(f"http://127.0.0.1:{server.port}/lab/tree/{path}?token={server.token}&reset")
    page.wait_for_function(f"window.jupyterapp?.shell.currentWidget?.context?.path === '{path}' && {CELLS}.length > 1")
    page.wait_for_function("jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'")


def cells(page: Page) -> list[dict]:
    return [cell for cell in page.evaluate(CELLS) if cell["cell_type"] == "code"]


def wait_for_cells(page: Page, condition: str) -> None:
    """Wait until this is true of cells that have been run; fail as soon as one of them has raised an error instead."""
    page.wait_for_function(f"{condition} || {RAISED}.length")
    assert page.evaluate(condition), page.evaluate(RAISED)


def run_all(page: Page) -> list[dict]:
    page.evaluate("jupyterapp.commands.execute('runmenu:run-all')")
    wait_for_cells(page, f"{CELLS}.filter(c => c.cell_type === 'code').every(c => c.execution_count)")
    page.wait_for_function("jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'")
    return cells(page)


class Keyboard:
    """A learner who uses only the keyboard in the open notebook."""

    def __init__(self, page: Page):
        self.page = page
        self.sources = [cell["source"] for cell in page.evaluate(CELLS)]
        page.evaluate("jupyterapp.commands.execute('notebook:enter-command-mode')")

    def cell(self, start: str) -> int:
        return next(place for place, source in enumerate(self.sources) if source.startswith(start))

    def run_to(self, start: str) -> None:
        """Press Shift + Enter until the cell that starts with this text has run."""
        end = self.cell(start)
        count = f"{CELLS}[{end}].execution_count"
        before = self.page.evaluate(count)
        while (here := self.page.evaluate(ACTIVE)) <= end:
            self.page.keyboard.press("Shift+Enter")
            self.page.wait_for_function(f"{ACTIVE} === {here + 1}")
        wait_for_cells(self.page, f"![null, {before or 'null'}].includes({count})")

    def run_down(self) -> None:
        """Press Shift + Enter down to the last cell."""
        for place in range(self.page.evaluate(ACTIVE), len(self.sources) - 1):
            self.page.keyboard.press("Shift+Enter")
            self.page.wait_for_function(f"{ACTIVE} === {place + 1}")

    def write(self, start: str, text: str) -> None:
        """Go to the cell that starts with this text and replace its content. The cell stays selected and is not run."""
        while (here := self.page.evaluate(ACTIVE)) != (there := self.cell(start)):
            self.page.keyboard.press("ArrowDown" if here < there else "ArrowUp")
            self.page.wait_for_function(f"{ACTIVE} === {here + (1 if here < there else -1)}")
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)
        self.page.keyboard.press("Escape")

    def shows(self, start: str, kind: str = "text/html") -> str:
        """Return the output of this type from the cell that starts with this text."""
        outputs = self.page.evaluate(CELLS)[self.cell(start)]["outputs"]
        (shown,) = [output["data"][kind] for output in outputs if kind in output.get("data", {})]
        return "".join(shown)
