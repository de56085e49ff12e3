"""How many points each exercise is worth, in a small file that a teacher edits, and the marks that follow from it."""

import difflib
import math
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from transformer_course._util.files import write_whole
from transformer_course.exercises.catalogue import by_lesson, core, exercise_titles
from transformer_course.exercises.exercise import Verdict

from .errors import GradingError
from .graded import Correction, Graded, Submission
from .sanitize import plain

MAX_POINTS = 10_000  # for one exercise
STANDINGS = ("passed", "partly correct", "not yet", "did not run", "timed out", "no answer", "not graded")


@dataclass(frozen=True)
class Marks:
    """A submission's points. None means that there is no mark, which is never the same as 0."""

    each: Mapping[str, float | None]  # by exercise, in the sheet's order
    out_of: float
    remark: str  # why a mark is missing; empty if none is
    corrected: str = ""  # what the teacher has set, and why; empty if nothing is
    late: str = ""  # how late the submission is, and what that costs; empty if it came before the deadline
    deducted: float = 0.0  # points that this costs

    @property
    def total(self) -> float | None:
        """The sum less what is deducted, but not below 0; None if any part of it is missing."""
        return None if None in self.each.values() else max(0.0, math.fsum(self.each.values()) - self.deducted)

    @property
    def percent(self) -> float | None:
        return None if self.total is None else 100 * self.total / self.out_of


def marks(submission: Submission, graded: Graded, points: Mapping[str, float]) -> Marks:
    """Turn verdicts into points: each score times the exercise's points, or the points that the teacher has set."""
    problem = plain(submission.problem or graded.problem, 500)
    verdicts = {name: None if problem else graded.verdicts.get(name) for name in points}
    each = {name: None if verdict is None else verdict.score * points[name] for name, verdict in verdicts.items()}
    given = {name: correction for name, correction in submission.corrections.items() if correction.points is not None}
    each |= {name: correction.points for name, correction in given.items()}
    missing = ", ".join(name for name, value in each.items() if value is None)
    corrected = [f"{name} {number(set_.points)} ({plain(set_.why, 200)})" for name, set_ in given.items()]
    out_of = math.fsum(points.values())
    if problem and not missing:  # then there is nothing that the learner should do about it
        problem = f"{problem.partition('; ')[0].rstrip('.')}. Your teacher has set these marks."
    days = f"{submission.days_late} day{'s' * (submission.days_late > 1)}"
    full = submission.deducted * out_of
    deducted = full if missing else min(full, math.fsum(each.values()))  # the total does not fall below 0
    some = f"{number(full)} of {number(out_of)} points ({number(100 * submission.deducted)}%)"
    cost = f", which costs {some if deducted == full else 'all the points'}" if deducted else ""
    return Marks(
        each,
        out_of,
        problem or (f"There is no total, because these exercises could not be graded: {missing}." if missing else ""),
        f"Set by your teacher: {', '.join(corrected)}." if corrected else "",
        f"{days} late{cost}."
        if submission.days_late
        else "On time, within the extra hours."
        if submission.in_extra_hours
        else "",
        deducted,
    )


def standing(verdict: Verdict | None, correction: Correction | None, worth: float) -> str:
    """Return one of ``STANDINGS`` for an exercise that is ``worth`` that many points.

    A teacher's correction takes precedence over the verdict.
    """
    if correction and correction.points is not None:
        return "passed" if correction.points == worth else "partly correct" if correction.points else "not yet"
    if verdict is None:
        return "not graded"
    if verdict.passed:
        return "passed"
    if verdict.reason == "empty":
        return "no answer"
    if verdict.score > 0:
        return "partly correct"
    if verdict.reason == "timeout":
        return "timed out"
    return "did not run" if verdict.reason in ("missing", "ended", "error", "memory") else "not yet"


