"""The commands for those who learn: open the course, see how far one is, find out whether it will run."""

import hashlib
import os
import re
import sys
import webbrowser
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
import zmq
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from transformer_course._util import paths
from transformer_course.folders import learner_folder as learner_folder

from .console import stop, tell

FIRST = "notebooks/00_start_here.ipynb"
# Folders that a workshop hands out: no learner makes one.
HANDED_OUT = re.compile(r"for-learners|\d+-before-lesson-\d\d(-.*)?")


def lab(
    folder: Annotated[
        Path | None,
        typer.Argument(help="Your own folder; it is made if it does not exist. Without it: the one you are in, or my-course."),
    ] = None,
    port: Annotated[int | None, typer.Option(help="Use this port; without it, the first free one from 8888 on.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the lesson in your browser.")] = True,
) -> None:
    """Open the course in JupyterLab, at the lesson that comes next.

    The lessons and the exercise sheets are copied into your folder first.

    What you changed there is never overwritten. What a new edition brings is added.

    Press Ctrl+C twice in this terminal to end JupyterLab.
    """
    from transformer_course.exercises.passes import next_lesson

    from ..doctor import taken

    folder = _chosen(folder)
    try:
        only, first = learner_folder.handed_out(folder)
        delivery = learner_folder.deliver(folder, only)
    except learner_folder.FolderError as error:
        raise stop(str(error)) from None
    tell(delivery, folder)
    if port is not None and taken(port):
        raise stop(f"Port {port} is taken, perhaps by another JupyterLab; leave out --port, or try --port {port + 1}.")
    # JupyterLab as it is, but for its question about news and updates: nothing of the course needs a network.
    ours = str(paths.PACKAGE / "app" / "jupyter")
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, [ours, os.environ.get("JUPYTER_CONFIG_PATH")]))
    # JupyterLab's own terminal begins where the server works, and has the server's programs: it finds this command.
    os.environ["PATH"] = os.pathsep.join(filter(None, [str(Path(sys.executable).parent), os.environ.get("PATH")]))
    folder = folder.resolve()
    os.chdir(folder)
    upcoming = next_lesson(folder)
    told = f"It opens with {first}" if first else f"{_count()}\n{upcoming}"
    Console().print(told, soft_wrap=True, highlight=False, markup=False)
    lesson = first or upcoming.opens
    if port is None and (address := _open_already(folder, lesson)):
        Console().print(f"It is open already: {address}\nTo end it, press Ctrl+C twice in the terminal where you started it.",
                        soft_wrap=True, highlight=False, markup=False)  # fmt: skip
        if browser:
            webbrowser.open(address)
        return
    from jupyterlab.labapp import LabApp

    LabApp.launch_instance(argv=jupyter_options(folder, port, browser, lesson))
    Console().print(f"JupyterLab has ended. Your work is in {folder}; to go on, start it again as you did.", soft_wrap=True,
                    highlight=False, markup=False)  # fmt: skip


def _chosen(folder: Path | None) -> Path:
    """The folder that is meant. Exits where that was hardly meant: a lesson, a workshop's folder, one that should be there."""
    if folder is None:
        here = Path.cwd()
        courses = (place for place in (here, *here.parents) if (place / learner_folder.RECORD).exists())
        return next((place for place in courses if (place / "notebooks").is_dir()), Path("my-course"))
    if (folder / "for-learners").is_dir():
        raise stop(
            f"{folder} is a workshop's folder. Learners open a copy of {folder / 'for-learners'}; to try it, copy it too."
        )
    if folder.exists():
        return folder
    if re.fullmatch(r"\d{1,2}", folder.name):
        raise stop(
            f"{folder.name} is a lesson, and here goes a folder. transformer-course lab opens the lesson that comes next."
        )
    beside = [path.parent.name for path in folder.absolute().parent.glob(f"*/{learner_folder.RECORD}")]
    handed = [name for name in {*beside, "for-learners"} if HANDED_OUT.fullmatch(name)]
    if HANDED_OUT.fullmatch(folder.name) or get_close_matches(folder.name, handed, cutoff=0.8):
        held = f" There is {', '.join(sorted(beside))}." if beside else ""
        raise stop(
            f"There is no folder {folder.name} in {folder.absolute().parent}.{held} Put there what you were given, whole."
        )
    return folder


