"""One table of marks over several sheets, made from the tables of their results folders."""

import csv
import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import store
from .errors import GradingError
from .points import number
from .reports.cells import cell, csv_text, original
from .sanitize import composed, plain

NUMBERED = re.compile(r"(.+) \(\d+\)")  # two learners with the same name, as Moodle's numbers tell them apart


@dataclass(frozen=True)
class Sheet:
    """What a results folder says of a class: each learner's points, or None, and how many there are."""

    name: str
    out_of: float
    totals: dict[str, float | None]  # by learner
    numbers: dict[str, str]


def read(folders: Sequence[Path]) -> list[Sheet]:
    """Return what several results folders say, by the names of their sheets. Raises GradingError if a folder has no results,
    or two have the same sheet."""
    sheets = [_read(folder) for folder in folders]
    names = [sheet.name for sheet in sheets]
    if twice := {name for name in names if names.count(name) > 1}:
        raise GradingError(f"Two of the folders have results for sheet {min(twice)}; include only one folder per sheet.")
    return sorted(sheets, key=lambda sheet: sheet.name)


def perhaps_the_same(sheets: Sequence[Sheet]) -> dict[str, list[str]]:
    """Return learners who may be one and the same, on different sheets: Moodle adds a number in brackets to a name that two
    learners of a sheet share, and it differs from sheet to sheet.

    Each comes with later names that differ only in this number, and are not on the same sheets.
    """
    on = {learner: {sheet.name for sheet in sheets if learner in sheet.totals} for sheet in sheets for learner in sheet.totals}
    same: dict[str, list[str]] = {}
    for learner in sorted(on):
        numbered = NUMBERED.fullmatch(learner)
        same.setdefault(numbered[1] if numbered else learner, []).append(learner)
    found = {
        name: [other for other in names[place:] if not on[other] & on[name]]
        for names in same.values()
        for place, name in enumerate(names, 1)
    }
    return {name: others for name, others in found.items() if others}


def table(sheets: Sequence[Sheet]) -> str:
    """Return the marks of several sheets as CSV: a line per learner, a column per sheet.

    The total is the sum of the marks that exist, out of the points of all sheets. Where a mark is missing there is no
    percentage, because a missing mark is not a 0; the last column names the sheets without one.
    """
    learners = sorted({learner for sheet in sheets for learner in sheet.totals}, key=lambda name: (name.casefold(), name))
    numbers = {learner: given for sheet in sheets for learner, given in sheet.numbers.items() if given}
    out_of = sum(sheet.out_of for sheet in sheets)
    first = ["learner", "number"] if numbers else ["learner"]
    columns = [f"sheet {sheet.name} (of {number(sheet.out_of)})" for sheet in sheets]
    rows = [[*first, *columns, "total", "out of", "percent", "no mark for"]]
    for learner in learners:
        marks = {sheet.name: sheet.totals.get(learner) for sheet in sheets}
        given = [mark for mark in marks.values() if mark is not None]
        total = sum(given) if given else None
        missing = [name for name, mark in marks.items() if mark is None]
        percent = None if missing else 100 * total / out_of
        own = [cell(learner, 200)] + [cell(numbers.get(learner, ""), 60)] * bool(numbers)
        rows.append([*own, *map(number, (*marks.values(), total, out_of, percent)), ", ".join(missing)])
    return csv_text(rows)


def _read(folder: Path) -> Sheet:
    try:
        name = json.loads((folder / store.SECRET).read_text(encoding="utf-8"))["sheet"]
        text = (folder / "grades.csv").read_text(encoding="utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
        exact = {composed(learner): total for learner, total in store.totals(folder).items()}
        totals = {_name(row["learner"]): _points(row["total"], exact.get(_name(row["learner"]))) for row in rows}
        (out_of,) = {float(row["out of"]) for row in rows}
        numbers = {_name(row["learner"]): _name(row.get("number") or "") for row in rows}
    except OSError as error:
        raise GradingError(
            f"{folder} has no results from transformer-course grade ({error.strerror or error}). Check the folder's name."
        ) from None
    except (ValueError, KeyError, TypeError, csv.Error):
        raise GradingError(
            f"{folder / 'grades.csv'} has been edited since it was written. Run transformer-course grade again with --resume."
        ) from None
    return Sheet(plain(str(name), 10), out_of, totals, numbers)


def _points(shown: str, exact: float | None) -> float | None:
    """Return the points that a cell shows, not rounded if the learner's result has them."""
    return exact if exact is not None and number(exact) == shown else float(shown) if shown else None


def _name(text: str) -> str:
    """Return what a cell says, without the signs that keep a spreadsheet from computing it."""
    return composed(original(text))
