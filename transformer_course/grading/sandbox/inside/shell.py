"""The IPython shell that runs a notebook's cells, as JupyterLab would, where there is nobody to look or to answer."""

import ast
from collections.abc import Callable

from IPython.core.interactiveshell import InteractiveShell
from matplotlib import pyplot
from traitlets.config import Config

WARM = """
import asyncio, importlib, pkgutil, numpy, torch, transformer_course, transformer_course.exercises
for module in pkgutil.iter_modules(transformer_course.__path__):
    importlib.import_module(f"transformer_course.{module.name}")
numpy.ones((2, 2)) @ torch.ones(2, 2).numpy()
pyplot.figure()
"""
_remarks: list[str] = []


def _not_run(what: str):
    """Stands for a magic that would start another program."""

    def magic(line: str = "", *_cell) -> None:
        _remarks.append(f"`{what}{line}`"[:80] + " was not run: grading starts no other program, and installs nothing.")

    return magic


def _nobody(prompt: object = "") -> str:
    raise EOFError("nobody is there to answer `input()` while a notebook is graded; give the value in the cell itself")


def _where_needed(transform: Callable[[str], str]) -> Callable[[str], str]:
    """IPython's own syntax is looked for in cells that are no Python: the search takes as long as all else about a cell."""

    def transformed(source: str) -> str:
        try:
            ast.parse(source)
        except (SyntaxError, ValueError):  # a ValueError is one of null bytes
            return transform(source)
        return source

    return transformed


def _make() -> InteractiveShell:
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    shell = InteractiveShell.instance(config=config)
    shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None  # errors are told by the grader
    shell.display_formatter.format = lambda *_, **__: ({}, {})  # what a cell shows, nobody sees
    shell.enable_matplotlib = lambda gui=None: (gui, "agg")  # `%matplotlib inline` and the like: plots are drawn, not shown
    shell.system = shell.system_raw = shell.system_piped = shell.getoutput = _not_run("!")
    for name in ("pip", "conda", "mamba", "micromamba", "uv", "sx", "system", "sc"):
        shell.register_magic_function(_not_run(f"%{name} "), "line", name)
    for name in ("bash", "sh", "script", "perl", "ruby", "html", "javascript", "js", "svg", "latex"):
        shell.register_magic_function(_not_run(f"%%{name} "), "cell", name)
    shell.ask_exit = lambda: _remarks.append("`quit()` and `exit()` were not run: nothing below would be.")
    shell.transform_cell = _where_needed(shell.transform_cell)
    shell.user_ns["input"] = _nobody
    return shell


_shell = _make()


def names() -> dict:
    """What the cells have defined so far."""
    return _shell.user_ns


def run(source: str) -> tuple[BaseException | None, list[str]]:
    """Run one cell to its end or its first error; the error, and what the learner should be told beside."""
    _remarks.clear()
    result = _shell.run_cell(source)
    pyplot.close("all")
    return result.error_before_exec or result.error_in_exec, list(_remarks)


def warm_up() -> None:
    """Do once, before any learner's cell, what is slow the first time: what is imported here, notebooks find loaded."""
    _shell.user_ns["pyplot"] = pyplot
    for source in (WARM, "1 +", "1 / 0"):
        error, _ = run(source)
        if source == WARM and error:
            raise error
    _shell.reset(new_session=True)
    _shell.user_ns["input"] = _nobody