def _open_already(folder: Path, lesson: str) -> str | None:
    """The address of a lesson in the JupyterLab that already shows this folder, if one does."""
    from jupyter_server.serverapp import list_running_servers

    from ..doctor import taken

    for server in list_running_servers():
        if Path(server["root_dir"]) == folder and taken(server["port"]):
            return f"{server['url']}lab/workspaces/{_workspace(folder)}/tree/{lesson}?token={server['token']}"
    return None


def jupyter_options(folder: Path, port: int | None, browser: bool, lesson: str = FIRST) -> list[str]:
    """What JupyterLab is started with, to open a lesson of this folder."""
    options = [
        f"--ServerApp.root_dir={folder}",
        # a workspace of the folder's own: open tabs and their kernels are those of this course alone
        f"--LabApp.default_url=/lab/workspaces/{_workspace(folder)}/tree/{lesson}",
        # Its warnings (a notebook "is not trusted", a timeout that it sets itself) alarm, and ask for nothing that a learner
        # could do. The address to open is printed all the same.
        "--Application.log_level=ERROR",
        "--ServerApp.jpserver_extensions=jupyterlab_jupytext=False",  # for authors; here it would only change how files open
    ]
    if zmq.has("curve"):  # what kernels say is then encrypted on its way to the server; without it, each one warns of that
        options.append("--KernelManager.transport_encryption=auto")
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


def _workspace(folder: Path) -> str:
    return f"course-{hashlib.sha256(str(folder).encode()).hexdigest()[:10]}"


def progress(
    lesson: Annotated[str | None, typer.Argument(help="A lesson, as 02: lists its exercises.", show_default=False)] = None,
) -> None:
    """Show how far you are on this computer, lesson by lesson, and what comes next."""
    from transformer_course.exercises import passes as kept
    from transformer_course.exercises.catalogue import by_lesson, exercise_titles

    console, table, passed = Console(), Table(box=None, pad_edge=False), kept.passed()
    if lesson is None:
        upcoming = kept.next_lesson()
        for heading in ("lesson", "passed", ""):
            table.add_column(heading, no_wrap=True)
        for name, done in kept.my_progress().items():
            counted = f"{sum(done)} of {len(done)}" if done else "no exercises"
            table.add_row(name, counted, "next" if name == upcoming.name else "")
        after = f"{upcoming}\n\nA lesson's exercises: transformer-course progress 02, or make progress ARGS=02\n"
    else:
        sheet = by_lesson().get(lesson.zfill(2))
        if sheet is None:
            raise stop(f"There are no exercises to {lesson!r:.80}; name one of {', '.join(by_lesson())}.")
        titles = exercise_titles(lesson.zfill(2))
        columns = {"exercise": [f"{number} · {titles[exercise.id]}" for number, exercise in enumerate(sheet, 1)]}
        columns["passed"] = [passed.get(exercise.id, "")[:10] or "–" for exercise in sheet]
        if console.width > 110:  # elsewhere each would take five lines
            columns["what is asked"] = [exercise.prompt for exercise in sheet]
        for heading in columns:
            table.add_column(heading, no_wrap=heading != "what is asked")
        for row in zip(*columns.values(), strict=True):
            table.add_row(*map(escape, row))
        after = ""
    console.print(table)
    console.print(f"\n{after}{_count()} Kept in {kept.file()}", soft_wrap=True, highlight=False, markup=False)


def _count() -> str:
    from transformer_course.exercises.passes import my_progress

    rows = my_progress().values()
    return f"{sum(map(sum, rows))} of {sum(map(len, rows))} passed."


def doctor(
    folder: Annotated[Path, typer.Argument(help="The folder that you will work in.")] = Path("my-course"),
) -> None:
    """Find out whether the course will run on this computer.

    Everything that it needs is tried. The report names neither you nor your computer: send it to your instructor.

    Status 0: the course will run. 1: it will not, and the report says what to do.
    """
    from .. import doctor as doctors

    with Console(stderr=True).status("Trying everything that the course needs…"):
        findings = doctors.examine(folder)
    # Not typer's or rich's own print: no terminal's width or colours belong in a report, and no encoding may refuse a name.
    encoding = sys.stdout.encoding or "utf-8"
    print(doctors.report(findings).encode(encoding, "backslashreplace").decode(encoding))
    if any(finding.trouble and finding.stops for finding in findings):
        raise typer.Exit(1)
