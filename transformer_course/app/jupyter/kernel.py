"""An IPython extension, loaded into each kernel of the course's JupyterLab: what to do in a kernel that is new.

If you continue a lesson the next day, your first cell uses names that no cell has defined in the new kernel.
"""

import os
import re
import symtable
from collections.abc import Collection, Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from transformer_course._util.files import parse_json, read_bounded

RESUME = "resume"  # the tag of a cell from which a lesson can be continued without training again
EMPTY = "This function is still empty"  # what a sheet's functions raise until they are written
UNWRITTEN = (
    "A function that this cell calls is still empty. Write it in its own cell, or leave this cell for later: the cells below "
    "still run."
)


def load_ipython_extension(shell) -> None:
    """Remember which cells have run, and explain a NameError that comes from a cell that has not, or an empty function."""
    ran: list[str | None] = []
    shell.events.register("pre_run_cell", lambda info: ran.append(info.cell_id))

    def show(shell, kind, error, traceback, tb_offset=None) -> None:
        if says := UNWRITTEN if EMPTY in str(error) else _unknown(error, ran):
            error._render_traceback_ = lambda: [says]  # IPython shows this instead
        shell.showtraceback((kind, error, traceback), tb_offset=tb_offset, running_compiled_code=True)

    shell.set_custom_exc((NameError, NotImplementedError), show)


def _unknown(error: NameError | NotImplementedError, ran: list[str | None]) -> str | None:
    """Return what to say if a name comes from a cell that has not run; None if it does not."""
    try:
        cells = parse_json(read_bounded(Path(os.environ["JPY_SESSION_NAME"])))["cells"]
        advice = what_to_run(error.name, cells, ran)
    except Exception:  # not in a notebook, or it is damaged in one of many ways: the learner sees the error as it is
        return None
    return f"{advice}\n\n(NameError: {error})" if advice else None


def what_to_run(name: str, cells: list[dict], ran: list[str | None]) -> str | None:
    """Return what to run if only cells that have not run define this name, above the cell that ran last; otherwise None."""
    place = [cell.get("id") for cell in cells].index(ran[-1])
    above = cells[:place]
    defining = {cell.get("id") for cell in above if cell["cell_type"] == "code" and name in _defined("".join(cell["source"]))}
    if not defining or defining & {*ran}:
        return None
    start = f"`{name}` is not defined: the cell above that defines it has not been run since this kernel started."
    resume = [index for index, cell in enumerate(cells[: place + 1]) if RESUME in cell["metadata"].get("tags", ())]
    if not resume:
        advice = f"{start} Click this cell, press “Run all above” in the bar above the notebook, then run this cell again."
        minutes = _seconds(above) / 60
        if minutes < 0.5:
            return advice
        took = f"{minutes:.0f} minutes" if minutes >= 1.5 else "a minute"
        return f"{advice} This repeats any training in the cells above. Last time, those cells took about {took}."
    headings = re.findall(r"^#+ (.+)$", "\n".join("".join(cell["source"]) for cell in cells[: resume[-1]]), re.MULTILINE)
    return (
        f"{start} To go on without training again, run the lesson's first code cell, then the cells from the heading "
        f"“{headings[-1]}” down to this one. They load the trained model that comes with the course."
    )


def _seconds(cells: Iterable[dict]) -> float:
    """Return how long these cells took when they last ran; JupyterLab records that in the course's settings."""
    total = 0.0
    for cell in cells:
        times = cell["metadata"].get("execution", {})
        with suppress(LookupError, ValueError, TypeError):  # it has not run, or was interrupted
            begun, ended = (datetime.fromisoformat(times[name]) for name in ("iopub.execute_input", "shell.execute_reply"))
            total += (ended - begun).total_seconds()
    return total


def _defined(source: str) -> Collection[str]:
    """Return the names that a cell assigns, defines or imports, outside its functions."""
    try:
        symbols = symtable.symtable(source, "cell", "exec").get_symbols()
    except SyntaxError:  # the learner is still writing it, or it contains one of IPython's commands
        return ()
    return {symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported()}
