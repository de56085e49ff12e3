"""The options of ``grade`` that describe the class, kept with the results so that --resume grades by the same rules."""

import json
import math
import shlex
from datetime import datetime
from pathlib import Path

import typer

KEPT = "options.json"
DEADLINE = "2026-12-01 18:00"


def deadline(text: str) -> datetime:
    """Read the value of --due."""
    try:
        return datetime.strptime(text.strip().replace("T", " "), "%Y-%m-%d %H:%M")
    except ValueError:
        raise typer.BadParameter(
            f"expected a deadline such as '{DEADLINE}' (year-month-day hour:minute), got {text!r}"
        ) from None


def percentage(text: str) -> float:
    """Read the value of --late."""
    try:
        value = float(text.strip().removesuffix("%"))
    except ValueError:
        value = math.nan
    if not 0 <= value <= 100:
        raise typer.BadParameter(f"expected a number from 0 to 100, such as 10, got {text!r}")
    return value


def kept_in(out: Path) -> dict[str, Path | datetime | float | None]:
    """Return the options of the last run with results in ``out``; none if there was none, or if its file is damaged."""
    try:
        kept = json.loads((out / KEPT).read_text(encoding="utf-8"))
        due = kept["due"] and datetime.fromisoformat(kept["due"])
        return {"roster": kept["roster"] and Path(kept["roster"]), "due": due, "late": float(kept["late"] or 0)}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def keep(roster: Path | None, due: datetime | None, late: float | None, out: Path) -> None:
    """Write the options to ``out``. Raises OSError if that is impossible."""
    from transformer_course._util.files import write_whole

    options = {"roster": roster and str(roster.resolve()), "due": due and due.isoformat(), "late": late}
    write_whole(out / KEPT, (json.dumps(options, indent=1) + "\n").encode())


def as_typed(options: dict[str, Path | datetime | float | None]) -> str:
    """Return options as one types them, such as ``--due '2026-12-01 18:00' --late 10``; empty if there are none."""
    shown = {datetime: "%Y-%m-%d %H:%M", float: "g"}
    values = {name: f"{value:{shown.get(type(value), '')}}" for name, value in options.items() if value}
    return " ".join(f"--{name} {shlex.quote(value)}" for name, value in values.items())
