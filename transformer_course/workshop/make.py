"""The folder of a workshop, for whoever leads it."""

import json
import re
from dataclasses import replace
from pathlib import Path

from transformer_course._util import paths
from transformer_course.folders.learner_folder import (
    Delivery,
    FolderError,
    bring,
    deliver,
    fingerprint,
    note,
    read_record,
    usable,
)

from . import leader_pages, lesson, paper_answers
from .checkpoint import checkpoint
from .html_export import executed
from .plans import PLANS, chosen
from .sessions import Lead, Plan

LEARNERS = "for-learners"
LETTER = "to-send.txt"
START = "start"  # in the folder's record, beside the files' names


class BadStart(ValueError):
    """A time of day that cannot be read; the message says what one looks like."""


def make(name: str, folder: Path, start: str | None = None) -> Delivery:
    """Write a workshop's folder: the timetable, what learners get, states to rejoin from, and the pages for its leader.

    ``start`` is the time of day at which each day begins; without it, the one that the folder was made with, else 9:00. What
    was changed there is never overwritten. Raises UnknownPlan, BadStart, and FolderError when the folder cannot be written,
    holds lessons, or another plan.
    """
    plan = chosen(name)
    start = start or begins(folder) or "9:00"
    if not (clock := re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", start)):
        raise BadStart(f"The start {start!r:.80} is no time of day; write it as 13:30.")
    plan = replace(plan, starts=60 * int(clock[1]) + int(clock[2]))
    if (folder / "notebooks").is_dir():
        raise FolderError(f"{folder.resolve()} holds lessons; choose a folder for the workshop alone, such as my-workshop.")
    with usable(folder):
        for other in PLANS:
            if other != name and (folder / first_page(other)).exists():
                raise FolderError(f"{folder.resolve()} holds the workshop {other}; choose another folder for {name}.")
        texts = files(plan)
        learners = deliver(folder / LEARNERS, plan.lessons())
        delivery = bring(folder, texts)
        note(folder, START, leader_pages.time(plan.starts))
    for mine, theirs in zip(vars(delivery).values(), vars(learners).values(), strict=True):
        mine += [f"{LEARNERS}/{key}" for key in theirs]
    return delivery


def begins(folder: Path) -> str | None:
    """The time of day at which each day begins in the workshop that a folder holds; None where it holds none."""
    return read_record(folder).get(START)


def worked_in(folder: Path) -> list[str]:
    """What whoever leads has written or run in the learners' folder of a workshop, and would hand out with it."""
    learners = folder / LEARNERS
    record = read_record(learners)
    here = {key: learners / key for key in record}
    changed = [key for key, path in here.items() if path.is_file() and _differs(path.read_bytes(), record[key])]
    copies = [path.relative_to(learners).as_posix() for path in learners.glob("*/.ipynb_checkpoints/*")]
    return [f"{LEARNERS}/{key}" for key in sorted(changed + copies)]


def _differs(content: bytes, brought: str) -> bool:
    """Whether a file is another than was brought, or a notebook that has been run."""
    if fingerprint(content) != brought:
        return True
    try:
        return any(cell.get("outputs") for cell in json.loads(content)["cells"])
    except ValueError:  # a page, no notebook
        return False


def first_page(name: str) -> str:
    """The timetable's name, by which a folder tells which plan it holds."""
    return f"timetable-{name}.html"


def rejoin_folders(plan: Plan) -> dict[int, str]:
    """The folder to rejoin from after each break, named by what comes next, by the break's place in the plan."""
    names = {}
    for number, (place, _) in enumerate(plan.breaks(), 1):
        ahead = next(item for item in plan.items[place:] if isinstance(item, Lead))
        names[place] = f"rejoin/{number}-before-lesson-{ahead.lesson}{'-second-sitting' if ahead.start else ''}"
    return names


def files(plan: Plan) -> dict[str, str | bytes]:
    """All that stands in the folder beside the learners' own, under its name there."""
    rejoin = rejoin_folders(plan)
    days = leader_pages.ends(plan)
    texts: dict[str, str | bytes] = {
        first_page(plan.name): leader_pages.timetable(plan, rejoin),
        LETTER: leader_pages.letter(plan),
        "for-you/questions.html": leader_pages.questions(plan),
        "for-you/wrong-answers.html": leader_pages.wrong_answers(plan),
        "for-you/self-attention-on-paper-answers.html": paper_answers.answers(),
    }
    for day in range(1, len(days) + 1):
        of_day = f"-day-{day}" if len(days) > 1 else ""
        texts[f"to-print/exit-ticket{of_day}.html"] = leader_pages.ticket(plan, day, answers=False)
        texts[f"for-you/exit-ticket-answers{of_day}.html"] = leader_pages.ticket(plan, day, answers=True)
    for stem in plan.paper:
        for kind in ("html", "pdf"):
            texts[f"to-print/{stem}.{kind}"] = (paths.ROOT / "docs" / "paper" / f"{stem}.{kind}").read_bytes()
    for number in plan.lessons():
        texts[f"if-a-laptop-fails/{lesson.path(number).stem}.html"] = executed(number)
    for place, name in rejoin.items():
        texts |= {f"{name}/{key}": text for key, text in checkpoint(plan, place).items()}
    return texts
