"""files.py and progress.py: what is written is whole, and what is shown leaves nothing."""

import io
import time

import nbformat
import pytest
from nbclient import NotebookClient

from transformer_course._util.files import write_whole
from transformer_course._util.progress_bar import progress


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_whole(path, b"old")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"

    def half(self, content):
        with open(self, "wb") as file:
            file.write(content[:1])
        raise OSError("No space left on device")

    monkeypatch.setattr(type(path), "write_bytes", half)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, b"newest")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def hours(monkeypatch):
    """Each look at the clock finds it one minute later."""
    clock = iter(range(0, 10**6, 60))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    monkeypatch.delenv("TRANSFORMER_COURSE_PROGRESS", raising=False)
    monkeypatch.setattr("sys.modules", {k: v for k, v in __import__("sys").modules.items() if k != "ipykernel"})


def test_a_terminal_shows_one_line_and_wipes_it(hours, monkeypatch):
    screen = Terminal()
    monkeypatch.setattr("sys.stdout", screen)
    assert list(progress([5, 6, 7], "training")) == [5, 6, 7]
    shown = screen.getvalue().split("\r\x1b[K")
    assert "training: 1 of 3, about" in shown[1]
    assert shown[-1] == ""


def test_a_file_gets_nothing(hours, monkeypatch):
    monkeypatch.setattr("sys.stdout", out := io.StringIO())
    assert list(progress([5, 6, 7], "training")) == [5, 6, 7]
    assert out.getvalue() == ""


def test_a_run_that_stops_early_wipes_its_line_too(hours, monkeypatch):
    monkeypatch.setattr("sys.stdout", screen := Terminal())
    run = progress(range(9), "training")
    for _ in range(4):
        next(run)
    run.close()
    assert screen.getvalue().endswith("\r\x1b[K")


@pytest.mark.slow
@pytest.mark.parametrize("switch", ["", "off"])
def test_a_notebook_keeps_nothing_that_was_shown(switch, tmp_path, monkeypatch):
    monkeypatch.setenv("TRANSFORMER_COURSE_PROGRESS", switch)
    code = (
        "import itertools, types\nfrom transformer_course._util import progress_bar\nclock = itertools.count(step=60)\n"
        "progress_bar.time = types.SimpleNamespace(monotonic=lambda: next(clock))\n"
        "print('before')\nfor _ in progress_bar.progress(range(4), 'training'):\n    pass\nprint('after')"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    NotebookClient(notebook, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = notebook.cells[0].outputs
    assert "".join(output.get("text", "") for output in outputs) == "before\nafter\n"
    assert [output.data for output in outputs if output.output_type == "display_data"] == ([{}] if switch == "" else [])
