"""The pages for whoever leads the workshop: one file each, without scripts, and without a network."""

import re
from collections.abc import Iterator
from itertools import pairwise

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from transformer_course.exercises.catalogue import by_lesson, catalogue, predictions
from transformer_course.exercises.exercise import show
from transformer_course.grading.reports import feedback_pages as grading_pages
from transformer_course.grading.reports.feedback_pages import marked

from . import lesson
from .exit_tickets import TICKETS
from .lesson import Question
from .markdown import html, inline
from .sessions import Break, Item, Lead, Pause, Plan, Practise, Talk

PAGES = Environment(
    loader=ChoiceLoader([PackageLoader(__package__), PackageLoader(grading_pages.__package__)]),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
PAGES.filters |= {
    "marked": marked,
    "html": html,
    "whole": lambda text: _whole(text),
    "inline": inline,
    "time": lambda minute: time(minute),
    "value": show,
}
PAGES.tests |= {
    kind.__name__.lower(): (lambda item, kind=kind: isinstance(item, kind)) for kind in (Lead, Practise, Talk, Pause, Break)
}
PAGES.globals |= {"lesson": lesson, "inline": inline}
PAGES.globals |= {"exercise": lambda name: catalogue()[name], "place": lambda name: _place(name)}


def clock(plan: Plan) -> Iterator[tuple[int, int, int, Item]]:
    """Each item of a plan with its day, its minute of that day, and its place in the plan."""
    day, minute = 1, plan.starts
    for place, item in enumerate(plan.items):
        yield day, minute, place, item
        minute += item.minutes
        if isinstance(item, Break) and not item.minutes:
            day, minute = day + 1, plan.starts


def ends(plan: Plan) -> list[int]:
    """The minute at which each day ends."""
    return list({day: minute + item.minutes for day, minute, _, item in clock(plan)}.values())


def time(minute: int) -> str:
    """A minute of the day as a clock shows it."""
    return f"{minute // 60 % 24}:{minute % 60:02}"


def _whole(text: str) -> Markup:
    """HTML in which no line ends inside a vector, as [0, 1]."""
    return Markup(re.sub(r"\[[-−\d., ]+\]", lambda vector: vector[0].replace(" ", "\N{NO-BREAK SPACE}"), text))


def _place(exercise: str) -> int:
    """The exercise's place in its sheet, from 1."""
    return next(i for sheet in by_lesson().values() for i, one in enumerate(sheet, 1) if one.id == exercise)


def timetable(plan: Plan, rejoin: dict[int, str]) -> str:
    """The page to begin with; ``rejoin`` names the folder of each break, by the break's place in the plan."""
    return PAGES.get_template("timetable.html").render(
        plan=plan, rows=list(clock(plan)), ends=ends(plan), rejoin=rejoin, asked=_asked(plan)
    )


def questions(plan: Plan) -> str:
    """The questions to put to the room, part by part, each to be shown alone before it is answered."""
    parts = [(plan.items[place], asked) for place, asked in _asked(plan).items()]
    order = [anchor for _, asked in parts for questions in asked.values() for anchor in questions]
    following = dict(pairwise(order))
    return PAGES.get_template("questions.html").render(plan=plan, parts=parts, following=following)


def _asked(plan: Plan) -> dict[int, dict[str, dict[str, Question]]]:
    """What is asked in each session, by its place in the plan: before, on the way and after, each under its anchor."""
    asked, known, count = {}, set(), 0
    for place, item in enumerate(plan.items):
        if isinstance(item, Lead):
            questions = {
                "before": lesson.asked_before(item, known),
                "way": lesson.asked_on_the_way(item),
                "end": lesson.asked_at_the_end(item),
            }
            asked[place] = {}
            for when, several in questions.items():
                asked[place][when] = {each.name or f"question-{count + n}": each for n, each in enumerate(several, 1)}
                count += len(several)
            known.add(item.lesson)
    return asked


def letter(plan: Plan) -> str:
    """What to send to everybody before the day."""
    return PAGES.get_template("to-send.txt").render(plan=plan, ends=ends(plan))


def wrong_answers(plan: Plan) -> str:
    """What learners answer wrongly, and what the course says to each: from the catalogues alone."""
    parts = []
    for item in plan.items:
        if isinstance(item, Lead):
            parts.append((item, [(question, predictions()[question.name]) for question in lesson.asked_on_the_way(item)]))
        elif isinstance(item, Practise):
            parts.append((item, [catalogue()[name] for name in (*item.exercises, *item.if_time)]))
    return PAGES.get_template("wrong_answers.html").render(plan=plan, parts=parts)


def ticket(plan: Plan, day: int, answers: bool) -> str:
    """The exit ticket of a day: the page to print, or the one that says what good answers hold."""
    asked = TICKETS[plan.name][day - 1]
    several = len(TICKETS[plan.name]) > 1
    template = "ticket_answers.html" if answers else "ticket.html"
    return PAGES.get_template(template).render(plan=plan, day=day if several else None, questions=asked)
