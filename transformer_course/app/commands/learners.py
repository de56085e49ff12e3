"""The commands for learners: open the course, show progress, check whether the course will run."""

import os
import re
import webbrowser
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from transformer_course import course
from transformer_course._util import paths
from transformer_course._util.folder_record import read_record
from transformer_course.folders import learner_folder

from ..doctor_checks import port_in_use
from ..jupyter import start
from .console import print_delivery, sheet_number, stop, stopping_at

# The names of folders that a workshop hands out. Learners do not create these themselves.
HANDED_OUT = re.compile(r"for-learners|\d+-before-((lesson|sheet)-\d\d|B\d+)(-.*)?")


def lab(
    folder: Annotated[
        Path | None,
        typer.Argument(
            help="Your folder, created if needed. Default: the current one if it holds the course, otherwise my-course."
        ),
    ] = None,
    port: Annotated[int | None, typer.Option(help="The port to use. Default: the first free one, starting at 8888.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the lesson in your browser.")] = True,
    light: Annotated[bool, typer.Option("--light", help="Train less, for a slow computer. Each training says so.")] = False,
) -> None:
    """Open the course in JupyterLab, at the cell where you stopped, or at the lesson that comes next.

    New and updated lessons and exercise sheets are first copied into your folder.

    Your changes there are never overwritten.

    To stop JupyterLab, press Ctrl+C twice in this terminal.
    """
    from transformer_course.exercises import learner_path, passes
    from transformer_course.folders.opening import opening  # only now, because importing the exercises takes a second

    try:
        with stopping_at(learner_folder.FolderError):
            folder = _choose_folder(folder)
            is_new = not read_record(folder)
            only, _ = learner_folder.handed_out(folder)
            delivery = learner_folder.deliver(folder, only)
    except OSError as error:
        raise stop(f"{error.filename or folder} cannot be used ({error.strerror or error}); choose another folder.") from None
    print_delivery(delivery, folder)
    folder = folder.resolve()
    learner_path.keep(folder)
    address = start.running_address(folder)
    is_open = bool(address) and port in (None, urlsplit(address).port)
    if not is_open and port is not None and port_in_use(port):
        raise stop(f"Port {port} is in use, perhaps by another JupyterLab. Leave out --port, or try --port {port + 1}.")
    opens = opening(folder)
    offer = passes.offer(folder) if is_new else ""
    passed_over = [sentence for sentence in opens.passed_over if sentence not in delivery.passed_over]
    _print_plain("\n".join(filter(None, [*passed_over, passes.damage(folder), offer, opens.message])))
    if is_open:
        if light:
            _print_plain("It is open already, so --light changes nothing. Stop it first.")
        _print_plain(f"Already open: {address}\nTo stop it, press Ctrl+C twice in the terminal where you started it.")
        if browser:
            webbrowser.open(address)
        return
    if light:
        os.environ["TRANSFORMER_COURSE_TRAINING"] = "light"
    start.run(folder, port, browser)
    _print_plain(f"JupyterLab has stopped. Your work is in {folder}. To continue, start it again in the same way.")
    start.leave()


def _print_plain(text: str) -> None:
    Console().print(text, soft_wrap=True, highlight=False, markup=False)


def _choose_folder(folder: Path | None) -> Path:
    """Return the folder to use. Exit if its name looks like a mistake, such as a lesson's number or a misspelt folder."""
    if folder is None:
        return paths.course_folder(Path.cwd()) or Path("my-course")
    if (folder / "for-learners").is_dir():
        raise stop(
            f"{folder} is a workshop's folder. Learners open a copy of {folder / 'for-learners'}. To try it, open a copy too."
        )
    if folder.exists():
        return folder
    if re.fullmatch(r"\d{1,2}", folder.name):
        raise stop(
            f"{folder.name} is a lesson's number, not a folder. To open the lesson that comes next: transformer-course lab"
        )
    parent = folder.absolute().parent
    courses = sorted(path.parent.name for path in parent.glob(f"*/{paths.RECORD}"))
    handed_out = [name for name in {*courses, "for-learners"} if HANDED_OUT.fullmatch(name)]
    if HANDED_OUT.fullmatch(folder.name) or get_close_matches(folder.name, handed_out, cutoff=0.8):
        existing = f" Course folders there: {', '.join(courses)}." if courses else ""
        raise stop(
            f"There is no folder {folder.name} in {parent}.{existing} Check the name. If you were given this folder, "
            "copy the whole folder there first."
        )
    return folder


def export(
    model: Annotated[
        str, typer.Argument(help="A model in models/ of your folder, such as my-model; prose is the course's own.")
    ],
    path: Annotated[Path, typer.Argument(help="The file to write, such as my-model.html.")],
    title: Annotated[str | None, typer.Option(help="The page's title. Default: the model's name.")] = None,
    by: Annotated[str | None, typer.Option(help="Who trained it.")] = None,
    text: Annotated[str | None, typer.Option(help='What it was trained on, such as "my letters of ten years".')] = None,
) -> None:
    """Write a model as one HTML file that runs it in any browser, without a network.

    You can send the file to somebody who has never heard of this course.
    """
    from transformer_course.export import export, open_model  # only now, because it imports torch

    try:
        with stopping_at(ValueError):
            opened, tokenizer, about = open_model(model)
            given = {"title": title, "by": by, "text": text}
            export(opened, tokenizer, path, **about | {name: value for name, value in given.items() if value is not None})
    except OSError as error:
        raise stop(f"{path} cannot be written ({error.strerror or error}); choose another file.") from None


