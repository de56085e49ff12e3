"""The commands for those who teach: hand out, grade, lead a workshop, install in a room without a network."""

import os
import re
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from transformer_course.folders import learner_folder as learner_folder

from .console import stop, tell

FILES = re.compile(r"\d\d_sheet_|(exercises|notebooks|docs)$")  # what no learner is called


def _plan(name: str) -> str:
    """A plan's name, refused before the words are counted: who writes "half day" is told what the plan is called."""
    from transformer_course.workshop.plans import UnknownPlan, chosen

    try:
        return chosen(name).name
    except UnknownPlan as error:
        raise stop(str(error)) from None


def workshop(
    plan: Annotated[str, typer.Argument(metavar="PLAN", help="half-day, day or two-days.", callback=_plan)],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder; it is made if it does not exist.")],
    start: Annotated[
        str | None, typer.Option(metavar="TIME", help="When each day begins, as 13:30. Without it: as before, or at 9:00.")
    ] = None,
) -> None:
    """Make a folder for leading a workshop, with a timetable and all that it needs.

    What you changed there is never overwritten. What a new edition brings is added.
    """
    from transformer_course.workshop.make import LETTER, BadStart, begins, first_page, make, worked_in

    before = begins(folder)
    try:
        delivery = make(plan, folder, start)
    except (learner_folder.FolderError, BadStart) as error:
        raise stop(str(error)) from None
    console = Console(soft_wrap=True)
    console.print(f"{len(delivery.added)} files added, {len(delivery.updated)} brought up to date")
    for name in delivery.updated:
        console.print(f"brought up to date: {escape(name)}")
    now = begins(folder)
    if before not in (None, now):
        console.print(f"Each day begins at {now} now (before: {before}).")
        for name in {first_page(plan), LETTER} & {*delivery.left}:
            console.print(f"still with the times of {before}: {escape(name)} (change them there)")
    worked = worked_in(folder)
    for name in sorted({*delivery.left} - {*worked}):
        console.print(f"left as you changed it: {escape(name)} (rename yours and run again for a new one)")
    for name in worked:
        console.print(f"worked in: {escape(name)} (learners would see it: delete it and run again for an empty one)")
    console.print(escape(f"Open {folder / first_page(plan)} in a browser: the timetable, and what the rest is for."))


def wheelhouse(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder; it is made if it does not exist.")],
    system: Annotated[
        list[str] | None, typer.Option(help="linux, macos or windows; once for each. Without it: this computer's.")
    ] = None,
    python: Annotated[
        list[str] | None, typer.Option(help="As 3.12; once for each. Without it: the one that runs this.")
    ] = None,
) -> None:
    """Fill a folder from which learners install the course without a network.

    For a room with other computers than yours: --system windows --system macos --python 3.12 --python 3.13

    What the folder holds already stays, so that the same command again fetches only what is missing.

    Status 0: everything is there. 1: something could not be had, and a line says what; the rest is there.
    """
    from ..wheelhouse import fill as house

    lacking = False
    try:
        with Console(stderr=True, soft_wrap=True).status("Fetching…") as status:
            systems = system or [house.this_system()]
            pythons = python or [f"3.{sys.version_info.minor}"]
            say = partial(status.console.print, highlight=False, markup=False)
            for outcome in house.fill(folder, systems, pythons, say, lambda need: status.update(f"Fetching {need}…")):
                say(str(outcome))
                lacking |= bool(outcome.trouble)
    except house.WheelhouseError as error:
        raise stop(str(error)) from None
    except KeyboardInterrupt:
        raise stop(f"Stopped. What {folder} holds stays; run the same command again for the rest.") from None
    except OSError as error:
        raise stop(f"{folder} cannot be filled: {error.strerror or error}.") from None
    if lacking:
        serves = " Until then, its README.txt says which computers it serves." if (folder / "README.txt").exists() else ""
        raise stop(f"Not everything could be had. Run the same command again: what {folder} holds stays.{serves}")
    size = sum(wheel.stat().st_size for wheel in (folder / "wheels").glob("*.whl")) / 1e6
    told = f"{folder} has {size:.0f} MB; hand out all of it. Its README.txt says for which computers, and what to do there."
    Console(soft_wrap=True).print(escape(told))


def release(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder; it is made if it does not exist.")],
    sheet: Annotated[list[str] | None, typer.Option(help="This sheet, as 02; once for each. Without it: all of them.")] = None,
    nbgrader: Annotated[bool, typer.Option("--nbgrader", help="Make a course folder for nbgrader, with solutions.")] = False,
) -> None:
    """Make a folder to hand out, with empty sheets and their lessons.

    What you changed there is never overwritten. What a new edition brings is added.
    """
    from transformer_course.folders import release as handing_out

    make = handing_out.release_nbgrader if nbgrader else handing_out.release
    try:
        numbers = [number.zfill(2) for number in sheet or []]
        delivery = make(folder, numbers)
    except (learner_folder.FolderError, handing_out.UnknownSheet) as error:
        raise stop(str(error)) from None
    tell(delivery, folder)
    if not (delivery.added or delivery.updated or delivery.left):
        Console(soft_wrap=True).print(escape(f"Nothing was changed: {folder} has all of it."))
    Console(soft_wrap=True).print(escape(handing_out.next_steps(folder, numbers, nbgrader)))


