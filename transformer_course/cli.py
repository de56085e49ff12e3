"""The command ``transformer-course``."""

import os
import sys
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from . import course
from . import folder as learner_folder

app = typer.Typer(
    help="Learn the Transformer in JupyterLab. Begin with: transformer-course lab",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
)
FIRST = "notebooks/00_start_here.ipynb"


def stop(sentence: str) -> typer.Exit:
    """Say what is wrong, in one sentence, and end with status 1."""
    Console(stderr=True, soft_wrap=True).print(escape(sentence))
    return typer.Exit(1)


@app.command()
def lab(
    folder: Annotated[Path, typer.Argument(help="Your own folder; it is made if it does not exist.")] = Path("my-course"),
    port: Annotated[int | None, typer.Option(help="Use this port; without it, the first free one from 8888 on.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the lesson in your browser.")] = True,
) -> None:
    """Open the course in JupyterLab, at lesson 00.

    The lessons and the exercise sheets are copied into your folder first.

    What you changed there is never overwritten. What a new edition brings is added.

    Press Ctrl+C twice in this terminal to end JupyterLab.
    """
    from .doctor import taken

    try:
        delivery = learner_folder.deliver(folder)
    except learner_folder.FolderError as error:
        raise stop(str(error)) from None
    _tell(delivery)
    if port is not None and taken(port):
        raise stop(f"Port {port} is taken, perhaps by another JupyterLab; leave out --port, or try --port {port + 1}.")
    # JupyterLab as it is, but for its question about news and updates: nothing of the course needs a network.
    ours = str(course.PACKAGE / "jupyter")
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, [ours, os.environ.get("JUPYTER_CONFIG_PATH")]))
    from jupyterlab.labapp import LabApp

    LabApp.launch_instance(argv=jupyter_options(folder.resolve(), port, browser))


def jupyter_options(folder: Path, port: int | None, browser: bool) -> list[str]:
    """What JupyterLab is started with."""
    options = [
        f"--ServerApp.root_dir={folder}",
        f"--LabApp.default_url=/lab/tree/{FIRST}",
        "--Application.log_level=WARN",  # the address to open is printed all the same
        "--ServerApp.jpserver_extensions=jupyterlab_jupytext=False",  # for authors; here it would only change how files open
    ]
    if find_spec("nbgrader"):  # for teachers; here it would only ask for its own configuration
        parts = "assignment_list", "course_list", "formgrader", "validate_assignment"
        options += [f"--ServerApp.jpserver_extensions=nbgrader.server_extensions.{part}=False" for part in parts]
    if port is not None:
        options += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    if not browser:
        options.append("--no-browser")
    if getattr(os, "geteuid", lambda: 1)() == 0:  # in a container one often is root, and JupyterLab would refuse
        options.append("--allow-root")
    return options


def _tell(delivery: learner_folder.Delivery) -> None:
    console = Console(soft_wrap=True)
    for verb, names in (("added", delivery.added), ("brought up to date", delivery.updated)):
        if names:
            console.print(f"{len(names)} {verb}: {escape(', '.join(names))}")
    for name in delivery.left:
        console.print(f"left as you changed it: {escape(name)} (rename yours and start again to get the new edition)")


@app.command()
def doctor(
    folder: Annotated[Path, typer.Argument(help="The folder that you will work in.")] = Path("my-course"),
) -> None:
    """Find out whether the course will run on this computer.

    Everything that it needs is tried. The report names neither you nor your computer: send it to your instructor.

    Status 0: the course will run. 1: it will not, and the report says what to do.
    """
    from . import doctor as doctors

    with Console(stderr=True).status("Trying everything that the course needs…"):
        findings = doctors.examine(folder)
    # Not typer's or rich's own print: no terminal's width or colours belong in a report, and no encoding may refuse a name.
    encoding = sys.stdout.encoding or "utf-8"
    print(doctors.report(findings).encode(encoding, "backslashreplace").decode(encoding))
    if any(finding.trouble and finding.stops for finding in findings):
        raise typer.Exit(1)


