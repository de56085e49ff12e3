"""The command ``grade``: grade a class, then list the results and what a teacher should look at."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape

from .console import stop

if TYPE_CHECKING:
    from transformer_course.grading.assignment import Assignment, GradeAll
    from transformer_course.grading.reports.moodle import Worksheet

COURSE_FILES = re.compile(r"(\d\d_sheet|B\d)_|(exercises|notebooks|docs)$")  # names of the course's files and folders
LISTED = 10  # names per line; the others are only counted


def grade(
    submissions: Annotated[
        Path,
        typer.Argument(
            help="A folder with one notebook or folder per learner, or a single notebook. For one learner's folder, add --one."
        ),
    ],
    out: Annotated[Path, typer.Option(help="The folder for the results; created if it does not exist.")],
    sheet: Annotated[
        str | None, typer.Option(help="The sheet to grade, such as 03. Default: the one that most learners submitted.")
    ] = None,
    points: Annotated[
        Path | None, typer.Option(help="A file with the points per exercise. It replaces points.toml in the results.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue with earlier results. Only new and changed submissions are graded.")
    ] = False,
    one: Annotated[
        bool, typer.Option("--one", help="The folder holds the files of one learner, and its name is the learner's name.")
    ] = False,
    moodle: Annotated[
        Path | None,
        typer.Option(
            metavar="WORKSHEET",
            help="Moodle's grading worksheet (CSV). A copy with the marks, and a zip of the feedback, are added.",
        ),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Submissions to grade at once. Default: one per CPU.")] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Grade on a Dask cluster: the address of its scheduler, such as tcp://10.0.0.5:8786.")
    ] = None,
    fail_under: Annotated[
        float | None, typer.Option(min=0, max=100, help="Exit with status 3 if any learner scores below this percentage.")
    ] = None,
) -> None:
    """Grade a class, with a table of marks, a page of feedback per learner, and the most common mistakes.

    Learners' code runs in a sandbox and is graded outside it. Without a sandbox, nothing is run and nobody gets a mark.

    To change points or marks, edit points.toml or corrections.toml in the results folder, then run the command with --resume.

    Exit status: 0 if every submission has a mark, 1 if some have none or grading failed, 3 as described for --fail-under.
    """
    if scheduler and workers:
        raise stop("With --scheduler, the cluster determines how many submissions are graded at once. Leave out --workers.")
    worksheet = moodle and _worksheet(moodle)  # before anything is graded, so that nobody waits for a refusal
    from transformer_course.grading.sandbox.bubblewrap import Bubblewrap

    # Started before the imports below, because loading torch in the sandbox takes longest of all.
    bubble = None if scheduler else Bubblewrap.start()
    from transformer_course.grading.assignment import grade_folder
    from transformer_course.grading.errors import GradingError
    from transformer_course.grading.points import marks

    try:
        with _progress_bar() as advance, _grader(bubble, workers, scheduler) as grade_all:
            assignment = grade_folder(submissions, out, grade_all, sheet and sheet.zfill(2), points, resume, one, advance)
    except GradingError as error:
        raise stop(str(error)) from None
    except KeyboardInterrupt:
        raise stop(f"Stopped. The results so far are kept in {out}. To continue, add --resume.") from None
    graded = {submission.learner: marks(submission, result, assignment.points) for submission, result in assignment.results}
    unmarked = [learner for learner, mark in graded.items() if mark.total is None]
    below = [learner for learner, mark in graded.items() if mark.total is not None and mark.percent < (fail_under or 0)]
    of_a_class = submissions.is_dir() and not one
    console = Console(soft_wrap=True)
    console.print(_summary(assignment, len(graded) - len(unmarked)))
    _print_names(console, {"no mark": unmarked, **_names_to_check(assignment, of_a_class)})
    _print_names(console, {f"below {fail_under or 0:g}%": below, **_names_left_out(assignment)})
    _print_files(console, out)
    if worksheet:
        _fill_worksheet(console, worksheet, out, assignment)
    if unmarked:
        raise typer.Exit(1)
    if below:
        raise typer.Exit(3)


@contextmanager
def _progress_bar() -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar; yield the function that advances it."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("grading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, transient=True, console=Console(stderr=True)) as bar:
        task = bar.add_task("grading", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def _grader(bubble, workers: int | None, scheduler: str | None) -> Iterator["GradeAll"]:
    """Yield the function that grades a class, on this computer or on a cluster."""
    if scheduler:
        try:
            from transformer_course.grading.judging import cluster
        except ImportError as error:
            install = "pip install -c constraints.txt -e '.[cluster]'"
            raise stop(f"--scheduler needs more packages ({error}). In the clone, run: {install}") from None
        yield partial(cluster.grade_all, address=scheduler)
    else:
        from transformer_course.grading.judging import local_pool
        from transformer_course.grading.sandbox.supervisor import Sandbox

        with Sandbox(bubble) as sandbox:
            yield partial(local_pool.grade_all, workers=workers or os.cpu_count() or 1, sandbox=sandbox)


def _worksheet(path: Path) -> "Worksheet":
    from transformer_course.grading.errors import GradingError
    from transformer_course.grading.reports import moodle

    try:
        return moodle.read(path)
    except GradingError as error:
        raise stop(str(error)) from None


def _fill_worksheet(console: Console, worksheet: "Worksheet", out: Path, assignment: "Assignment") -> None:
    from transformer_course.grading.errors import GradingError
    from transformer_course.grading.reports import moodle

    try:
        filled, left_out = moodle.write(out, worksheet, assignment.sheet, assignment.results, assignment.points)
    except (GradingError, OSError) as error:
        raise stop(str(error)) from None
    console.print(escape(f"for Moodle, {filled} marks: {out / moodle.WORKSHEET}"))
    console.print(escape(f"for Moodle, the feedback: {out / moodle.FEEDBACK}"))
    _print_names(console, {f"left out for Moodle, {reason}": names for reason, names in left_out.items()})


def _summary(assignment: "Assignment", marked: int) -> str:
    kept = f", {assignment.kept} of them from earlier results" if assignment.kept else ""
    return f"sheet {assignment.sheet}: marks for {marked} of {len(assignment.results)} submissions{kept}"


def _names_to_check(assignment: "Assignment", of_a_class: bool) -> dict[str, list[str]]:
    """Return the learners whose submissions a teacher should look at, with the reason."""
    submissions = [submission for submission, _ in assignment.results]
    unlikely = [each.learner for each in submissions if of_a_class and COURSE_FILES.match(each.learner)]
    return {
        "unlikely names for learners (give the folder of the whole class, or add --one for one learner's folder)": unlikely,
        "several attempts, of which the newest was graded": [
            each.learner for each in submissions if each.attempts > 1 and not each.tied
        ],
        "several attempts with the same time, of which the last by name was graded": [
            each.learner for each in submissions if each.tied
        ],
        "see grading.log": [each.learner for each, result in assignment.results if each.needs_review or result.cells_failed],
    }


def _names_left_out(assignment: "Assignment") -> dict[str, list[str]]:
    """Return the files and learners that are not in these results, with the reason."""
    return {
        "not a notebook, so not graded": assignment.others,
        "no longer among the submissions, so moved to no-longer-there": assignment.gone,
        "in corrections.toml but not among the submissions, so ignored": assignment.unused,
    }


def _print_names(console: Console, names_by_reason: dict[str, list[str]]) -> None:
    from transformer_course.grading.sanitize import plain

    for reason, names in names_by_reason.items():
        if names:
            more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
            console.print(f"{reason}: {escape(', '.join(plain(name, 60) for name in names[:LISTED]))}{more}")


def _print_files(console: Console, out: Path) -> None:
    files = {"marks": "grades.csv", "feedback pages": "feedback", "class summary": "summary.html", "log": "grading.log"}
    for content, name in files.items():
        console.print(escape(f"{content}: {out / name}"))