def grade(
    submissions: Annotated[
        Path, typer.Argument(help="A folder with a notebook or a folder for each learner; or one notebook; or see --one.")
    ],
    out: Annotated[Path, typer.Option(help="The folder for the results; it is made if it does not exist.")],
    sheet: Annotated[
        str | None, typer.Option(help="The sheet to grade, such as 03; without it, the one that most handed in.")
    ] = None,
    points: Annotated[
        Path | None, typer.Option(help="What each exercise counts; becomes points.toml in the folder for the results.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with these results; what is unchanged is kept.")] = False,
    one: Annotated[bool, typer.Option("--one", help="The folder is one learner's; its name is the learner's.")] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="How many to grade at once; without it, one a processor.")] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Grade with a Dask cluster: its scheduler's address, such as tcp://10.0.0.5:8786.")
    ] = None,
    fail_under: Annotated[
        float | None, typer.Option(min=0, max=100, help="End with status 3 if a learner has less than this percentage.")
    ] = None,
) -> None:
    """Grade a class: marks, a page of feedback for each learner, and what the class got wrong most often.

    Learners' code runs locked in, and the verdict is reached outside. Without the locks nothing is run, and there is no mark.

    Edit points.toml in the folder for the results, or overrule marks in corrections.toml, and add --resume to count anew.

    Status 0: every submission has a mark. 1: some have none, or grading could not be done. 3: see --fail-under.
    """
    from transformer_course.grading.sandbox.bubblewrap import Bubblewrap

    if scheduler and workers:
        raise stop("With --scheduler, the cluster's workers say how many are graded at once; leave out --workers.")
    # Before what follows is loaded: inside, torch is loaded meanwhile, which takes longest of all.
    bubble = None if scheduler else Bubblewrap.start()
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from transformer_course.grading.assignment import grade_folder
    from transformer_course.grading.errors import GradingError
    from transformer_course.grading.points import marks
    from transformer_course.grading.sanitize import plain

    columns = (TextColumn("grading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        bar = Progress(*columns, transient=True, console=Console(stderr=True))
        task = bar.add_task("grading", total=None)
        advance = lambda done, of: bar.update(task, completed=done, total=of)  # noqa: E731
        with bar, _graders(bubble, workers, scheduler) as grade_all:
            done = grade_folder(submissions, out, grade_all, sheet and sheet.zfill(2), points, resume, one, advance)
    except GradingError as error:
        raise stop(str(error)) from None
    except KeyboardInterrupt:
        raise stop(f"Stopped. What was graded so far is kept in {out}; add --resume to go on.") from None
    counted = {submission.learner: marks(submission, graded, done.points) for submission, graded in done.results}
    without = [learner for learner, mark in counted.items() if mark.total is None]
    console = Console(soft_wrap=True)
    kept = f", {done.kept} of them kept from before" if done.kept else ""
    console.print(f"sheet {done.sheet}: {len(counted) - len(without)} of {len(counted)} have a mark{kept}")
    tied = [submission.learner for submission, _ in done.results if submission.tied]
    remarks = [each.learner for each, graded in done.results if each.needs_review or graded.cells_failed]
    below = [learner for learner, mark in counted.items() if mark.total is not None and mark.percent < (fail_under or 0)]
    several = [each.learner for each, _ in done.results if each.attempts > 1 and not each.tied]
    odd = [learner for learner in counted if FILES.match(learner)] if submissions.is_dir() and not one else []
    told = {
        "no mark": without,
        "is this the folder with everybody's submissions (--one for one learner)? Learners are called": odd,
        "several attempts, the newest taken": several,
        "several attempts with the same time, the last by name taken": tied,
        "see grading.log": remarks,
        f"below {fail_under or 0:g} %": below,
        "no notebooks": done.others,
        "no longer in the submissions, so moved to no-longer-there": done.gone,
        "in corrections.toml but not in the submissions, so without effect": done.unused,
    }
    for what, names in told.items():
        if names:
            more = f" and {len(names) - 10} more" if len(names) > 10 else ""
            console.print(f"{what}: {escape(', '.join(plain(name, 60) for name in names[:10]))}{more}")
    written = {
        "marks": "grades.csv",
        "a page for each learner": "feedback",
        "the class": "summary.html",
        "remarks": "grading.log",
    }
    for what, name in written.items():
        console.print(escape(f"{what}: {out / name}"))
    if without:
        raise typer.Exit(1)
    if below:
        raise typer.Exit(3)


@contextmanager
def _graders(bubble, workers: int | None, scheduler: str | None):
    """Yield the function that grades a class: here, or with a cluster."""
    if scheduler:
        try:
            from transformer_course.grading.judging import cluster
        except ImportError as error:
            install = "in the clone, pip install -c constraints.txt -e '.[cluster]'"
            raise stop(f"--scheduler needs more ({error}): {install}.") from None
        yield partial(cluster.grade_all, address=scheduler)
    else:
        from transformer_course.grading.judging import local_pool
        from transformer_course.grading.sandbox.supervisor import Sandbox

        with Sandbox(bubble) as sandbox:
            yield partial(local_pool.grade_all, workers=workers or os.cpu_count() or 1, sandbox=sandbox)
