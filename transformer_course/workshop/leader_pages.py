"""The pages for the instructor: timetable, notes, wrong answers, letter and exit tickets."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta

from markupsafe import Markup

from transformer_course import course
from transformer_course._util import paths
from transformer_course._util.markdown import html, inline
from transformer_course.authoring.html import environment
from transformer_course.course.part import EXIT, TITLE
from transformer_course.course.question import Question
from transformer_course.exercises.catalogue import by_lesson, catalogue, exercise_minutes, exercise_titles, question_groups
from transformer_course.exercises.exercise import show
from transformer_course.exercises.solutions import solution_of

from . import lesson, minutes, session_contents
from .exit_tickets import TICKETS
from .handouts import handouts
from .likely_mistakes import likely
from .sessions import Break, Item, Lead, Pause, Plan, Practise, Project, Talk
from .slide import LINK

IN_THE_ROOM = "Predict, run, explain, with a group", "Common problems"  # sections of docs/instructors.md
TRAINING = 20  # seconds of a part in which a model is trained
LONG = 200  # characters of a question that stands in the timetable as it is


@dataclass(frozen=True)
class Slot:
    """An item of a plan in its place: its day, the minute of that day at which it begins, and how long it takes."""

    day: int
    begins: int
    minutes: int
    index: int
    item: Item
    parts: Mapping[str, tuple[int, int]]  # of a lesson, by id: when each begins after the item does, and how long it takes


def timetable(plan: Plan, rejoin: dict[int, str]) -> str:
    """Return the page to begin with; ``rejoin`` maps the index of each break to the folder to rejoin from."""
    return PAGES.get_template("timetable.html").render(
        plan=plan, slots=list(clock(plan)), ends=ends(plan), rejoin=rejoin, asked=questions_asked(plan), **_shares(plan)
    )


def notes(plan: Plan) -> str:
    """Return the page with what to say under each heading."""
    return PAGES.get_template("notes.html").render(plan=plan, slots=list(clock(plan)), advice=_advice())


def helpers(plan: Plan) -> str:
    """Return the page for those who help in the room."""
    return PAGES.get_template("helpers.html").render(plan=plan, slots=list(clock(plan)), problems=_advice()["Common problems"])


def _advice() -> dict[str, Markup]:
    """Return what an instructor needs in the room from the page for instructors: each section by its heading."""
    text = (paths.ROOT / "docs" / "instructors.md").read_text(encoding="utf-8")
    sections = {part.partition("\n")[0]: part.partition("\n")[2] for part in text.split("\n## ")}
    return {heading: html(LINK.sub(r"\1", sections[heading])) for heading in IN_THE_ROOM}


def clock(plan: Plan) -> Iterator[Slot]:
    """Yield each item of a plan in its place. A break begins at a time that is easy to announce."""
    day, minute = 1, plan.starts
    timed = zip(plan.items, minutes.sessions(plan), minutes.parts(plan), strict=True)
    for index, (item, length, parts) in enumerate(timed):
        if isinstance(item, Break):
            minute = _rounded(minute)
        yield Slot(day, minute, length, index, item, parts)
        minute += length
        if isinstance(item, Break) and not length:
            day, minute = day + 1, plan.starts


def ends(plan: Plan) -> list[int]:
    """Return the minute at which each day ends."""
    return list({slot.day: _rounded(slot.begins + slot.minutes) for slot in clock(plan)}.values())


def _rounded(minute: int) -> int:
    """Return the next of the minutes 0, 5, 10, … of an hour."""
    return -(-minute // 5) * 5


def time(minute: int) -> str:
    """Return a minute of the day as a clock shows it."""
    return f"{minute // 60 % 24}:{minute % 60:02}"


def questions_asked(plan: Plan) -> dict[int, dict[str, dict[str, Question]]]:
    """Return each session's questions: by the session's index, then by when they are asked, then by id."""
    asked, known = {}, set()
    for index, item in enumerate(plan.items):
        if isinstance(item, Lead):
            by_time = {
                "before": session_contents.recall_questions_to_ask(item, known),
                "way": session_contents.questions_in(item),
                "end": session_contents.final_questions(item),
            }
            asked[index] = {when: {each.id: each for each in several} for when, several in by_time.items()}
            known.add(item.lesson)
    return asked


def wrong_answers(plan: Plan) -> str:
    """Return the wrong answers to expect, and what the course says to each."""
    parts = []
    for item in plan.items:
        if isinstance(item, Lead):
            parts.append((item, [(part, session_contents.questions_of(part)) for part in session_contents.discussed(item)]))
        elif isinstance(item, Practise):
            parts.append((item, [catalogue()[name] for name in (*item.exercises, *item.if_time)]))
        elif isinstance(item, Project):
            parts.append((item, by_lesson()[item.stage]))
    return PAGES.get_template("wrong_answers.html").render(plan=plan, parts=parts)


def to_print(page: str, plan: Plan) -> str:
    """Return one of the short pages to print, by the name of its template."""
    return PAGES.get_template(f"{page}.html").render(plan=plan, slots=list(clock(plan)), ends=ends(plan), **_shares(plan))


def _shares(plan: Plan) -> dict[str, object]:
    """Return the minutes of each activity, the doing ones first, with their sum, that of all, and the length with breaks."""
    spent = sorted(minutes.by_activity(plan).items(), key=lambda each: (not each[0].is_doing, -each[1]))
    length = sum(end - plan.starts for end in ends(plan))
    doing = sum(n for activity, n in spent if activity.is_doing)
    return {"activities": spent, "doing": doing, "working": sum(n for _, n in spent), "length": length}


def dates(plan: Plan) -> str:
    """Return the days of a workshop in words; empty if nobody has said when it is."""
    days = [plan.date + timedelta(number) for number in range(len(ends(plan)))] if plan.date else []
    return " and ".join(f"{day:%A}, {day.day} {day:%B %Y}" for day in days)


def letter(plan: Plan) -> str:
    """Return the letter to send to everybody before the day."""
    return PAGES.get_template("to-send.txt").render(plan=plan, ends=ends(plan))


def ticket(plan: Plan, day: int, answers: bool) -> str:
    """Return the exit ticket of a day: the page to print, or the one that says what good answers contain."""
    days = TICKETS[plan.name]
    template = "ticket_answers.html" if answers else "ticket.html"
    return PAGES.get_template(template).render(plan=plan, day=day if len(days) > 1 else None, tickets=days[day - 1])


# -- what the templates call ------------------------------------------------------------------------------------------


def _unbroken(text: str) -> Markup:
    """Keep vectors such as [0, 1] on one line."""
    return Markup(re.sub(r"\[[-−\d., ]+\]", lambda vector: vector[0].replace(" ", "\N{NO-BREAK SPACE}"), text))


def _number(exercise_id: str) -> int:
    """Return an exercise's number in its sheet."""
    return next(number for sheet in by_lesson().values() for number, each in enumerate(sheet, 1) if each.id == exercise_id)