@app.command()
def progress(
    lesson: Annotated[str | None, typer.Argument(help="A lesson, as 02: lists its exercises.", show_default=False)] = None,
) -> None:
    """Show how far you are on this computer, lesson by lesson, and what comes next."""
    from .exercises import progress as kept
    from .exercises.catalogue import by_lesson

    console, table, passed = Console(), Table(box=None, pad_edge=False), kept.passed()
    if lesson is None:
        upcoming = kept.next_lesson()
        for heading in ("lesson", "passed", ""):
            table.add_column(heading, no_wrap=True)
        for name, done in kept.my_progress().items():
            counted = f"{sum(done)} of {len(done)}" if done else "no exercises"
            table.add_row(name, counted, "next" if name == upcoming.name else "")
        after = f"{upcoming}\n\nThe exercises of a lesson: transformer-course progress {upcoming.name[:2]}\n"
    else:
        sheet = by_lesson().get(lesson.zfill(2))
        if sheet is None:
            raise stop(f"Lesson {lesson!r} has no exercises; name one of {', '.join(by_lesson())}.")
        for heading in ("exercise", "what is asked", "passed"):
            table.add_column(heading, no_wrap=heading != "what is asked")
        for exercise in sheet:
            table.add_row(exercise.id, escape(exercise.asks), passed.get(exercise.id, "")[:10] or "–")
        after = ""
    console.print(table)
    ids = [exercise.id for exercises in by_lesson().values() for exercise in exercises]
    count = f"{sum(name in passed for name in ids)} of {len(ids)} passed."
    console.print(f"\n{after}{count} Kept in {kept.file()}", soft_wrap=True, highlight=False, markup=False)