def number(value: float | None) -> str:
    """Write points with at most two decimal places; a mark that does not exist becomes an empty string."""
    return "" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def write_default(path: Path, sheet: str) -> None:
    """Write a file that gives each exercise of a sheet one point. Raises GradingError if the file already exists."""
    if path.exists():
        raise GradingError(f"{path} already exists, and was left unchanged; edit it, or choose another file.")
    lines = [
        f"# Points for the exercises of sheet {sheet}: any numbers from 0 to {MAX_POINTS}. Keep a line for each exercise.",
        "# To change somebody's mark, create corrections.toml next to this file, as below, and grade again with --resume:",
        '#     ["Name of the learner"]',
        f'#     "{by_lesson()[sheet][0].id}" = {{points = 1, why = "rounding accepted"}}',
    ]
    titles, of_core = exercise_titles(sheet), core(sheet)
    for exercise in by_lesson()[sheet]:
        practice = "" if exercise.id in of_core else " (more practice; with 0 in place of 1, it does not count)"
        lines.append(f"\n# {titles[exercise.id]}{practice}: {exercise.prompt}\n{exercise.id} = 1")
    write_whole(path, ("\n".join(lines) + "\n").encode())


def read(path: Path, sheet: str) -> dict[str, float]:
    """Read the points of each exercise of a sheet, in its order. Raises GradingError if the file does not give them."""
    given = joined(read_toml(path, "attention.softmax = 1"))
    exercises = [exercise.id for exercise in by_lesson()[sheet]]
    for name, value in given.items():
        if name not in exercises:
            raise GradingError(f"{path}: sheet {sheet} has no exercise {name!r:.80}. {did_you_mean(name, exercises)}")
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MAX_POINTS:
            raise GradingError(f"{path}: {name} should be a number from 0 to {MAX_POINTS}, got {value!r:.40}.")
    missing = [name for name in exercises if name not in given]
    if missing:
        raise GradingError(f"{path} has no points for {', '.join(missing)}; add a line for each, such as {missing[0]} = 1.")
    if not any(given.values()):
        raise GradingError(f"{path} gives every exercise 0 points; give at least one of them more.")
    return {name: float(given[name]) for name in exercises}


def install_points(given: Path, kept: Path) -> None:
    """Replace the points file ``kept`` by ``given`` from now on, and keep the old one beside it."""
    content = given.read_bytes()
    if kept.exists():
        if kept.read_bytes() == content:
            return
        write_whole(kept.with_name("points-before.toml"), kept.read_bytes())
    write_whole(kept, content)


def read_toml(path: Path, example: str) -> dict:
    """Read a file that a teacher has written. Raises GradingError, with the ``example`` line, if it cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise GradingError(f"{path} cannot be read ({error.strerror or error}).") from None
    except UnicodeDecodeError:
        raise GradingError(f"{path} is not UTF-8 text; save it as UTF-8.") from None
    except (ValueError, RecursionError) as error:  # TOMLDecodeError, and numbers with thousands of digits
        comma = " Write decimals with a point, as in 1.5." if re.search(r"=\s*\d+,\d", path.read_text("utf-8-sig")) else ""
        raise GradingError(f"{path} cannot be read: {error}. A line should look like {example}.{comma}") from None


def did_you_mean(name: str, names: Sequence[str]) -> str:
    """Return a question that suggests the most similar of ``names``."""
    (close,) = difflib.get_close_matches(name, names, n=1, cutoff=0.0)
    return f"Did you mean `{close}`?"


def joined(
    table: Mapping, is_value: Callable[[str, dict], bool] = lambda name, value: False, before: str = ""
) -> dict[str, object]:
    """Join the names of nested tables: TOML reads a dotted name without quotation marks as a table in a table."""
    values: dict[str, object] = {}
    for name, value in table.items():
        inner = isinstance(value, dict) and value and not is_value(before + name, value)
        values |= joined(value, is_value, f"{before}{name}.") if inner else {before + name: value}
    return values