def progress(
    lesson: Annotated[
        str | None,
        typer.Argument(
            help="List the exercises of this lesson, such as 02, or stage, such as B1. Default: all lessons and stages.",
            show_default=False,
        ),
    ] = None,
    folder: Annotated[Path | None, typer.Option(help="Your folder. Default: the one that lab would open.")] = None,
    adopt: Annotated[
        bool, typer.Option("--adopt", help="First take in what this account passed outside any folder.", show_default=False)
    ] = False,
) -> None:
    """Show how far you have got on your path, lesson by lesson and stage by stage, and what comes next."""
    from transformer_course.exercises import passes
    from transformer_course.exercises.catalogue import by_lesson, core, exercise_titles
    from transformer_course.exercises.progress import count, left_out, next_lesson, rows_in_words

    folder = _existing(folder)
    if adopt:
        with stopping_at(passes.CannotAdopt):
            _print_plain(f"{passes.adopt(folder)}\n")
    console, table, passed = Console(), Table(box=None, pad_edge=False), passes.passed(folder)
    if lesson is None:
        upcoming = next_lesson(folder)
        passes.print_offer(folder)
        results = rows_in_words(folder)
        columns = {"lesson": [*results], "passed": [*results.values()]}
        columns[""] = ["next" if name == upcoming.name else "" for name in results]
        exercises = "A lesson's exercises: transformer-course progress 02, or make progress ARGS=02"
        after = "\n".join(filter(None, [f"{upcoming}\n", left_out(folder), f"{exercises}\n"]))
    else:
        sheet = by_lesson().get(number := sheet_number(lesson))
        if sheet is None:
            raise stop(f"There are no exercises for {lesson!r:.80}. Choose from: {', '.join(by_lesson())}.")
        titles = exercise_titles(number)
        columns = {"exercise": [f"{number} · {titles[exercise.id]}" for number, exercise in enumerate(sheet, 1)]}
        columns["passed"] = [passed.get(exercise.id, "")[:10] or "–" for exercise in sheet]
        if len(of_core := core(number)) < len(sheet):
            columns[""] = ["" if exercise.id in of_core else "practice" for exercise in sheet]
        if console.width > 110:  # in a narrower terminal, each task would take five lines
            columns["task"] = [exercise.prompt for exercise in sheet]
        after = ""
    for heading in columns:
        table.add_column(heading, no_wrap=heading != "task")
    for row in zip(*columns.values(), strict=True):
        table.add_row(*map(escape, row))
    console.print(table)
    stored = passes.damage(folder) or f"Stored in {passes.file(folder)}"
    _print_plain(f"\n{after}{count(folder)} {stored}")


def path(
    choose: Annotated[
        str | None, typer.Argument(help="The path to choose, such as gpt. Default: show them all.", show_default=False)
    ] = None,
    folder: Annotated[Path | None, typer.Option(help="Your folder. Default: the one that lab would open.")] = None,
) -> None:
    """Show the paths through the course and mark yours, or choose one.

    What comes next, your progress and recall questions follow your path. What you have passed counts on every path.
    """
    from transformer_course.exercises import learner_path
    from transformer_course.exercises.progress import next_lesson

    folder = _existing(folder)
    if choose is not None:
        with stopping_at(learner_path.CannotChoose):
            mine = learner_path.choose(choose, folder)
        _print_plain(f"Your path is now “{mine.title}”, {mine.duration}.\n{next_lesson(folder)}")
        return
    mine = learner_path.followed(folder)
    for each in course.learning_paths() if mine else ():
        yours = "  ← your path" if each.id == mine.id else ""
        _print_plain(f"{each.id}: {each.title}, {each.duration}{yours}\n  {each.audience}\n  {each.contents}\n")
    to_choose = "To choose one: transformer-course path ideas, or make path ARGS=ideas"
    _print_plain(to_choose if mine else learner_path.PLANNED)


def _existing(folder: Path | None) -> Path:
    """Return the learner's folder to look into. Exit if the one that was named does not contain the course."""
    if folder and not (folder.is_dir() and paths.course_folder(folder)):
        to_add = f"transformer-course lab {folder}, or make lab FOLDER={folder}"
        raise stop(f"{folder} does not contain the course yet. To add it: {to_add}")
    return folder or _choose_folder(None)


def doctor(folder: Annotated[Path, typer.Argument(help="The folder that you will work in.")] = Path("my-course")) -> None:
    """Check whether the course will run on this computer.

    Tests everything the course needs. The report names neither you nor your computer, so you can send it to your instructor.

    Exit status: 0 if the course will run, 1 if it will not. If not, the report says what to do.
    """
    from .. import doctor as doctors

    with Console(stderr=True).status("Testing everything the course needs…"):
        findings = doctors.examine(folder)
    print(doctors.report(findings))  # not typer's or rich's: the report must not depend on the terminal
    if any(finding.advice and finding.blocking for finding in findings):
        raise typer.Exit(1)
