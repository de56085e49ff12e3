"""What a teacher has set in place of the verdicts: a small file beside points.toml."""

import difflib
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from .errors import GradingError
from .graded import Correction
from .points import nearest, number, read_toml

NEAR = 0.75  # as difflib compares two names: from here on, one may be the other misspelt
LINE = '"attention.by_hand" = {points = 1, why = "rounding accepted"}'


def read(
    path: Path, learners: Sequence[str], points: Mapping[str, float], gone: Collection[str] = ()
) -> tuple[dict[str, dict[str, Correction]], list[str]]:
    """The corrections by learner and exercise, none where there is no file; and the names whose corrections have no effect,
    since they are not among the ``learners``.

    Raises GradingError for a name that looks like a learner's, unless it is among those who are ``gone``; for an exercise that
    is not there, for points that the exercise does not have, and where it is not said why.
    """
    corrections: dict[str, dict[str, Correction]] = {}
    unused: list[str] = []
    if not path.exists():
        return corrections, unused
    known, left = {_key(learner): learner for learner in learners}, {_key(name) for name in gone}
    for name, table in read_toml(path, LINE).items():
        if _key(name) not in known:
            near = _near(_key(name), [*known])
            if near and _key(name) not in left:
                told = f"The nearest name is `{known[near]}`; correct it, or take it out."
                raise GradingError(f"{path}: no submission is by {name!r:.80}. {told}")
            unused.append(name)
            continue
        given = _entries(table) if isinstance(table, dict) else {}
        if not given:
            raise GradingError(
                f"{path}: {name!r:.80} should be a heading in square brackets, with lines below it such as {LINE}."
            )
        corrections[known[_key(name)]] = {
            exercise: _correction(f"{path}, {name!r:.80}", exercise, entry, points) for exercise, entry in given.items()
        }
    return corrections, unused


def _correction(where: str, exercise: str, entry: object, points: Mapping[str, float]) -> Correction:
    if exercise not in points:
        raise GradingError(f"{where}: there is no exercise {exercise!r:.80} here. {nearest(exercise, [*points])}")
    if not isinstance(entry, dict) or not entry.keys() <= {"points", "why"}:
        raise GradingError(f"{where}: {exercise} should have points and a why, as in {LINE}.")
    value, why = entry.get("points"), entry.get("why")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= points[exercise]:
        told = "missing" if value is None else f"{value!r:.40}"
        raise GradingError(
            f"{where}: points of {exercise} should be a number from 0 to {number(points[exercise])}, and is {told}."
        )
    if not isinstance(why, str) or not why.strip():
        raise GradingError(f"{where}: {exercise} does not say why; the learner reads it, as in {LINE}.")
    return Correction(float(value), why)


def _entries(table: Mapping, before: str = "") -> dict[str, object]:
    """TOML reads a dotted name without quotation marks as a table in a table."""
    entries: dict[str, object] = {}
    for name, value in table.items():
        inner = isinstance(value, dict) and value and not value.keys() & {"points", "why"}
        entries |= _entries(value, f"{before}{name}.") if inner else {before + name: value}
    return entries


def _near(name: str, learners: Sequence[str]) -> str | None:
    """The learner who is probably meant: learning platforms put numbers behind a name."""
    longer = [learner for learner in learners if name.casefold() in learner.casefold()]
    return next(iter([*longer, *difflib.get_close_matches(name, learners, n=1, cutoff=NEAR)]), None)


def _key(name: str) -> str:
    """The same for a name as macOS writes it in a file system and as it is typed."""
    return unicodedata.normalize("NFC", name)
