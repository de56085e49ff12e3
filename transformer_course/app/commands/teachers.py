"""The commands for teachers: lead a workshop, install without a network, hand out sheets, grade on a platform, make a site."""

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from transformer_course.folders import learner_folder

from .console import print_changes, print_delivery, quantity, sheet_number, stop, stopping_at


def _check_plan(name: str) -> str:
    """Refuse an unknown plan before the other arguments are read, so that `workshop half day` gets a helpful message."""
    from transformer_course.workshop.plans import UnknownPlan, chosen

    with stopping_at(UnknownPlan):
        return chosen(name).name


def workshop(
    plan: Annotated[
        str,
        typer.Argument(metavar="PLAN", help="half-day, day, two-days or after-pretraining (two hours).", callback=_check_plan),
    ],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The workshop's folder; created if it does not exist.")],
    start: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Start of each day, for example 13:30. Default: as in the last run, or 9:00."),
    ] = None,
    leader: Annotated[str | None, typer.Option(metavar="NAME", help="Who leads it, for the slides and the letter.")] = None,
    date: Annotated[str | None, typer.Option(metavar="DATE", help="Its first day, for example 2027-03-31.")] = None,
    people: Annotated[
        str | None, typer.Option(metavar="N", help="How many learners, for the list of copies. Default: 24.")
    ] = None,
) -> None:
    """Create a folder with a timetable and everything else that you need to run a workshop.

    After an update of the course, run the command again to add new files. Your changes are never overwritten.
    """
    from transformer_course.course import SourceError
    from transformer_course.workshop.make import LETTER, BadOption, begins, first_page, make, worked_in
    from transformer_course.workshop.session_contents import PlanError

    start_before = begins(folder)
    with stopping_at(learner_folder.FolderError, BadOption, PlanError, SourceError):
        delivery = make(plan, folder, start=start, leader=leader, date=date, people=people)
    console = Console(soft_wrap=True)
    console.print(f"{quantity(len(delivery.added), 'file')} added, {len(delivery.updated)} updated")
    start_now = begins(folder)
    if start_before not in (None, start_now):
        console.print(f"Each day now starts at {start_now} (before: {start_before}).")
        for name in {first_page(plan), LETTER} & {*delivery.left}:
            name = escape(name)
            console.print(f"still shows the times for a start at {start_before}: {name} (edit this file to change them)")
    worked = worked_in(folder)
    print_changes(console, replace(delivery, left=sorted({*delivery.left} - {*worked})))
    for name in worked:
        console.print(
            f"contains your work, which learners would see: {escape(name)} (for an empty copy, delete it and run this again)"
        )
    console.print(escape(f"Open {folder / first_page(plan)} in a browser. It has the timetable and explains the other files."))


def wheelhouse(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to fill; created if it does not exist.")],
    system: Annotated[
        list[str] | None, typer.Option(help="linux, macos or windows; repeatable. Default: the system of this computer.")
    ] = None,
    python: Annotated[
        list[str] | None, typer.Option(help="For example 3.12; repeatable. Default: the version that runs this command.")
    ] = None,
) -> None:
    """Fill a folder from which learners can install the course without a network.

    If their computers differ from yours, name their systems and Python versions, for example:

    --system windows --system macos --python 3.12 --python 3.13

    Files that are already in the folder are kept. Run the same command again to download only what is missing.

    Exit status: 0 if the folder is complete, 1 if some files could not be downloaded. Messages say which.
    """
    from ..wheelhouse import fill as filling

    incomplete = False
    try:
        with Console(stderr=True, soft_wrap=True).status("Downloading…") as status:
            systems = system or [filling.this_system()]
            pythons = python or [f"3.{sys.version_info.minor}"]
            say = partial(status.console.print, highlight=False, markup=False)
            for outcome in filling.fill(folder, systems, pythons, say, lambda need: status.update(f"Downloading {need}…")):
                say(str(outcome))
                incomplete |= bool(outcome.problem)
    except filling.WheelhouseError as error:
        raise stop(str(error)) from None
    except KeyboardInterrupt:
        raise stop(f"Stopped. The files in {folder} are kept. Run the same command again to download the others.") from None
    except OSError as error:
        raise stop(f"Could not fill {folder}: {error.strerror or error}.") from None
    if incomplete:
        usable = (
            " The folder already works on the computers listed in its README.txt." if (folder / "README.txt").exists() else ""
        )
        raise stop(f"Some files could not be downloaded. Run the same command again; the files in {folder} are kept.{usable}")
    size = sum(wheel.stat().st_size for wheel in (folder / "wheels").glob("*.whl")) / 1e6
    message = (
        f"{folder} is complete ({size:.0f} MB). Hand out the whole folder. Its README.txt lists the computers it can be used "
        "on, and explains how to install the course there."
    )
    Console(soft_wrap=True).print(escape(message))


def release(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder; created if it does not exist.")],
    sheet: Annotated[
        list[str] | None, typer.Option(help="A sheet to include, such as 02; repeatable. Default: all sheets.")
    ] = None,
    nbgrader: Annotated[
        bool, typer.Option("--nbgrader", help="Create a course folder for nbgrader instead. It contains the solutions.")
    ] = False,
) -> None:
    """Create a folder to hand out, with empty sheets and their lessons.

    After an update of the course, run the command again to add new files. Your changes are never overwritten.
    """
    from transformer_course.folders import release as releasing

    make = releasing.release_nbgrader if nbgrader else releasing.release
    numbers = [sheet_number(text) for text in sheet or []]
    with stopping_at(learner_folder.FolderError, releasing.UnknownSheet):
        delivery = make(folder, numbers)
    print_delivery(delivery, folder)
    if not (delivery.added or delivery.updated or delivery.left or delivery.passed_over):
        Console(soft_wrap=True).print(escape(f"Nothing to do: {folder} is up to date."))
    Console(soft_wrap=True).print(escape(releasing.next_steps(folder, numbers, nbgrader)))


def autograder(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder; created if it does not exist.")],
    sheet: Annotated[str, typer.Option(help="The sheet to grade, such as 03.")],
) -> None:
    """Create what Gradescope and GitHub Classroom need to grade a sheet whenever somebody hands it in."""
    from transformer_course.app.autograder.make import AutograderError, make
    from transformer_course.app.wheelhouse.needs import WheelhouseError

    try:
        with stopping_at(AutograderError, WheelhouseError), Console(stderr=True).status("Building the course's wheel…"):
            archive, github = make(folder, sheet_number(sheet))
    except OSError as error:
        raise stop(f"Cannot write to {folder} ({error.strerror or error}).") from None
    console = Console(soft_wrap=True)
    console.print(escape(f"Gradescope: upload {archive} as the assignment's autograder."))
    console.print(escape(f"GitHub Classroom: copy .github from {github} into the assignment's template repository."))


def site(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The site's folder; created if it does not exist.")],
) -> None:
    """Write the course as a website that can be read without installing anything.

    It contains lessons with their results, exercises without solutions, and the reference pages. It needs no server and no
    network: open DIR/index.html, or copy DIR to any web server.
    """
    from transformer_course.course import SourceError
    from transformer_course.site.make import SiteError, make
    from transformer_course.site.notebook_page import NotebookError
    from transformer_course.workshop.session_contents import PlanError

    errors = SiteError, NotebookError, PlanError, SourceError, learner_folder.FolderError
    with stopping_at(*errors), Console(stderr=True).status("Building the pages…"):
        make(folder)
    Console(soft_wrap=True).print(escape(f"Open {folder / 'index.html'} in a browser."))
