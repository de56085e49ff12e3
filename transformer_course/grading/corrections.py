"""The marks that a teacher has set in place of the verdicts, in a small file next to points.toml."""

import difflib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from .errors import GradingError
from .graded import Correction, Graded
from .points import did_you_mean, joined, number, read_toml
from .sanitize import composed
from .submissions.class_list import name_key
from .submissions.filenames import look_alikes

NAMED = 10  # learners whose names a message lists
SIMILAR = 0.75  # difflib's ratio of two names, from which one may be a misspelling of the other
EXAMPLE = '"attention.by_hand" = {points = 1, why = "rounding accepted"}'
EVERYBODY = "*"  # the heading of corrections that apply to the whole class
FORMS = ({"points", "why"}, {"share", "why"}, {"comment"})


def read(
    path: Path, learners: Mapping[str, bool], points: Mapping[str, float], gone: Collection[str] = ()
) -> tuple[dict[str, dict[str, Correction]], list[str]]:
    """Return the corrections by learner and exercise, and the names that match no learner.

    ``learners`` tells of each learner whether there is something to grade: only then do corrections for everybody apply. A
    learner's own correction of an exercise replaces the one for everybody. Both results are empty if there is no file. Raises
    GradingError, with a line for each heading that has a problem: its name matches several learners, or looks misspelt
    (unless it is among those who are ``gone``), an exercise does not exist or is worth less, or a correction does not say why.
    """
    corrections: dict[str, dict[str, Correction]] = {}
    unused: list[str] = []
    problems: list[str] = []
    if not path.exists():
        return corrections, unused
    for_all: dict[str, Correction] = {}
    left = {name_key(name) for name in gone}
    shown = {learner: learner for learner in learners} | look_alikes(learners)  # as in grades.csv
    for name, entries in read_toml(path, EXAMPLE).items():
        try:
            learner = name if name == EVERYBODY else _learner(path, name, shown, left)
            if learner is None:
                unused.append(name)
                continue
            given = _given(path, name, entries, points)
        except GradingError as error:
            problems.append(str(error))
            continue
        if learner == EVERYBODY:
            for_all = given
        else:
            corrections[learner] = corrections.get(learner, {}) | given
    if problems:
        raise GradingError("\n".join(problems))
    for learner in (learner for learner, has_work in learners.items() if has_work and for_all):
        own = corrections.get(learner, {})
        corrections[learner] = own | {name: _for_all(each, own.get(name)) for name, each in for_all.items()}
    return corrections, unused


def _for_all(correction: Correction, own: Correction | None) -> Correction:
    """Return what holds for a learner: one's own correction, or the one for everybody, with what one's own comment adds."""
    if own is None:
        return replace(correction, for_all=True)
    if own.points is None and correction.points is not None:
        return replace(correction, why=f"{correction.why.rstrip('.')}. {own.why}")
    return own


def _learner(path: Path, name: str, shown: Mapping[str, str], left: Collection[str]) -> str | None:
    """Return the learner whom a heading means, or None if its name resembles no other, or is among those who have ``left``."""
    meant = _meant(name, shown)
    if len(meant) > 1:
        several = _quoted([shown[learner] for learner in meant])
        raise GradingError(f"{path}: {name!r:.80} matches several learners: {several}. Write the one that you mean.")
    if not meant and (similar := _similar(name, [*shown])) and name_key(name) not in left:
        raise GradingError(
            f"{path}: there is no learner {name!r:.80}. Did you mean {_quoted(similar)}? Correct the name, or remove it."
        )
    return meant[0] if meant else None


def _given(path: Path, name: str, entries: object, points: Mapping[str, float]) -> dict[str, Correction]:
    def is_entry(exercise: str, value: dict) -> bool:
        return exercise in points or bool(value.keys() & set().union(*FORMS))

    found = joined(entries, is_entry) if isinstance(entries, dict) else {}
    if not found:
        raise GradingError(
            f"{path}: {name!r:.80} should be a heading in square brackets, followed by lines such as {EXAMPLE}."
        )
    return {exercise: _correction(f"{path}, {name!r:.80}", exercise, entry, points) for exercise, entry in found.items()}


def effective(given: Mapping[str, Correction], graded: Graded, points: Mapping[str, float]) -> dict[str, Correction]:
    """Return a learner's corrections without those for everybody that change nothing, because the points are these already."""

    def changes(name: str, correction: Correction) -> bool:
        verdict = graded.verdicts.get(name)
        same = verdict is not None and verdict.score * points[name] == correction.points
        return not (correction.for_all and same)

    return {name: each for name, each in given.items() if changes(name, each)}


def _correction(where: str, exercise: str, entry: object, points: Mapping[str, float]) -> Correction:
    if exercise not in points:
        raise GradingError(f"{where}: there is no exercise {exercise!r:.80} here. {did_you_mean(exercise, [*points])}")
    if isinstance(entry, dict) and (unknown := [*entry.keys() - set().union(*FORMS)]):
        raise GradingError(
            f"{where}: the entry for {exercise} has an unknown key, {unknown[0]!r:.40}. Give `why` with either `points` "
            "or `share`, or give `comment` alone."
        )
    if not isinstance(entry, dict) or not any(entry.keys() <= form for form in FORMS) or entry.keys() <= {"why"}:
        raise GradingError(
            f"{where}: the entry for {exercise} needs `why` and either `points` or `share`, as in {EXAMPLE}, or else "
            "`comment` alone."
        )
    text = entry.get("why", entry.get("comment"))
    if not isinstance(text, str) or not text.strip():
        if "comment" in entry:
            raise GradingError(
                f"{where}: the comment for {exercise} should be some text in quotation marks; the learner will read it."
            )
        raise GradingError(
            f"{where}: the entry for {exercise} gives no reason. Add one, as in {EXAMPLE}; the learner will read it."
        )
    if "comment" in entry:
        return Correction(None, text)
    (kind,) = entry.keys() - {"why"}
    value, most = entry[kind], points[exercise] if kind == "points" else 1
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise GradingError(
            f"{where}: the {kind} for {exercise} should be a number from 0 to {number(most)}, got {value!r:.40}."
        )
    return Correction(float(value if kind == "points" else value * points[exercise]), text)


def _meant(name: str, shown: Mapping[str, str]) -> list[str]:
    """Return the learner with this name, as in grades.csv, or else all whose names differ only as those on a roster may."""
    coded = [learner for learner in shown if shown[learner] == name]
    exact = [learner for learner in shown if composed(learner) == composed(name)]
    return coded or exact or [learner for learner in shown if name_key(learner) == name_key(name)]


def _similar(name: str, learners: Sequence[str]) -> list[str]:
    """Return the learners who may be meant: all whose names contain this one, because Moodle's names may have numbers in
    brackets, or else the one with the most similar name, if any."""
    key, keys = name_key(name), {name_key(learner): learner for learner in learners}
    close = difflib.get_close_matches(key, keys, n=1, cutoff=SIMILAR)
    return [learner for learner in learners if key in name_key(learner)] or [keys[each] for each in close]


def _quoted(names: Sequence[str]) -> str:
    more = f" or {len(names) - NAMED} more" if len(names) > NAMED else ""
    return " or ".join(f"`{name}`" for name in names[:NAMED]) + more
