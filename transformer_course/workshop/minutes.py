"""How long a session takes, computed from what happens in it. Nobody has measured these numbers with a class."""

import itertools
import re
from collections.abc import Iterator, Mapping

from transformer_course.exercises.catalogue import exercise_minutes

from . import lesson, session_contents
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
AFTERWARDS = round(SLACK * DEBRIEF)  # the end of a session with exercises


def section(part: Section) -> float:
    """Return the minutes of one section of a lesson, without slack."""
    predictions = sum(asked.is_prediction for asked in part.asked)
    work = RUN * part.runs + PICTURE * part.pictures + ON_PAPER * part.on_paper
    waits = sum(map(int, WAIT.findall(" ".join(part.prose).replace("\n", " ")))) / 60
    return part.prose_words / WORDS_PER_MINUTE + work + PREDICTION * predictions + waits


def sessions(plan: Plan) -> list[int]:
    """Return the minutes of each item of a plan, rounded to a whole one."""
    return [_session(item, known) for item, known in _items(plan)]


def headings(plan: Plan) -> list[dict[str, tuple[int, int]]]:
    """Return, for each item of a plan, when each of its headings begins after the item does, and how many minutes it takes.

    Only lessons have headings.
    """
    found = []
    for item, known in _items(plan):
        each = _sections(item, known) if isinstance(item, Lead) else {}
        ends = itertools.accumulate(each.values())
        timed = zip(each.items(), ends, strict=True)
        found.append({name: (_rounded(end - length), _rounded(length)) for (name, length), end in timed})
    return found


def _items(plan: Plan) -> Iterator[tuple[Item, set[str]]]:
    """Yield each item of a plan with the lessons that the room has had before it."""
    known: set[str] = set()
    for item in plan.items:
        yield item, {*known}
        if isinstance(item, Lead):
            known.add(item.lesson)


def _session(item: Item, known: set[str]) -> int:
    if isinstance(item, Lead):
        questions = session_contents.final_questions(item) if item.stop == FINAL_QUESTIONS else []
        return _rounded(sum(_sections(item, known).values()) + QUESTION * len(questions))
    if isinstance(item, Practise):
        stated = exercise_minutes(item.lesson)
        reads = bool(lesson.primers(item.lesson).keys() & {*item.exercises})
        return _rounded(PRIMER * reads + DEBRIEF + sum(stated[name] for name in item.exercises))
    return item.minutes


def _sections(lead: Lead, known: set[str]) -> dict[str, float]:
    """Return the minutes of each section of a led session, in a room that has had the lessons ``known``, without slack.

    They include what the session adds to the section: questions to recall, its own activity, and the second vote, which is
    counted with the first prediction.
    """
    found = {part.heading: section(part) for part in session_contents.discussed(lead)}
    first, votes = next(iter(found)), session_contents.predictions_in(lead)
    found[first] += QUESTION * len(session_contents.recall_questions_to_ask(lead, known))
    found[lead.paper_before or first] += lead.extra_minutes
    for asked in session_contents.questions_in(lead):
        found[asked.heading] += QUESTION * (not asked.is_prediction)
    if len(votes) > 1:
        found[votes[0].heading] += SECOND_VOTE
    return found


def _rounded(minutes: float) -> int:
    return round(SLACK * minutes)


def halfway(begins: Mapping[str, tuple[int, int]], length: int) -> tuple[int, str] | None:
    """Return the heading that begins nearest to the middle of a session of so many minutes, and after how many it begins.

    ``begins`` is the session's entry in `headings`. None if no heading begins near the middle.
    """
    marks = [(start, name) for name, (start, _) in [*begins.items()][1:]]
    near = [mark for mark in marks if length / 4 < mark[0] < length * 3 / 4]
    return min(near, key=lambda mark: abs(2 * mark[0] - length), default=None)
