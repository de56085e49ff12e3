"""The options of ``grade`` that describe the class, kept with the results so that --resume grades by the same rules."""

import json
import shlex
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

KEPT = "options.json"


@dataclass(frozen=True)
class ClassOptions:
    roster: Path | None = None
    due: datetime | None = None
    late: float = 0.0

    @classmethod
    def kept(cls, out: Path) -> "ClassOptions":
        """Return the options of the last run with results in ``out``; none if there was none, or if its file is damaged."""
        try:
            kept = json.loads((out / KEPT).read_text(encoding="utf-8"))
            due = kept["due"] and datetime.fromisoformat(kept["due"])
            return cls(kept["roster"] and Path(kept["roster"]), due, float(kept["late"]))
        except (OSError, ValueError, KeyError, TypeError):
            return cls()

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