@app.command()
def grade(
    submissions: Annotated[
        Path, typer.Argument(help="A folder with a notebook or a folder for each learner, or one notebook.")
    ],
    out: Annotated[Path, typer.Option(help="The folder for the results; it is made if it does not exist.")],
    sheet: Annotated[
        str | None, typer.Option(help="The sheet to grade, such as 03; without it, the one that most handed in.")
    ] = None,
    points: Annotated[
        Path | None, typer.Option(help="What each exercise counts; without it, points.toml in the folder for the results.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with these results; what is unchanged is kept.")] = False,
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

    Edit points.toml in the folder for the results and add --resume to count anew.

    Status 0: every submission has a mark. 1: some have none, or grading could not be done. 3: see --fail-under.
    """
    from .grading.bubble import Bubble

    if scheduler and workers:
        raise stop("With --scheduler, the cluster's workers say how many are graded at once; leave out --workers.")
    # Before what follows is loaded: inside, torch is loaded meanwhile, which takes longest of all.
    bubble = None if scheduler else Bubble.start()
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from .grading.assignment import grade_folder
    from .grading.errors import GradingError
    from .grading.points import marks
    from .grading.words import plain

    columns = (TextColumn("grading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        bar = Progress(*columns, transient=True, console=Console(stderr=True))
        task = bar.add_task("grading", total=None)
        tell = lambda done, of: bar.update(task, completed=done, total=of)  # noqa: E731
        with bar, _graders(bubble, workers, scheduler) as grade_all:
            done = grade_folder(submissions, out, grade_all, sheet and sheet.zfill(2), points, resume, tell)
    except GradingError as error:
        raise stop(str(error)) from None
    except KeyboardInterrupt:
        raise stop(f"Stopped. What was graded so far is kept in {out}; add --resume to go on.") from None
    counted = {submission.learner: marks(submission, graded, done.points) for submission, graded in done.results}
    without = [learner for learner, mark in counted.items() if mark.total is None]
    console = Console(soft_wrap=True)
    kept = f", {done.kept} of them kept from before" if done.kept else ""
    console.print(f"sheet {done.sheet}: {len(counted) - len(without)} of {len(counted)} have a mark{kept}")
    several = [submission.learner for submission, _ in done.results if submission.log]
    below = [learner for learner, mark in counted.items() if mark.total is not None and mark.percent < (fail_under or 0)]
    told = {"no mark": without, "see grading.log": several, f"below {fail_under or 0:g} %": below, "no notebooks": done.others}
    for what, names in told.items():
        if names:
            more = f" and {len(names) - 10} more" if len(names) > 10 else ""
            console.print(f"{what}: {escape(', '.join(plain(name, 60) for name in names[:10]))}{more}")
    console.print(escape(f"marks in {out / 'grades.csv'}, the class in {out / 'summary.html'}, a page for each learner in "
                         f"{out / 'feedback'}, remarks in {out / 'grading.log'}"))  # fmt: skip
    if without:
        raise typer.Exit(1)
    if below:
        raise typer.Exit(3)


@contextmanager
def _graders(bubble, workers: int | None, scheduler: str | None):
    """Yield the function that grades a class: here, or with a cluster."""
    if scheduler:
        try:
            from .grading import cluster
        except ImportError as error:
            raise stop(f"--scheduler needs more ({error}): pip install 'transformer-course[cluster]'.") from None
        yield partial(cluster.grade_all, address=scheduler)
    else:
        from .grading import classroom
        from .grading.sandbox import Sandbox

        with Sandbox(bubble) as sandbox:
            yield partial(classroom.grade_all, workers=workers or os.cpu_count() or 1, sandbox=sandbox)


@app.command()
def release(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder; it is made if it does not exist.")],
    sheet: Annotated[list[str] | None, typer.Option(help="This sheet, as 02; once for each. Without it: all of them.")] = None,
    nbgrader: Annotated[bool, typer.Option("--nbgrader", help="Make a course folder for nbgrader, with solutions.")] = False,
) -> None:
    """For teachers: make a folder to hand out, with empty sheets and their lessons.

    What you changed there is never overwritten. What a new edition brings is added.
    """
    from .grading import release as handing_out

    make = handing_out.release_nbgrader if nbgrader else handing_out.release
    try:
        numbers = [number.zfill(2) for number in sheet or []]
        delivery = make(folder, numbers)
    except (learner_folder.FolderError, handing_out.UnknownSheet) as error:
        raise stop(str(error)) from None
    _tell(delivery)
    Console(soft_wrap=True).print(escape(handing_out.next_steps(folder, numbers, nbgrader)))


@app.command()
def wheelhouse(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder; it is made if it does not exist.")],
    system: Annotated[
        list[str] | None, typer.Option(help="linux, macos or windows; once for each. Without it: this computer's.")
    ] = None,
    python: Annotated[
        list[str] | None, typer.Option(help="As 3.12; once for each. Without it: the one that runs this.")
    ] = None,
) -> None:
    """For teachers: fill a folder from which learners install the course without a network.

    For a room with other computers than yours: --system windows --system macos --python 3.12 --python 3.13

    What the folder holds already stays.
    """
    from . import wheelhouse as house

    try:
        with Console(stderr=True).status("Fetching…") as status:
            systems = system or [house.this_system()]
            house.fill(
                folder, systems, python or [f"3.{sys.version_info.minor}"], lambda need: status.update(f"Fetching {need}…")
            )
    except house.WheelhouseError as error:
        raise stop(str(error)) from None
    except OSError as error:
        raise stop(f"{folder} cannot be filled: {error.strerror or error}.") from None
    size = sum(wheel.stat().st_size for wheel in (folder / "wheels").glob("*.whl")) / 1e6
    Console(soft_wrap=True).print(
        escape(f"{folder} has {size:.0f} MB; hand out all of it. Its README.txt says what to do there.")
    )


@app.command()
def workshop(
    plan: Annotated[str, typer.Argument(metavar="PLAN", help="half-day, day or two-days.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder; it is made if it does not exist.")],
) -> None:
    """For teachers: make a folder for leading a workshop, with a timetable and all that it needs.

    What you changed there is never overwritten. What a new edition brings is added.
    """
    from .workshop.make import UnknownPlan, first_page, make

    try:
        delivery = make(plan, folder)
    except (learner_folder.FolderError, UnknownPlan) as error:
        raise stop(str(error)) from None
    console = Console(soft_wrap=True)
    console.print(f"{len(delivery.added)} files added, {len(delivery.updated)} brought up to date")
    for name in delivery.left:
        console.print(f"left as you changed it: {escape(name)}")
    console.print(escape(f"Open {folder / first_page(plan)} in a browser: the timetable, and what the rest is for."))


if __name__ == "__main__":
    app()