def _question(text: str) -> str:
    """Return a question; of a long one, only the sentence that asks."""
    if len(text) <= LONG:
        return text
    asks = [sentence for sentence in re.split(r"(?<=[.?!:])\s+", " ".join(text.split())) if sentence.endswith("?")]
    return asks[-1] if asks else text


def _cut(lead: Lead, slot: Slot) -> str:
    """Return what to run without comment if a session is late half way through, and how many minutes that wins."""
    part, (begins, length) = course.lesson(lead.lesson).part(lead.skip_if_late), slot.parts[lead.skip_if_late]
    half = minutes.halfway(slot.parts, slot.minutes)
    rest, most = ("the rest of ", "up to ") if half and begins < half[0] else ("", "")
    return f"{rest}{part.heading} (saves {most}{minutes.saved(part, length)} min)"


def _votes(lead: Lead) -> int:
    """Return how many predictions a session has."""
    return sum(question.is_prediction for question in session_contents.questions_in(lead))


def _trains(lead: Lead) -> bool:
    """Return whether everybody waits for a training in a session."""
    return any(part.seconds >= TRAINING for part in session_contents.discussed(lead))


def _expected(item: Practise | Project) -> list[str]:
    """Return the exercises that learners write themselves, in the order of their sheet."""
    if isinstance(item, Project):
        return [each.id for each in by_lesson()[item.stage] if each.id not in item.given]
    return [each.id for each in by_lesson()[item.lesson] if each.id in (*item.exercises, *item.if_time)]


def _ready(plan: Plan) -> list[int]:
    """Return the numbers, in lesson 00, of the questions that show whether somebody is ready for a plan."""
    return [number for number, each in enumerate(question_groups()["00.ready"], 1) if each.id in plan.ready]


PAGES = environment(__package__)
PAGES.filters |= {"html": html, "inline": inline, "unbroken": _unbroken}
PAGES.filters |= {"number": _number, "time": time, "value": show, "question": _question, "solution": solution_of}
PAGES.tests |= {
    kind.__name__.lower(): (lambda item, kind=kind: isinstance(item, kind))
    for kind in (Lead, Practise, Talk, Project, Pause, Break)
}
PAGES.globals |= {"course": course, "lesson": lesson, "session_contents": session_contents, "inline": inline}
PAGES.globals |= {
    "TITLE": TITLE,
    "EXIT": EXIT,
    "halfway": minutes.halfway,
    "AFTERWARDS": minutes.AFTERWARDS,
    "ready": _ready,
}
PAGES.globals |= {
    "dates": dates,
    "handouts": handouts,
    "votes": _votes,
    "cut": _cut,
    "trains": _trains,
    "titles": exercise_titles,
    "likely": likely,
    "expected": _expected,
}
PAGES.globals |= {"exercise": lambda name: catalogue()[name], "exercise_minutes": exercise_minutes}
