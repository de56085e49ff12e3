"""The pages for the instructor: timetable, questions, wrong answers, letter and exit tickets."""

import re
from collections.abc import Iterator
from itertools import pairwise

from markupsafe import Markup

from transformer_course.authoring.html import environment
from transformer_course.exercises.catalogue import by_lesson, catalogue, exercise_minutes
from transformer_course.exercises.exercise import show

from . import led_part, lesson
from .exit_tickets import TICKETS
from .lesson import Asked
from .markdown import html, inline
from .sessions import FINAL_QUESTIONS, Break, Item, Lead, Pause, Plan, Practise, Talk


def timetable(plan: Plan, rejoin: dict[int, str]) -> str:
    """Return the page to begin with; ``rejoin`` maps the index of each break to the folder to rejoin from."""
    return PAGES.get_template("timetable.html").render(
        plan=plan, rows=list(clock(plan)), ends=ends(plan), rejoin=rejoin, asked=_asked(plan)
    )


def clock(plan: Plan) -> Iterator[tuple[int, int, int, Item]]:
    """Yield each item of a plan with its day, its minute of that day, and its index."""
    day, minute = 1, plan.starts
    for index, item in enumerate(plan.items):
        yield day, minute, index, item
        minute += item.minutes
        if isinstance(item, Break) and not item.minutes:
            day, minute = day + 1, plan.starts


def ends(plan: Plan) -> list[int]:
    """Return the minute at which each day ends."""
    return list({day: minute + item.minutes for day, minute, _, item in clock(plan)}.values())


def time(minute: int) -> str:
    """Return a minute of the day as a clock shows it."""
    return f"{minute // 60 % 24}:{minute % 60:02}"


def questions(plan: Plan) -> str:
    """Return the questions to ask, session by session. Each can be shown on its own before it is answered."""
    parts = [(plan.items[index], asked) for index, asked in _asked(plan).items()]
    anchors = [anchor for _, asked in parts for by_anchor in asked.values() for anchor in by_anchor]
    following = dict(pairwise(anchors))
    return PAGES.get_template("questions.html").render(plan=plan, parts=parts, following=following)


def _asked(plan: Plan) -> dict[int, dict[str, dict[str, Asked]]]:
    """Return each session's questions: by the session's index, then by when they are asked, then by id."""
    asked, known = {}, set()
    for index, item in enumerate(plan.items):
        if isinstance(item, Lead):
            by_time = {
                "before": led_part.recall_questions_to_ask(item, known),
                "way": led_part.predictions_in(item),
                "end": led_part.final_questions(item),
            }
            asked[index] = {when: {each.question.id: each for each in several} for when, several in by_time.items()}
            known.add(item.lesson)
    return asked


def wrong_answers(plan: Plan) -> str:
    """Return the wrong answers to expect, and what the course says to each."""
    parts = []
    for item in plan.items:
        if isinstance(item, Lead):
            parts.append((item, led_part.predictions_in(item)))
        elif isinstance(item, Practise):
            parts.append((item, [catalogue()[name] for name in (*item.exercises, *item.if_time)]))
    return PAGES.get_template("wrong_answers.html").render(plan=plan, parts=parts)


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


PAGES = environment(__package__)
PAGES.filters |= {"html": html, "inline": inline, "unbroken": _unbroken}
PAGES.filters |= {"number": _number, "time": time, "value": show}
PAGES.tests |= {
    kind.__name__.lower(): (lambda item, kind=kind: isinstance(item, kind)) for kind in (Lead, Practise, Talk, Pause, Break)
}
PAGES.globals |= {"lesson": lesson, "led": led_part, "inline": inline, "FINAL_QUESTIONS": FINAL_QUESTIONS}
PAGES.globals |= {"exercise": lambda name: catalogue()[name], "exercise_minutes": exercise_minutes}
