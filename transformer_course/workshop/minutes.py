"""How long a session takes, computed from what happens in it. Nobody has measured these numbers with a class."""

import itertools
from collections.abc import Iterator, Mapping

from transformer_course.course.part import EXIT, Part
from transformer_course.exercises.catalogue import exercise_minutes

from . import lesson, session_contents
from .sessions import Item, Lead, Plan, Practise

WORDS_PER_MINUTE = 120  # said aloud, or read by a room
RUN = PICTURE = 0.5  # to run a cell that is not a question, and to look at its output; to read a figure together
PREDICTION = 3  # half a minute of silence, the vote, the run, and a minute to say what it shows
SECOND_VOTE = 3  # once in each session with more than one prediction
QUESTION = 1.5  # one that is answered at once: before a lesson begins, or at its end
ON_PAPER = 4  # for each "Your turn"
PRIMER = 5  # to read together what an exercise in code needs
DEBRIEF = 2  # to say, after the exercises of a session, what they were for
SLACK = 1.2  # late starts, questions from the room, a laptop that does not work
AFTERWARDS = round(SLACK * DEBRIEF)  # the end of a session with exercises


def of_part(part: Part) -> float:
    """Return the minutes of one part of a lesson, without slack."""
    predictions = sum(function == "predict" for function, _ in part.asks)
    work = RUN * part.runs + PICTURE * part.count("picture") + ON_PAPER * part.count("paper", "task")
    return part.words / WORDS_PER_MINUTE + work + PREDICTION * predictions + part.seconds / 60


def sessions(plan: Plan) -> list[int]:
    """Return the minutes of each item of a plan, rounded to a whole one."""
    return [_session(item, known) for item, known in _items(plan)]


def parts(plan: Plan) -> list[dict[str, tuple[int, int]]]:
    """Return, for each item of a plan, when each of its parts begins after the item does, and how many minutes it takes.

    Only lessons have parts. They are named by their ids.
    """
    found = []
    for item, known in _items(plan):
        each = _parts(item, known) if isinstance(item, Lead) else {}
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
        questions = session_contents.final_questions(item) if item.stop == EXIT else []
        return _rounded(sum(_parts(item, known).values()) + QUESTION * len(questions))
    if isinstance(item, Practise):
        stated = exercise_minutes(item.lesson)
        reads = bool(lesson.primers(item.lesson).keys() & {*item.exercises})
        return _rounded(PRIMER * reads + DEBRIEF + sum(stated[name] for name in item.exercises))
    return item.minutes


def _parts(lead: Lead, known: set[str]) -> dict[str, float]:
    """Return the minutes of each part of a led session, in a room that has had the lessons ``known``, without slack.

    They include what the session adds to the part: questions to recall, its own activity, and the second vote, which is
    counted with the first prediction.
    """
    parts = session_contents.discussed(lead)
    found = {part.id: of_part(part) for part in parts}
    first = next(iter(found))
    found[first] += QUESTION * len(session_contents.recall_questions_to_ask(lead, known))
    found[lead.paper_before or first] += lead.extra_minutes
    for part in parts:
        found[part.id] += QUESTION * sum(not question.is_prediction for question in session_contents.questions_of(part))
    votes = [part.id for part in parts for function, _ in part.asks if function == "predict"]
    if len(votes) > 1:
        found[votes[0]] += SECOND_VOTE
    return found


def _rounded(minutes: float) -> int:
    return round(SLACK * minutes)


def halfway(begins: Mapping[str, tuple[int, int]], length: int) -> tuple[int, str] | None:
    """Return the part that begins nearest to the middle of a session of so many minutes, and after how many it begins.

    ``begins`` is the session's entry in `parts`. None if no part begins near the middle.
    """
    marks = [(start, name) for name, (start, _) in [*begins.items()][1:]]
    near = [mark for mark in marks if length / 4 < mark[0] < length * 3 / 4]
    return min(near, key=lambda mark: abs(2 * mark[0] - length), default=None)
