"""Grade a folder of submissions into a folder of results: the work of ``transformer-course grade``."""

import errno
import json
import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from transformer_course._util.files import write_whole

from . import corrections, points
from .errors import GradingError
from .graded import Graded, Submission
from .judging.local_pool import grading_version, seed
from .reports import moodle, report
from .submissions.class_list import ClassList
from .submissions.collect import collect
from .submissions.filenames import file_names
from .submissions.find import root

GradeAll = Callable[[Sequence[Submission], Path, str, Sequence[int], Callable[[int, Graded], None]], None]
SECRET = "secret.json"  # the questions depend on it, so anybody who has it can know them in advance


@dataclass(frozen=True)
class Assignment:
    """The results of a class, and how many points each exercise is worth."""

    sheet: str
    results: list[tuple[Submission, Graded]]
    points: dict[str, float]
    kept: int  # how many were not graded again, because nothing about them had changed
    outdated: int  # how many were graded again although their files are the same: the course has changed
    others: list[str]  # names of files among the submissions that are not notebooks
    gone: list[str]  # names of pages and results that no longer belong to any submission, and were moved
    unused: list[str]  # names in corrections.toml that are not among the submissions
    strangers: list[str]  # learners who are not in the teacher's roster
    failed: list[str]  # names of pages and charts that could not be made


def grade_folder(
    folder: Path,
    out: Path,
    grade_all: GradeAll,
    sheet: str | None = None,
    points_file: Path | None = None,
    resume: bool = False,
    one: bool = False,
    class_list: ClassList | None = None,
    worksheet: moodle.Worksheet | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Assignment:
    """Grade every submission in ``folder`` and write all results to ``out``. With ``one``, the folder is one learner's.

    ``grade_all`` is the function of that name in ``local_pool`` or ``cluster``, with its last parameters filled in.
    ``points_file`` is copied to points.toml in ``out``, so it applies to later runs too. A ``worksheet`` that has none of
    the learners is refused before anything is graded.

    Raises GradingError if this cannot be done. Whatever was graded by then stays in ``out``, and ``resume`` continues from it.
    """
    if folder.resolve() in [out.resolve(), *out.resolve().parents]:
        raise GradingError(f"{out} is the folder of submissions, or inside it; choose a folder elsewhere for the results.")
    if out.exists() and not out.is_dir():
        raise GradingError(f"{out} is a file; choose a folder for the results.")
    sheet, submissions, others = collect(folder, sheet, one)
    if resume:
        submissions = report.not_later(out, submissions)
    submissions, strangers = (class_list or ClassList()).applied(submissions, sheet)
    if worksheet:
        moodle.placed(worksheet, submissions)
    names = file_names(submission.learner for submission in submissions)
    try:
        secret = _prepare(out, sheet, resume)
        if resume:
            _require_same_class(folder, out, {names[each.learner] for each in submissions if not each.problem}, sheet, one)
        if points_file is None and not (points_file := out / "points.toml").exists():
            points.write_default(points_file, sheet)
        worth = points.read(points_file, sheet)
        has_work = {each.learner: not each.problem for each in submissions}
        try:
            corrected, unused = corrections.read(out / "corrections.toml", has_work, worth, report.learners(out))
        except GradingError as error:
            raise GradingError(f"{error} Nothing was changed.") from None
        submissions = [replace(each, corrections=corrected.get(each.learner, {})) for each in submissions]
        points.install_points(points_file, out / "points.toml")
        if resume:
            report.restore(out, names.values())
        results, kept, outdated = _grade(
            submissions, names, root(folder, one), out, sheet, worth, secret, resume, progress, grade_all
        )
        gone = report.archive_others(out, names.values()) if resume else []
        failed = report.write(out, sheet, results, worth, grading_version(), gone, unused)
        return Assignment(sheet, results, worth, kept, outdated, others, gone, unused, strangers, failed)
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "Free some space, then continue with --resume." if full else "Do you have permission to write there?"
        kept = " Everything graded so far is kept there." if out.exists() else ""
        raise GradingError(f"Cannot write to {out} ({error.strerror or error}).{kept} {advice}") from None


def _grade(submissions, names, within, out, sheet, worth, secret, resume, progress, grade_all) -> tuple[list, int, int]:
    """Return each submission with its result, how many results were kept from an earlier run, and how many were outdated."""
    version, outdated = grading_version(), 0
    results: dict[int, Graded] = {}
    for index, submission in enumerate(submissions):
        if submission.problem:
            results[index] = Graded({})
        elif resume and (earlier := report.load(out, names[submission.learner], sheet)):
            digest, earlier_version, graded = earlier
            complete = not graded.problem and None not in graded.verdicts.values()  # else another try may give a mark
            if (digest, earlier_version) == (submission.digest, version) and complete:
                results[index] = graded
            outdated += digest == submission.digest and earlier_version != version
    kept = len(results) - sum(bool(submission.problem) for submission in submissions)
    left = [index for index in range(len(submissions)) if index not in results]
    progress(len(results), len(submissions))

    def done(place: int, graded: Graded) -> None:
        index = left[place]
        results[index] = graded
        submission = corrections.effective(submissions[index], graded, worth)
        report.write_one(out, names[submission.learner], sheet, submission, graded, worth, version)
        progress(len(results), len(submissions))

    if left:
        seeds = [seed(secret, submissions[index].digest) for index in left]
        grade_all([submissions[index] for index in left], within, sheet, seeds, done)
    graded = [(submission, results[index]) for index, submission in enumerate(submissions)]
    return [(corrections.effective(submission, result, worth), result) for submission, result in graded], kept, outdated


def _require_same_class(folder: Path, out: Path, handed_in: Collection[str], sheet: str, one: bool) -> None:
    """Raise GradingError if ``folder`` lacks most of the work in the results, because then it is the wrong folder."""
    results = {path.stem for path in (out / "results").glob("*.json")}
    if (one or folder.is_file()) and len(results) > 1:
        raise GradingError(
            f"{out} holds the results of a class, but {folder} is one learner's. With --resume, grade the whole class; "
            "to grade one learner again, choose another folder for the results."
        )
    before = {name for name in results if (earlier := report.load(out, name, sheet)) and earlier[0]}  # with a notebook
    gone = len(before - {*handed_in})
    if gone > len(before) / 2:
        raise GradingError(
            f"Nothing was changed: of the {len(before)} learners with a graded notebook in '{out}', {gone} have no notebook "
            f"in '{folder}'. Is '{folder}' the wrong folder? To grade only late work, or only one learner, choose another "
            "folder for the results. If this is the right folder, and an earlier run had the wrong one, move "
            f"'{out / 'results'}' elsewhere, and run this again to grade everybody from scratch."
        )


def _prepare(out: Path, sheet: str, resume: bool) -> bytes:
    """Make the folder for the results if necessary; return the secret of this grading, a new one for a new folder."""
    file = out / SECRET
    if not resume and any((out / "results").glob("*.json")):
        raise GradingError(f"{out} already holds results. Add --resume to continue with them, or choose another folder.")
    out.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        content = {"sheet": sheet, "secret": secrets.token_hex(32)}
        write_whole(file, (json.dumps(content, indent=1) + "\n").encode())
        file.chmod(0o600)
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
        secret = bytes.fromhex(stored["secret"])
    except (ValueError, KeyError, TypeError):
        raise GradingError(f"{file} is damaged; choose another folder for the results.") from None
    if stored["sheet"] != sheet:
        raise GradingError(
            f"{out} holds results for sheet {stored['sheet']}, but these submissions are for sheet {sheet}; choose "
            "another folder for their results."
        )
    return secret
