"""The command ``grade``: grade a class, then list the results and what a teacher should look at."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from . import grade_results
from .class_options import DEADLINE, KEPT, as_typed, deadline, keep, kept_in, percentage
from .console import sheet_number, stop, stopping_at

if TYPE_CHECKING:
    from transformer_course.grading.grade_class import GradeAll


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
        bool,
        typer.Option(
            "--resume",
            help=(
                "Continue with earlier results. Only new and changed submissions are graded. Any of --roster, --due and "
                "--late that you leave out stays as in the last run."
            ),
        ),
    ] = False,
    one: Annotated[
        bool, typer.Option("--one", help="The folder holds the files of one learner, and its name is the learner's name.")
    ] = False,
    moodle: Annotated[
        Path | None,
        typer.Option(
            metavar="WORKSHEET",
            help="Moodle's grading worksheet (CSV). Adds a copy with the marks, and a zip of the feedback.",
        ),
    ] = None,
    roster: Annotated[
        Path | None,
        typer.Option(
            help=(
                "A table of the class (CSV) with the columns name, number and extra hours. Adds learners who submitted "
                "nothing to the results."
            )
        ),
    ] = None,
    due: Annotated[
        datetime | None,
        typer.Option(parser=deadline, metavar=f"'{DEADLINE}'", help="The deadline, in this computer's time zone."),
    ] = None,
    late: Annotated[
        float | None,
        typer.Option(
            parser=percentage,
            metavar="PERCENT",
            help="The percentage of the points to deduct for each day, or part of a day, after --due.",
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
    """Grade a class: write a table of marks, a page of feedback per learner, and a summary of the class.

    Learners' code runs in a sandbox and is graded outside it. Without a sandbox, nothing is run and nobody gets a mark.

    To change points or marks, edit points.toml or corrections.toml in the results folder, then run the command with --resume.

    Exit status: 0 if every learner has a mark, 1 if any learner has none or grading failed, 3 as described for --fail-under.
    """
    if scheduler and workers:
        raise stop("With --scheduler, the cluster determines how many submissions are graded at once. Leave out --workers.")
    if one and roster:
        raise stop("--roster is for a whole class, --one for a single learner. Leave out --one or --roster.")
    options = {"roster": roster, "due": due, "late": late}
    as_before = {name: value for name, value in kept_in(out).items() if options[name] is None} if resume else {}
    roster, due, late = (options | as_before).values()
    if late and not due:
        raise stop(f"--late needs a deadline, such as --due '{DEADLINE}'.")
    from transformer_course.grading.errors import GradingError
    from transformer_course.grading.reports.moodle import read as read_worksheet
    from transformer_course.grading.sandbox.bubblewrap import Bubblewrap
    from transformer_course.grading.submissions.class_list import ClassList, read_roster

    with stopping_at(GradingError):
        class_list = ClassList(read_roster(roster) if roster else {}, due, late or 0.0)
        worksheet = moodle and read_worksheet(moodle)  # before anything is graded, so that nobody waits for a refusal

    # Started before the imports below, because loading torch in the sandbox takes longest of all.
    bubble = None if scheduler else Bubblewrap.start()
    from transformer_course.grading.grade_class import grade_class, prepare
    from transformer_course.grading.points import marks
    from transformer_course.grading.store import disk_errors

    try:
        with stopping_at(GradingError), _progress_bar() as progress, _grader(bubble, workers, scheduler) as grade_all:
            number = sheet and sheet_number(sheet)
            run = prepare(submissions, out, number, points, resume, one, class_list, worksheet)
            with disk_errors(out):
                keep(roster, due, late, out)  # before anything is graded, so that a run that is stopped goes on with them
                graded_class = grade_class(run, grade_all, progress)
    except KeyboardInterrupt:
        raise stop(f"Stopped. The results so far are kept in {out}. To continue, add --resume.") from None
    graded = {submission.learner: marks(submission, result, run.points) for submission, result in graded_class.results}
    unmarked = [learner for learner, mark in graded.items() if mark.total is None]
    below = [learner for learner, mark in graded.items() if mark.total is not None and mark.percent < (fail_under or 0)]
    console = Console(soft_wrap=True)
    if before := as_typed(as_before):
        console.print(f"as before: {before} (to drop this, delete {out / KEPT})", markup=False)
    grade_results.print_results(console, graded_class, unmarked, of_a_class=submissions.is_dir() and not one)
    grade_results.print_names(console, {f"below {fail_under or 0:g}%": below, **grade_results.left_out(graded_class)})
    grade_results.print_files(console, out)
    grade_results.delete_old_moodle_files(console, out, replaced=bool(worksheet))
    if worksheet:
        grade_results.write_moodle_files(console, worksheet, graded_class)
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
            yield partial(local_pool.grade_all, workers=workers or local_pool.processors(), sandbox=sandbox)
