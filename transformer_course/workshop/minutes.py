"""How long a session takes, computed from what happens in it. Nobody has measured these numbers with a class."""

import itertools
import re

from transformer_course.exercises.catalogue import exercise_minutes

from . import led_part, lesson
from .lesson import Section
from .sessions import FINAL_QUESTIONS, Item, Lead, Plan, Practise

WORDS_PER_MINUTE = 120  # said aloud, or read by a room
RUN = PICTURE = 0.5  # to run a cell that is not a question, and to look at its output; to read a figure together
PREDICTION = 3  # half a minute of silence, the vote, the run, and a minute to say what it shows
SECOND_VOTE = 3  # once in each session with more than one prediction
WAIT = re.compile(r"\babout (\d+) seconds")  # what a lesson says before it trains
QUESTION = 1.5  # one that is answered at once: before a lesson begins, or at its end
ON_PAPER = 4  # for each "Your turn"
PRIMER = 5  # to read together what an exercise in code needs
DEBRIEF = 2  # to say, after the exercises of a session, what they were for
SLACK = 1.2  # late starts, questions from the room, a laptop that does not work


def section(part: Section) -> float:
    """Return the minutes of one section of a lesson, without slack."""
    predictions = sum(asked.is_prediction for asked in part.asked)
    work = RUN * part.runs + PICTURE * part.pictures + ON_PAPER * part.on_paper
    waits = sum(map(int, WAIT.findall(" ".join(part.prose).replace("\n", " ")))) / 60
    return part.prose_words / WORDS_PER_MINUTE + work + PREDICTION * predictions + waits


def sessions(plan: Plan) -> list[int]:
    """Return the minutes of each item of a plan, rounded to a whole one."""
    known: set[str] = set()
    found = []
    for item in plan.items:
        found.append(_session(item, known))
        if isinstance(item, Lead):
            known.add(item.lesson)
    return found


def _session(item: Item, known: set[str]) -> int:
    if isinstance(item, Lead):
        return _rounded(_led(item, known))
    if isinstance(item, Practise):
        stated = exercise_minutes(item.lesson)
        reads = bool(lesson.primers(item.lesson).keys() & {*item.exercises})
        return _rounded(PRIMER * reads + DEBRIEF + sum(stated[name] for name in item.exercises))
    return item.minutes


def _led(lead: Lead, known: set[str]) -> float:
    """Return the minutes of a led session in a room that has had the lessons ``known``, without slack."""
    questions = len(led_part.recall_questions_to_ask(lead, known))
    questions += len(led_part.final_questions(lead)) if lead.stop == FINAL_QUESTIONS else 0
    votes = len(led_part.predictions_in(lead))
    return (
        sum(map(section, led_part.discussed(lead)))
        + QUESTION * questions
        + (SECOND_VOTE if votes > 1 else 0)
        + lead.extra_minutes
    )


def _rounded(minutes: float) -> int:
    return round(SLACK * minutes)


def halfway(lead: Lead, minutes: int) -> tuple[int, str] | None:
    """Return the section that begins nearest to the middle of a session of so many minutes, and after how many it begins.

    None if no section begins near the middle.
    """
    parts = led_part.discussed(lead)
    *ends, total = itertools.accumulate(section(part) for part in parts)
    marks = [(round(minutes * end / total), part.heading) for end, part in zip(ends, parts[1:], strict=True)]
    near = [mark for mark in marks if minutes / 4 < mark[0] < minutes * 3 / 4]
    return min(near, key=lambda mark: abs(2 * mark[0] - minutes), default=None)
