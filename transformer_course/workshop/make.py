"""The folder of a workshop, made for its instructor."""

import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

from transformer_course import course
from transformer_course._util import paths
from transformer_course._util.folder_record import read_record, update_record
from transformer_course.exercises import passes
from transformer_course.exercises.workshop_folder import EXERCISES
from transformer_course.folders.learner_folder import (
    Delivery,
    FolderError,
    deliver,
    fingerprint,
    sync_files,
    writable_folder,
)

from . import deck, exit_tickets, leader_pages, paper_answers
from .checkpoint import checkpoint, exercises_of
from .html_export import executed
from .plans import PLANS, chosen
from .plans.talks_and_breaks import PAPER_PAGE
from .session_contents import check
from .sessions import Plan

LEARNERS = "for-learners"
LETTER = "to-send.txt"
MIDNIGHT = 24 * 60  # minutes
START = "start"  # a key of the folder's record, next to the names of files


class BadOption(ValueError):
    """A start, date, leader or number of people that cannot be; the message says what to give."""


def make(name: str, folder: Path, **options: str | None) -> Delivery:
    """Write a workshop's folder: the timetable, what learners get, folders to rejoin from, and the instructor's pages.

    ``options`` are the plan's "start", "leader", "date" and "people". Each defaults to what the folder was made with.
    Files that were changed there are never overwritten. Raises UnknownPlan, PlanError, BadOption, and FolderError if the
    folder cannot be written, contains lessons, or contains a different plan.
    """
    plan = chosen(name)
    check(plan)
    chosen_now = {key: value for key, value in options.items() if value is not None}
    if (day := chosen_now.get("date")) and _date(day) < date.today():
        raise BadOption(f"The date {day} has passed; give the first day of a workshop that is still to come.")
    kept = {key: value for key, value in read_record(folder).items() if key in OPTIONS}
    chosen_now = {key: OPTIONS[key](value) for key, value in (kept | chosen_now).items()}
    plan = replace(plan, **{FIELDS.get(key, key): value for key, value in chosen_now.items()})
    if (end := max(leader_pages.ends(plan))) > MIDNIGHT:
        start, later = leader_pages.time(plan.starts), leader_pages.time(end)
        raise BadOption(f"A workshop that starts at {start} would end at {later} on the next day. Choose an earlier start.")
    if (folder / "notebooks").is_dir():
        raise FolderError(f"{folder.resolve()} contains lessons; choose a folder just for the workshop, such as my-workshop.")
    with writable_folder(folder):
        for other in PLANS:
            if other != name and (folder / first_page(other)).exists():
                raise FolderError(f"{folder.resolve()} contains the workshop {other}; choose another folder for {name}.")
        texts = files(plan)
        learners = deliver(folder / LEARNERS, [*plan.lessons(), *plan.stages()])
        delivery = sync_files(folder, texts)
        update_record(folder / LEARNERS, EXERCISES, exercises_of(plan))
        update_record(folder, START, leader_pages.time(plan.starts))
        for key in OPTIONS.keys() - {START}:
            update_record(folder, key, str(getattr(plan, key) or "") or None)
    for names, of_learners in zip(vars(delivery).values(), vars(learners).values(), strict=True):
        names += [f"{LEARNERS}/{key}" for key in of_learners]
    return delivery


def _start(text: str) -> int:
    if not (clock := re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", text)):
        raise BadOption(f"The start {text!r:.80} is not a time of day; write it like 13:30.")
    return 60 * int(clock[1]) + int(clock[2])


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadOption(f"The date {text!r:.80} is not a day; write it like 2027-03-31.") from None


def _leader(text: str) -> str:
    if not text.isprintable() or not text.strip() or len(text) > 60 or {*"<>[]*_`"} & {*text}:
        raise BadOption(f"The leader {text!r:.80} is not a plain name of at most 60 characters; write it like Ada Lovelace.")
    return text.strip()


def _people(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d?|1\d\d|200", text):
        raise BadOption(f"The number of people {text!r:.80} is not between 1 and 200; write it like 24.")
    return int(text)


OPTIONS = {START: _start, "leader": _leader, "date": _date, "people": _people}
FIELDS = {START: "starts"}  # of a plan, where they have another name


def begins(folder: Path) -> str | None:
    """Return when each day of the workshop in a folder begins, or None if the folder contains no workshop."""
    return read_record(folder).get(START)


def worked_in(folder: Path) -> list[str]:
    """Return the files in the learners' folder that the instructor has edited, run or added, and would hand out."""
    learners = folder / LEARNERS
    record = read_record(learners)
    delivered = {key: learners / key for key in record}
    changed = [key for key, path in delivered.items() if path.is_file() and _worked_in(path.read_bytes(), record[key])]
    work = [path for path in learners.rglob("*") if path.suffix in (".ipynb", ".py") or path.name == passes.FILE]
    added = {path.relative_to(learners).as_posix() for path in work} - {*record}  # other files may be there to hand out
    return [f"{LEARNERS}/{key}" for key in sorted({*changed} | added)]


def _worked_in(content: bytes, original: str) -> bool:
    """Return whether a file no longer has its original fingerprint, or is a notebook that has been run."""
    if fingerprint(content) != original:
        return True
    try:
        return any(cell.get("outputs") for cell in json.loads(content)["cells"])
    except ValueError:  # a page, not a notebook
        return False


def first_page(name: str) -> str:
    """Return the name of the timetable; its presence shows which plan a folder contains."""
    return f"timetable-{name}.html"


def files(plan: Plan) -> dict[str, str | bytes]:
    """Return all files of a workshop's folder by name, except those in the learners' folder."""
    rejoin = plan.rejoin_folders()
    days = leader_pages.ends(plan)
    texts: dict[str, str | bytes] = {
        first_page(plan.name): leader_pages.timetable(plan, rejoin),
        LETTER: leader_pages.letter(plan),
        "for-you/notes.html": leader_pages.notes(plan),
        "for-you/helpers.html": leader_pages.helpers(plan),
        "for-you/slides.html": deck.of_plan(plan),
        "for-you/wrong-answers.html": leader_pages.wrong_answers(plan),
    }
    for name in ("for-you/cue-card", "for-you/copies", "for-you/doctor-reports", "to-print/timetable"):
        texts[f"{name}.html"] = leader_pages.to_print(name.rpartition("/")[2].replace("timetable", "on_the_door"), plan)
    if PAPER_PAGE in plan.handouts:
        texts["for-you/self-attention-on-paper-answers.html"] = paper_answers.answers()
    for day in range(1, len(days) + 1):
        of_day = f"-day-{day}" if len(days) > 1 else ""
        texts[f"for-you/exit-ticket-answers{of_day}.html"] = leader_pages.ticket(plan, day, answers=True)
    for stem in (*plan.handouts, *exit_tickets.stems(plan.name)):
        for kind in ("html", "pdf"):
            texts[f"to-print/{stem}.{kind}"] = (paths.ROOT / "docs" / "paper" / f"{stem}.{kind}").read_bytes()
    for number in plan.lessons():
        texts[f"if-a-laptop-fails/{course.lesson(number).name}.html"] = executed(number, tuple(plan.lessons()))
    for index, name in rejoin.items():
        texts |= {f"{name}/{key}": text for key, text in checkpoint(plan, index).items()}
    return texts
