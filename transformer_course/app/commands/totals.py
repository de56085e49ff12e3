"""The command ``totals``: one table of the marks of several sheets."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from .console import quantity, stop, stopping_at


def totals(
    results: Annotated[
        list[Path], typer.Argument(help="The results folders written by transformer-course grade, one per sheet.")
    ],
    out: Annotated[Path, typer.Option(help="The file for the table (CSV).")],
) -> None:
    """Put the marks of several sheets into one table, with a total for each learner."""
    from transformer_course._util.files import write_whole
    from transformer_course.grading import totals as tables
    from transformer_course.grading.errors import GradingError

    with stopping_at(GradingError):
        sheets = tables.read(results)
    text = tables.table(sheets)
    try:
        write_whole(out, text.encode("utf-8-sig"))  # without the byte order mark, Excel garbles Chinese
    except OSError as error:
        raise stop(f"Cannot write to {out} ({error.strerror or error}).") from None
    learners = quantity(text.count("\n") - 1, "learner")
    console = Console(soft_wrap=True, highlight=False, markup=False)
    console.print(f"{learners}, {quantity(len(results), 'sheet')}: {out}")
    for name, others in tables.perhaps_the_same(sheets).items():
        console.print(f"these names, from different sheets, may belong to the same learner: {name} and {' or '.join(others)}")
