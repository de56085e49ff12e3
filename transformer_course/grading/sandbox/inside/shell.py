"""The IPython shell that runs a notebook's cells as JupyterLab would, but nobody sees its output or answers its prompts."""

import ast
import re
import site
from collections.abc import Callable

from IPython.core.interactiveshell import InteractiveShell
from matplotlib import pyplot
from traitlets.config import Config

WARM_UP = """
import asyncio, importlib, os, pkgutil, pydoc, numpy, torch, transformer_course, transformer_course.exercises
for module in pkgutil.iter_modules(transformer_course.__path__):
    importlib.import_module(f"transformer_course.{module.name}")
numpy.ones((2, 2)) @ torch.ones(2, 2).numpy()
torch.optim.SGD([torch.ones(1, requires_grad=True)])  # the first optimizer imports torch's compiler
os.environ.pop("TORCHINDUCTOR_CACHE_DIR", None)  # set by that import; it holds a user's name
pyplot.figure()
"""
# What a cell has in which IPython would change something: magics, shell commands, questions, prompts, an indented first line.
MAYBE_IPYTHON = re.compile(
    r"\A\s|^[ \t]*(?:[%!?,;/]|>>>|\.\.\.|(?:\[(?:nav|ins)\] )?In \[)|\?[ \t]*$|=[ \t]*[%!]", re.MULTILINE
)
_remarks: list[str] = []


def _refused(command: str):
    """Return a replacement for a magic that would start another program."""

    def magic(line: str = "", *_cell) -> None:
        shown = f"{command}{line}".strip()[:78]
        _remarks.append(f"`{shown}` was not run: during grading, code cannot start programs or install packages.")

    return magic


def _refused_input(prompt: object = "") -> str:
    raise EOFError("nobody can answer `input()` during grading; put the value in the cell itself")


def _if_not_python(transform: Callable[[str], str]) -> Callable[[str], str]:
    """Skip IPython's own syntax for cells that are plain Python: looking for it takes as long as the rest of a cell."""

    def transformed(source: str) -> str:
        if not MAYBE_IPYTHON.search(source):
            return source
        try:
            ast.parse(source)
        except (SyntaxError, ValueError):  # ValueError: the source contains null bytes
            return transform(source)
        return source

    return transformed


def _if_it_waits(decide: Callable[..., bool]) -> Callable[..., bool]:
    """Look for `await` outside functions only in cells that have the word: otherwise, each cell is compiled once more."""

    def decided(source: str, **transformed) -> bool:
        return ("await" in source or "async" in source) and decide(source, **transformed)

    return decided


def _make() -> InteractiveShell:
    site.sethelper()  # `help`, and below `license` and the like: Python was started without the module that adds them
    site.setcopyright()
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    shell = InteractiveShell.instance(config=config)
    shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None  # the grader reports errors
    shell.display_formatter.format = lambda *_, **__: ({}, {})  # nobody sees what a cell displays
    shell.enable_matplotlib = lambda gui=None: (gui, "agg")  # `%matplotlib inline` and the like: plots are drawn, not shown
    shell.system = shell.system_raw = shell.system_piped = shell.getoutput = _refused("!")
    for name in ("pip", "conda", "mamba", "micromamba", "uv", "sx", "system", "sc"):
        shell.register_magic_function(_refused(f"%{name} "), "line", name)
    for name in ("bash", "sh", "script", "perl", "ruby"):
        shell.register_magic_function(_refused(f"%%{name} "), "cell", name)
    shell.ask_exit = lambda: _remarks.append(
        "`quit()` and `exit()` were ignored: otherwise, the cells below would not have run."
    )
    shell.transform_cell = _if_not_python(shell.transform_cell)
    shell.should_run_async = _if_it_waits(shell.should_run_async)
    shell.user_ns["input"] = _refused_input
    return shell


_shell = _make()


def names() -> dict:
    """Return everything that the cells have defined so far."""
    return _shell.user_ns


def run(source: str) -> tuple[BaseException | None, list[str]]:
    """Run one cell to its end or its first error; return the error and any other remarks for the learner."""
    _remarks.clear()
    result = _shell.run_cell(source)
    pyplot.close("all")
    return result.error_before_exec or result.error_in_exec, list(_remarks)


def warm_up() -> None:
    """Do everything that is slow the first time, before any learner's cell runs. Notebooks then find it imported."""
    _shell.user_ns["pyplot"] = pyplot
    for source in (WARM_UP, "1 +", "1 / 0"):
        error, _ = run(source)
        if source == WARM_UP and error:
            raise error
    _shell.reset(new_session=True)
    _shell.user_ns["input"] = _refused_input
