"""The options of ``grade`` that describe the class, kept with the results so that --resume grades by the same rules."""

import json
import math
import shlex
from dataclasses import astuple, dataclass
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


@dataclass(frozen=True)
class ClassOptions:
    roster: Path | None = None
    due: datetime | None = None
    late: float | None = None

    @classmethod
    def kept(cls, out: Path) -> "ClassOptions":
        """Return the options of the last run with results in ``out``; none if there was none, or if its file is damaged."""
        try:
            kept = json.loads((out / KEPT).read_text(encoding="utf-8"))
            due = kept["due"] and datetime.fromisoformat(kept["due"])
            return cls(kept["roster"] and Path(kept["roster"]), due, float(kept["late"] or 0))
        except (OSError, ValueError, KeyError, TypeError):
            return cls()

    def not_in(self, given: "ClassOptions") -> "ClassOptions":
        """Return those of these options that are not ``given``."""
        pairs = zip(astuple(self), astuple(given), strict=True)
        return ClassOptions(*(kept if new is None else None for kept, new in pairs))

    def __or__(self, others: "ClassOptions") -> "ClassOptions":
        """Return these options, and from ``others`` those that are not among these."""
        pairs = zip(astuple(self), astuple(others), strict=True)
        return ClassOptions(*(other if own is None else own for own, other in pairs))

    def keep(self, out: Path) -> None:
        """Write them to ``out``. Raises OSError if that is impossible."""
        from transformer_course._util.files import write_whole

        roster, due = self.roster and str(self.roster.resolve()), self.due and self.due.isoformat()
        write_whole(out / KEPT, (json.dumps({"roster": roster, "due": due, "late": self.late}, indent=1) + "\n").encode())

    def __str__(self) -> str:
        """As one types them, such as ``--due '2026-12-01 18:00' --late 10``; empty if there are none."""
        due, late = self.due and f"{self.due:%Y-%m-%d %H:%M}", self.late and f"{self.late:g}"
        given = {"--roster": self.roster, "--due": due, "--late": late}
        return " ".join(f"{name} {shlex.quote(str(value))}" for name, value in given.items() if value)
