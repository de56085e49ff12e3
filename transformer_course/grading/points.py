"""What each exercise counts: a small file that a teacher edits, and the marks that follow from it."""

import difflib
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from transformer_course._util.files import write_whole
from transformer_course.exercises.catalogue import by_lesson, exercise_titles
from transformer_course.exercises.exercise import Verdict

from .errors import GradingError
from .graded import Correction, Graded, Submission
from .sanitize import plain

MOST = 10_000
STANDINGS = ("passed", "partly right", "not yet", "did not run", "ran too long", "empty", "not judged")


@dataclass(frozen=True)
class Marks:
    """A submission's points. None stands where there is no mark, which is never the same as 0."""

    each: Mapping[str, float | None]  # by exercise, in the sheet's order
    out_of: float
    remark: str  # why a mark is missing; empty where none is
    corrected: str = ""  # what the teacher has set, and why; empty where nothing is

    @property
    def total(self) -> float | None:
        """The sum; None where any part of it is missing."""
        return None if None in self.each.values() else math.fsum(self.each.values())

    @property
    def percent(self) -> float | None:
        return None if self.total is None else 100 * self.total / self.out_of


def marks(submission: Submission, graded: Graded, points: Mapping[str, float]) -> Marks:
    """What the verdicts on a submission are worth: each score times the exercise's points, or what its teacher has set."""
    problem = plain(submission.problem or graded.problem, 500)
    verdicts = {name: None if problem else graded.verdicts.get(name) for name in points}
    each = {name: None if verdict is None else verdict.score * points[name] for name, verdict in verdicts.items()}
    each |= {name: correction.points for name, correction in submission.corrections.items()}
    missing = ", ".join(name for name, value in each.items() if value is None)
    told = [f"{name} {number(given.points)} ({plain(given.why, 200)})" for name, given in submission.corrections.items()]
    return Marks(
        each,
        math.fsum(points.values()),
        problem or (f"Not judged, so there is no total: {missing}." if missing else ""),
        f"Set by your teacher: {', '.join(told)}." if told else "",
    )


def standing(verdict: Verdict | None, correction: Correction | None, worth: float) -> str:
    """How a submission stands with an exercise, one of ``STANDINGS``: by what its teacher has set, else by the verdict.

    ``worth`` is what the exercise counts.
    """
    if correction:
        return "passed" if correction.points == worth else "partly right" if correction.points else "not yet"
    if verdict is None:
        return "not judged"
    if verdict.passed or verdict.reason == "empty":
        return verdict.reason
    if verdict.score > 0:
        return "partly right"
    if verdict.reason == "timeout":
        return "ran too long"
    return "did not run" if verdict.reason in ("missing", "ended", "error") else "not yet"


def number(value: float | None) -> str:
    """Points as they are written: at most two digits after the point. Nothing for a mark that does not exist."""
    return "" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def write_default(path: Path, sheet: str) -> None:
    """Write a file that gives each exercise of a sheet one point. Raises GradingError where a file is already."""
    if path.exists():
        raise GradingError(f"{path} is there already, and is left as it is; edit it, or name another file.")
    lines = [
        f"# Points for the exercises of sheet {sheet}. Any numbers from 0 on will do; a line each has to stay.",
        "# To overrule a mark, write a file corrections.toml beside this one, and grade again with --resume:",
        '#     ["Name of the learner"]',
        f'#     "{by_lesson()[sheet][0].id}" = {{points = 1, why = "rounding accepted"}}',
    ]
    titles = exercise_titles(sheet)
    lines += [f"\n# {titles[exercise.id]}: {exercise.prompt}\n{exercise.id} = 1" for exercise in by_lesson()[sheet]]
    write_whole(path, ("\n".join(lines) + "\n").encode())


def read(path: Path, sheet: str) -> dict[str, float]:
    """The points of each exercise of a sheet, in its order. Raises GradingError for a file that does not give them."""
    given = _flat(read_toml(path, "attention.softmax = 1"))
    exercises = [exercise.id for exercise in by_lesson()[sheet]]
    for name, value in given.items():
        if name not in exercises:
            raise GradingError(f"{path}: sheet {sheet} has no exercise {name!r:.80}. {nearest(name, exercises)}")
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST:
            raise GradingError(f"{path}: {name} should be a number from 0 to {MOST}, and is {value!r:.40}.")
    missing = [name for name in exercises if name not in given]
    if missing:
        raise GradingError(f"{path} leaves out {', '.join(missing)}; give each a line, such as {missing[0]} = 1.")
    if not any(given.values()):
        raise GradingError(f"{path} gives no exercise any points; give at least one of them more than 0.")
    return {name: float(given[name]) for name in exercises}


def adopt(given: Path, kept: Path) -> None:
    """Make the file of points that was given the one that holds from now on; the one before is kept beside it."""
    content = given.read_bytes()
    if kept.exists():
        if kept.read_bytes() == content:
            return
        write_whole(kept.with_name("points-before.toml"), kept.read_bytes())
    write_whole(kept, content)


def read_toml(path: Path, line: str) -> dict:
    """A file that a teacher has written. Raises GradingError, with ``line`` as an example, where it cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise GradingError(f"{path} cannot be read ({error.strerror or error}).") from None
    except UnicodeDecodeError:
        raise GradingError(f"{path} is not text in UTF-8; save it as UTF-8.") from None
    except (ValueError, RecursionError) as error:  # TOMLDecodeError, and numbers of thousands of digits
        raise GradingError(f"{path} cannot be read: {error}. A line should look like {line}.") from None


def nearest(name: str, names: Sequence[str]) -> str:
    """A sentence with the one of ``names`` that looks most like ``name``."""
    (close,) = difflib.get_close_matches(name, names, n=1, cutoff=0.0)
    return f"The nearest name is `{close}`."


def _flat(table: Mapping, before: str = "") -> dict[str, object]:
    """TOML reads a dotted name as a table in a table."""
    flat: dict[str, object] = {}
    for name, value in table.items():
        flat |= _flat(value, f"{before}{name}.") if isinstance(value, dict) and value else {before + name: value}
    return flat
