"""How long a session takes, computed from what happens in it. Nobody has measured these numbers with a class."""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping

from transformer_course.course.part import EXIT, Part
from transformer_course.exercises.catalogue import exercise_minutes

from . import lesson, session_contents
from .activity import CODE, DRAG, EXPLAIN, LISTEN, PAPER, RESERVE, RUN_CELLS, VOTE, Activity
from .sessions import Break, Item, Lead, Pause, Plan, Practise

WORDS_PER_MINUTE = 120  # said aloud, or read by a room
RUN = PICTURE = 0.5  # to run a cell that is not a question, and to look at its output; to read a figure together
GUESS = 1.5  # of a prediction: half a minute of silence, and the vote
PREDICTION = 3  # a guess, the run, and a minute to say what it shows
SECOND_VOTE = 3  # once in each session with more than one prediction
QUESTION = 1.5  # one that is answered at once: before a lesson begins, or at its end
ANSWER = 1  # of such a question, to answer it
DRAGGING = 2  # to drag something
ON_PAPER = 4  # for each "Your turn"
DEBRIEF = 2  # to say, after the exercises of a session, what they were for
SLACK = 1.2  # late starts, questions from the room, a laptop that does not work
AFTERWARDS = round(SLACK * DEBRIEF)  # the end of a session with exercises

Minutes = Counter[Activity]  # what fills some minutes; Counters can be added


def of_part(part: Part) -> Minutes:
    """Return the minutes of one part of a lesson by activity, without slack."""
    predictions = sum(function == "predict" for function, _ in part.asks)
    listening = part.words / WORDS_PER_MINUTE + PICTURE * part.count("picture") + part.seconds / 60
    return Counter(
        {
            LISTEN: listening + (PREDICTION - GUESS) * predictions,
            RUN_CELLS: RUN * part.runs,
            VOTE: GUESS * predictions,
            PAPER: ON_PAPER * part.count("paper", "task"),
            DRAG: DRAGGING * part.drags,
        }
    )


def sessions(plan: Plan) -> list[int]:
    """Return the minutes of each item of a plan, rounded to a whole one."""
    return [round(each.total()) for each in _sessions(plan)]


def by_activity(plan: Plan) -> dict[Activity, int]:
    """Return how many minutes of a plan each activity takes. The slack is an entry of its own.

    Those of breaks are left out. What rounding leaves over or takes away is counted as slack.
    """
    both = zip(plan.items, _sessions(plan), strict=True)
    total = sum((each for item, each in both if not isinstance(item, Break | Pause)), Counter())
    found = {activity: round(total[activity]) for activity in Activity if total[activity]}
    return found | {RESERVE: round(total.total()) - sum(found.values()) + found.get(RESERVE, 0)}


def parts(plan: Plan) -> list[dict[str, tuple[int, int]]]:
    """Return, for each item of a plan, when each of its parts begins after the item does, and how many minutes it takes.

    Only lessons have parts. They are named by their ids.
    """
    found = []
    for item, known in _items(plan):
        each = {name: part.total() for name, part in _parts(item, known).items()} if isinstance(item, Lead) else {}
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


def _sessions(plan: Plan) -> list[Minutes]:
    """Return the minutes of each item of a plan by activity, with slack where minutes are computed."""
    return [_stated(item) if hasattr(item, "minutes") else _with_slack(_computed(item, known)) for item, known in _items(plan)]


def _with_slack(spent: Minutes) -> Minutes:
    return spent + Counter({RESERVE: (SLACK - 1) * spent.total()})


def _stated(item: Item) -> Minutes:
    does = Counter(getattr(item, "does", {}))
    return does + Counter({LISTEN: item.minutes - does.total()})


def _computed(item: Lead | Practise, known: set[str]) -> Minutes:
    if isinstance(item, Lead):
        questions = session_contents.final_questions(item) if item.stop == EXIT else []
        return sum(_parts(item, known).values(), _asked(len(questions)))
    stated, forms = exercise_minutes(item.lesson), lesson.forms(item.lesson)
    reads = bool(lesson.primers(item.lesson).keys() & {*item.exercises})
    work = Counter({LISTEN: item.primer * reads + DEBRIEF})
    for name in item.exercises:
        work[CODE if forms[name] in lesson.IN_CODE else PAPER] += stated[name]
    return work


def _asked(questions: int) -> Minutes:
    return Counter({VOTE: ANSWER * questions, LISTEN: (QUESTION - ANSWER) * questions})


def _parts(lead: Lead, known: set[str]) -> dict[str, Minutes]:
    """Return the minutes of each part of a led session, in a room that has had the lessons ``known``, without slack.

    They include what the session adds to the part: questions to recall, its own activity, and the second vote, which is
    counted with the first prediction.
    """
    parts = session_contents.discussed(lead)
    found = {part.id: of_part(part) for part in parts}
    first = next(iter(found))
    found[first] += _asked(len(session_contents.recall_questions_to_ask(lead, known)))
    for name, extra in lead.extra_minutes.items():
        found[name][PAPER if name == lead.paper_before else LISTEN] += extra
    for name, (length, _) in lead.explain.items():
        found[name][EXPLAIN] += length
    for part in parts:
        found[part.id] += _asked(sum(not question.is_prediction for question in session_contents.questions_of(part)))
    votes = [part.id for part in parts for function, _ in part.asks if function == "predict"]
    if len(votes) > 1:
        found[votes[0]][VOTE] += SECOND_VOTE
    return found


def paper(lead: Lead) -> int:
    """Return for how many minutes a session's own sheet of paper is filled in."""
    return _rounded(ON_PAPER + lead.extra_minutes.get(lead.paper_before, 0))


def saved(part: Part, length: int) -> int:
    """Return the minutes that are won if the cells of a part of so many minutes are run without comment."""
    return length - _rounded(RUN * part.runs + part.seconds / 60)


def _rounded(minutes: float) -> int:
    return round(SLACK * minutes)


def halfway(begins: Mapping[str, tuple[int, int]], length: int) -> tuple[int, str] | None:
    """Return the part that begins nearest to the middle of a session of so many minutes, and after how many it begins.

    ``begins`` is the session's entry in `parts`. None if no part begins near the middle.
    """
    marks = [(start, name) for name, (start, _) in [*begins.items()][1:]]
    near = [mark for mark in marks if length / 4 < mark[0] < length * 3 / 4]
    return min(near, key=lambda mark: abs(2 * mark[0] - length), default=None)
