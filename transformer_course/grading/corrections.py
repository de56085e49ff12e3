"""The marks that a teacher has set in place of the verdicts, in a small file next to points.toml."""

import difflib
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from .errors import GradingError
from .graded import Correction
from .points import did_you_mean, number, read_toml

SIMILAR = 0.75  # difflib's ratio of two names, from which one may be a misspelling of the other
EXAMPLE = '"attention.by_hand" = {points = 1, why = "rounding accepted"}'


def read(
    path: Path, learners: Sequence[str], points: Mapping[str, float], gone: Collection[str] = ()
) -> tuple[dict[str, dict[str, Correction]], list[str]]:
    """Return the corrections by learner and exercise, and the names that match no learner.

    Both are empty if there is no file. Raises GradingError if a name looks like a misspelt learner (unless it is among those
    who are ``gone``), if an exercise does not exist or is worth less, or if a correction does not say why.
    """
    corrections: dict[str, dict[str, Correction]] = {}
    unused: list[str] = []
    if not path.exists():
        return corrections, unused
    known, left = {_key(learner): learner for learner in learners}, {_key(name) for name in gone}
    for name, table in read_toml(path, EXAMPLE).items():
        if _key(name) not in known:
            similar = _similar(_key(name), [*known])
            if similar and _key(name) not in left:
                raise GradingError(
                    f"{path}: there is no submission by {name!r:.80}. Did you mean `{known[similar]}`? Correct the name, or "
                    "remove it."
                )
            unused.append(name)
            continue
        given = _entries(table) if isinstance(table, dict) else {}
        if not given:
            raise GradingError(
                f"{path}: {name!r:.80} should be a heading in square brackets, followed by lines such as {EXAMPLE}."
            )
        corrections[known[_key(name)]] = {
            exercise: _correction(f"{path}, {name!r:.80}", exercise, entry, points) for exercise, entry in given.items()
        }
    return corrections, unused


def _correction(where: str, exercise: str, entry: object, points: Mapping[str, float]) -> Correction:
    if exercise not in points:
        raise GradingError(f"{where}: there is no exercise {exercise!r:.80} here. {did_you_mean(exercise, [*points])}")
    if not isinstance(entry, dict) or not entry.keys() <= {"points", "why"}:
        raise GradingError(f"{where}: {exercise} should have points and a why, as in {EXAMPLE}.")
    value, why = entry.get("points"), entry.get("why")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= points[exercise]:
        got = "nothing" if value is None else f"{value!r:.40}"
        raise GradingError(
            f"{where}: the points of {exercise} should be a number from 0 to {number(points[exercise])}, got {got}."
        )
    if not isinstance(why, str) or not why.strip():
        raise GradingError(f"{where}: {exercise} does not say why. The learner will read the reason, as in {EXAMPLE}.")
    return Correction(float(value), why)


def _entries(table: Mapping, before: str = "") -> dict[str, object]:
    """Join the names of nested tables: TOML reads a dotted name without quotation marks as a table in a table."""
    entries: dict[str, object] = {}
    for name, value in table.items():
        inner = isinstance(value, dict) and value and not value.keys() & {"points", "why"}
        entries |= _entries(value, f"{before}{name}.") if inner else {before + name: value}
    return entries


def _similar(name: str, learners: Sequence[str]) -> str | None:
    """Return the learner who is probably meant, if any: learning platforms append numbers to a name."""
    longer = [learner for learner in learners if name.casefold() in learner.casefold()]
    return next(iter([*longer, *difflib.get_close_matches(name, learners, n=1, cutoff=SIMILAR)]), None)


def _key(name: str) -> str:
    """Return the same key for a name as macOS stores it in a file system and as a teacher types it."""
    return unicodedata.normalize("NFC", name)
