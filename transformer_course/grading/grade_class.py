"""Grade a folder of submissions into a folder of results: the work of ``transformer-course grade``."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from . import corrections, points, store
from .errors import GradingError
from .graded import Graded, Submission
from .reports import moodle, report
from .run import Run, TimeLimits, grading_version
from .submissions.class_list import ClassList
from .submissions.collect import collect
from .submissions.filenames import file_names
from .submissions.find import root

GradeAll = Callable[[Run, Sequence[Submission], Callable[[Submission, Graded], None]], None]


@dataclass(frozen=True)
class GradedClass:
    """The results of a class."""

    run: Run
    results: list[tuple[Submission, Graded]]  # with the corrections that change something
    kept: int = 0  # how many were not graded again, because nothing about them had changed
    outdated: int = 0  # how many were graded again although their files are the same: the course has changed
    gone: Sequence[str] = ()  # names of pages and results that no longer belong to any submission, and were moved
    failed: Sequence[str] = ()  # names of pages and charts that could not be made


def prepare(
    folder: Path,
    out: Path,
    sheet: str | None = None,
    points_file: Path | None = None,
    resume: bool = False,
    one: bool = False,
    class_list: ClassList | None = None,
    worksheet: moodle.Worksheet | None = None,
) -> Run:
    """Find all submissions in ``folder``, and make ``out`` ready for their results. With ``one``, the folder is one learner's.

    ``points_file`` is copied to points.toml in ``out``, so it applies to later runs too. A ``worksheet`` that has none of
    the learners is refused.

    Raises GradingError if something prevents grading.
    """
    if folder.resolve() in [out.resolve(), *out.resolve().parents]:
        raise GradingError(f"{out} is the folder of submissions, or inside it; choose a folder elsewhere for the results.")
    if out.exists() and not out.is_dir():
        raise GradingError(f"{out} is a file; choose a folder for the results.")
    sheet, submissions, others = collect(folder, sheet, one)
    if resume:
        submissions = store.not_later(out, submissions)
    submissions, strangers = (class_list or ClassList()).applied(submissions, sheet)
    if worksheet:
        moodle.placed(worksheet, submissions)
    names = file_names(submission.learner for submission in submissions)
    with store.disk_errors(out):
        secret = store.open_folder(out, sheet, resume)
        if resume:
            handed_in = {names[each.learner] for each in submissions if not each.problem}
            store.require_same_class(out, sheet, folder, one, handed_in)
        if points_file is None and not (points_file := out / "points.toml").exists():
            points.write_default(points_file, sheet)
        worth = points.read(points_file, sheet)
        has_work = {each.learner: not each.problem for each in submissions}
        try:
            corrected, unused = corrections.read(out / "corrections.toml", has_work, worth, store.learners(out))
        except GradingError as error:
            raise GradingError(f"{error} Nothing was changed.") from None
        points.install_points(points_file, out / "points.toml")
        if resume:
            store.restore(out, names.values())
    run = Run(out, sheet, worth, submissions, root(folder, one), secret, grading_version(), TimeLimits(), resume, corrected)
    return replace(run, others=others, strangers=strangers, unused=unused)


def grade_class(run: Run, grade_all: GradeAll, progress: Callable[[int, int], None]) -> GradedClass:
    """Grade every submission that has no result yet, and write all results and reports.

    ``grade_all`` is the function of that name in ``local_pool`` or ``cluster``, with its last parameters filled in.
    ``progress`` is called with the number of submissions that are done, and that of all.

    Raises GradingError if there is no sandbox, and OSError if something cannot be written. Whatever was graded by then stays,
    and a run with ``resume`` continues from it.
    """
    results: dict[str, tuple[Submission, Graded]] = {}  # by learner
    kept = outdated = 0

    def add(submission: Submission, graded: Graded) -> None:
        given = corrections.effective(run.corrections.get(submission.learner, {}), graded, run.points)
        results[submission.learner] = replace(submission, corrections=given), graded

    for submission in run.submissions:
        if submission.problem:
            add(submission, Graded({}))
        elif run.resume and (earlier := store.load(run.out, run.file_names[submission.learner], run.sheet)):
            digest, version, graded = earlier
            complete = not graded.problem and None not in graded.verdicts.values()  # else another try may give a mark
            if (digest, version) == (submission.digest, run.version) and complete:
                add(submission, graded)
                kept += 1
            outdated += digest == submission.digest and version != run.version
    left = [submission for submission in run.submissions if submission.learner not in results]
    progress(len(results), len(run.submissions))

    def done(submission: Submission, graded: Graded) -> None:
        add(submission, graded)
        store.write(run, *results[submission.learner])
        progress(len(results), len(run.submissions))

    if left:
        grade_all(run, left, done)
    in_order = [results[submission.learner] for submission in run.submissions]
    gone = store.archive_others(run.out, run.file_names.values()) if run.resume else []
    store.write_all(run, in_order)
    return GradedClass(run, in_order, kept, outdated, gone, report.write(run, in_order, gone))
