"""A folder of submissions, graded into a folder of results: what ``transformer-course grade`` does."""

import json
import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from transformer_course._util.files import write_whole

from . import corrections, points
from .errors import GradingError
from .graded import Graded, Submission
from .judging.local_pool import edition, seed
from .reports import report
from .submissions.collect import collect
from .submissions.filenames import file_names
from .submissions.find import root

GradeAll = Callable[[Sequence[Submission], Path, str, Sequence[int], Callable[[int, Graded], None]], None]
SECRET = "secret.json"  # what the questions are drawn from: whoever has it can know them beforehand


@dataclass(frozen=True)
class Assignment:
    """The results of a class, and what each exercise counts."""

    sheet: str
    results: list[tuple[Submission, Graded]]
    points: dict[str, float]
    kept: int  # how many were not graded again, since nothing about them had changed
    others: list[str]  # names of files among the submissions that are no notebooks
    gone: list[str]  # names of pages and results that belong to nobody any more, and were moved
    unused: list[str]  # names in corrections.toml that are not among the submissions


def grade_folder(
    folder: Path,
    out: Path,
    grade_all: GradeAll,
    sheet: str | None = None,
    points_file: Path | None = None,
    resume: bool = False,
    one: bool = False,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Assignment:
    """Grade every submission in ``folder``, or the ``one`` learner's whose folder it is, and write all results into ``out``.
    Raises GradingError where that cannot be done. What was graded until then is kept in ``out``; ``resume`` goes on from it.

    ``points_file`` becomes the points.toml of ``out``, so that it holds for later runs too.

    ``grade_all`` is the function of that name in ``classroom`` or ``cluster``, with what it needs beside.
    """
    if folder.resolve() in [out.resolve(), *out.resolve().parents]:
        raise GradingError(f"{out} is where the submissions are; choose a folder for the results elsewhere.")
    if out.exists() and not out.is_dir():
        raise GradingError(f"{out} is a file; name a folder for the results.")
    sheet, submissions, others = collect(folder, sheet, one)
    names = file_names(submission.learner for submission in submissions)
    try:
        secret = _prepare(out, sheet, resume)
        if resume:
            _demand_the_same_class(folder, out, names.values(), one)
        if points_file is None and not (points_file := out / "points.toml").exists():
            points.write_default(points_file, sheet)
        worth = points.read(points_file, sheet)
        corrected, unused = corrections.read(out / "corrections.toml", [*names], worth, report.learners(out))
        submissions = [replace(each, corrections=corrected.get(each.learner, {})) for each in submissions]
        points.adopt(points_file, out / "points.toml")
        if resume:
            report.bring_back(out, names.values())
        results, kept = _grade(submissions, names, root(folder, one), out, sheet, worth, secret, resume, progress, grade_all)
        gone = report.set_aside(out, names.values()) if resume else []
        report.write(out, sheet, results, worth, edition(), gone, unused)
        return Assignment(sheet, results, worth, kept, others, gone, unused)
    except OSError as error:
        raise GradingError(
            f"{out} cannot be written ({error.strerror or error}). What was graded so far is kept there; make room, and "
            "go on with --resume."
        ) from None


def _grade(submissions, names, within, out, sheet, worth, secret, resume, progress, grade_all) -> tuple[list, int]:
    current = edition()
    results: dict[int, Graded] = {}
    for place, submission in enumerate(submissions):
        if submission.problem:
            results[place] = Graded({})
        elif resume and (before := report.load(out, names[submission.learner], sheet)):
            digest, edition_then, graded = before
            if (digest, edition_then) == (submission.digest, current) and not graded.problem:
                results[place] = graded
    kept = len(results) - sum(bool(submission.problem) for submission in submissions)
    left = [place for place in range(len(submissions)) if place not in results]
    progress(len(results), len(submissions))

    def done(number: int, graded: Graded) -> None:
        place = left[number]
        results[place] = graded
        submission = submissions[place]
        report.write_one(out, names[submission.learner], sheet, submission, graded, worth, current)
        progress(len(results), len(submissions))

    if left:
        seeds = [seed(secret, submissions[place].digest) for place in left]
        grade_all([submissions[place] for place in left], within, sheet, seeds, done)
    return [(submission, results[place]) for place, submission in enumerate(submissions)], kept


def _demand_the_same_class(folder: Path, out: Path, names: Collection[str], one: bool) -> None:
    """Raises GradingError for a folder that would move most of the class away: it is the wrong one."""
    before = {path.stem for path in (out / "results").glob("*.json")}
    if (one or folder.is_file()) and len(before) > 1:
        raise GradingError(
            f"{out} holds the results of a class, and {folder} is one learner's. With --resume, give the whole class; "
            "to try one learner again, choose another folder for the results."
        )
    gone = len(before - {*names})
    if gone > len(before) / 2:
        raise GradingError(
            f"{gone} of the {len(before)} learners of {out} are not in {folder}, so nothing was changed. For late work or one "
            f"learner, choose another folder for the results. If {folder} has the whole class, move {out / 'results'} "
            "elsewhere and run this again: all of it is graded anew."
        )


def _prepare(out: Path, sheet: str, resume: bool) -> bytes:
    """The secret of this grading; a new one where none is."""
    file = out / SECRET
    if not resume and any((out / "results").glob("*.json")):
        raise GradingError(f"{out} holds results already. Add --resume to go on with them, or choose another folder.")
    out.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        content = {"sheet": sheet, "secret": secrets.token_hex(32)}
        write_whole(file, (json.dumps(content, indent=1) + "\n").encode())
        file.chmod(0o600)
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        secret = bytes.fromhex(kept["secret"])
    except (ValueError, KeyError, TypeError):
        raise GradingError(f"{file} is damaged; grade into another folder.") from None
    if kept["sheet"] != sheet:
        raise GradingError(f"{out} holds results of sheet {kept['sheet']}, and this is sheet {sheet}; choose another folder.")
    return secret
