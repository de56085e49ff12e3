"""The functions that learners call in a notebook. Each returns a card or questions, and never raises."""

import contextlib
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from transformer_course import course
from transformer_course._util import paths
from transformer_course.course import LearningPath
from transformer_course.runner.outcome import record
from transformer_course.runner.run import respond

from . import feedback, learner_parts, learner_path, passes, progress
from .capped_output import CappedOutput
from .card import Card, Fold
from .catalogue import catalogue, question_groups, questions, unknown
from .exercise import Exercise, Verdict, examine
from .question import View
from .solutions import solution_of
from .time_limit import allowance, limited
from .wrong_part import culprit

# Questions whose names said too much, by their old names: a learner's changed copy of an older lesson still uses those.
RENAMED = {
    "02.mirror": "02.car",
    "04.conventions": "04.calls",
    "15.short": "15.groups",
    "17.rescale": "17.two_pieces",
}
_NOTHING = object()
_hints_given: dict[str, int] = {}
_missed: dict[str, tuple[object, Verdict]] = {}  # the last wrong answer to each exercise, and its verdict
_solutions_asked: set[str] = set()


def check(exercise_id: str = "", answer: object = _NOTHING) -> Card:
    """Check an answer and, if it is wrong, say what is wrong with it and why.

    ``answer`` is the function or the value itself. In a notebook it may be left out: then it is the variable that the sheet
    asks for. The result is true if the answer passed.
    """
    exercise = _find(exercise_id, "check")
    if isinstance(exercise, Card):
        return exercise
    if answer is _NOTHING:
        answer = _notebook_variables().get(exercise.answer_name, _NOTHING)
    if answer is _NOTHING:
        error = "If that cell ends with an error, correct it first."
        return Card(
            f"There is no `{exercise.answer_name}` yet: run the cell that defines it, then this one. {error}", look="failed"
        )
    try:
        verdict = examine(exercise, _ask_here(exercise, answer), seed=0)
        if not verdict.passed:
            verdict = culprit(exercise, answer, _ask_here) or verdict
    except Exception as error:  # a bug of ours must not break the learner's cell
        reason = f"{type(error).__name__}: {error}"
        return Card(f"The check of {exercise.id} itself failed. This says nothing about your answer.", (reason,), "failed")
    earlier_answer, earlier = _missed.pop(exercise.id, (_NOTHING, None))
    passed_on = passes.passed().get(exercise.id, "")[:10]
    if verdict.passed:
        notes = learner_parts.add(exercise, answer), passes.remember(exercise.id)
        return feedback.after_pass(exercise, not passed_on, notes)
    _missed[exercise.id] = answer, verdict
    if earlier and earlier.hint != verdict.hint:
        _hints_given.pop(exercise.id, None)
    again = verdict.reason != "empty" and earlier_answer is answer
    return feedback.after_miss(exercise, verdict, again, passed_on)


def hint(exercise_id: str = "") -> Card:
    """Show the next hint for an exercise; each call goes one step further."""
    exercise = _find(exercise_id, "hint")
    if isinstance(exercise, Card):
        return exercise
    _, verdict = _missed.get(exercise.id, (None, None))
    steps = feedback.steps(exercise, verdict)
    step = min(_hints_given.get(exercise.id, 0), len(steps) - 1)
    _hints_given[exercise.id] = step + 1
    more = "Run this cell again for the next hint."
    if step + 1 == len(steps):
        more = f'That was the last hint. `solution("{exercise.id}")` shows a solution.'
    return Card(f"Hint {step + 1} of {len(steps)}", (steps[step], more))


def solution(exercise_id: str = "") -> Card:
    """Show a right answer: at once after a pass; before it, on the second request."""
    exercise = _find(exercise_id, "solution")
    if isinstance(exercise, Card):
        return exercise
    if exercise.id not in passes.passed() and exercise.id not in _solutions_asked:
        _solutions_asked.add(exercise.id)
        return Card(
            "You haven't passed this exercise yet.",
            (f'A hint may be enough: `hint("{exercise.id}")`. To see a solution anyway, run this cell again.',),
        )
    return Card(f"A solution to {exercise.id}", code=solution_of(exercise.id))


def predict(question_id: str = "") -> Card | View:
    """Show a question to answer before the next cell is run. A click records the guess, in the page only."""
    return _one_question(question_id, "predict")


def reveal(question_id: str = "") -> Card | View:
    """Show the reply to the guess that was made at ``predict``; the replies to the other choices are folded."""
    return _one_question(question_id, "reveal")


def ask(group: str = "") -> Card | View:
    """Show the questions of a group, such as "02.recall". Each choice is answered at once.

    A lesson whose exit questions are shown counts as read. Below them, a learner's folder has a link to what comes next on the
    learner's path.
    """
    groups = question_groups()
    if str(group) not in groups:
        return _unknown("group of questions", group, groups, "ask")
    number, _, name = str(group).partition(".")
    lessons = learner_path.known_lessons(number)
    asked = tuple(each for each in groups[str(group)] if lessons is None or lessons.issuperset(each.origin))
    if not asked:
        return Card("No question here: they are about lessons that your path leaves out, or brings later.")
    in_folder = paths.course_folder(Path())
    if in_folder and name in ("exit", "ready"):  # lesson 00 ends with questions whether one is ready
        progress.has_read(number)
    return View(asked, "ask", feedback.onward(course.lesson(number)) if in_folder and name == "exit" else None)


def reply(*_: object) -> Card:
    """Tell learners with a changed copy of an older lesson, which still imports this, how to get the new one."""
    return Card("This lesson has a newer version. Rename your copy and start the course again to get it.")


def my_path() -> Card:
    """Show the path through the course that this folder follows, and the others, with the call that chooses each."""
    path = learner_path.followed()
    return _card_of(path, "Your path") if path else Card(learner_path.PLANNED)


def choose_path(path_id: str = "") -> Card:
    """Choose the path through the course, which `next_lesson`, progress and recall questions then follow."""
    try:
        return _card_of(learner_path.choose(path_id), "Your path is now")
    except learner_path.CannotChoose as error:
        return Card(str(error), look="failed")


def _card_of(path: LearningPath, title: str) -> Card:
    others = [each for each in course.learning_paths() if each.id != path.id]
    lines = (f'{each.title}, {each.duration}: `choose_path("{each.id}")`. {each.audience}' for each in others)
    titles = {each.id: each.title for each in others}
    builds = any(isinstance(step, course.Stage) for step in path.steps)
    kinds = "lessons, and its stages of the Build (B1, B2 …)" if builds else "lessons"
    steps = f"Its {kinds}: {path.contents}. All else is optional."
    if path.after:
        steps += f" It builds on “{path.after.title}”: do that one first, unless you know what it teaches."
    change = "You can change it whenever you like, and what you have passed counts on every path:"
    return Card(
        f"{title}: {path.title}, {path.duration}",
        (path.audience, steps, change, *lines),
        folds=(Fold("Your path, step by step", code=path.titles),),
        instead=path.titles,
        paths=titles,
    )


def _one_question(question_id: object, name: str) -> Card | View:
    asked = RENAMED.get(str(question_id), str(question_id))
    if asked not in questions():
        return _unknown("question", question_id, questions(), name)
    return View((questions()[asked],), name)


def _find(exercise_id: object, call: str) -> Exercise | Card:
    exercises = catalogue()
    if isinstance(exercise_id, str) and exercise_id in exercises:
        return exercises[exercise_id]
    return _unknown("exercise", exercise_id, exercises, call)


def _unknown(what: str, name: object, known: Iterable[str], call: str) -> Card:
    """A card about a name that is in no catalogue: how to call the function, or the nearest name."""
    if isinstance(name, str) and name:
        return Card(unknown(what, name, known), look="failed")
    return Card(f'Which {what}? Put its name in the brackets, as in `{call}("{next(iter(known))}")`.', look="failed")


def _notebook_variables() -> dict:
    """The variables of the notebook that runs this; empty outside a notebook."""
    from IPython import get_ipython  # loaded already in a notebook; the command line never needs it

    shell = get_ipython()
    return shell.user_ns if shell else {}


def _ask_here(exercise: Exercise, answer: object) -> Callable:
    """Run an answer in this process, within a time limit."""
    over, output = allowance(), CappedOutput(sys.stdout)

    def ask(backend, questions, oracle):
        if not exercise.is_function:
            return [record(answer)]
        with contextlib.redirect_stdout(output):
            return respond(answer, questions, backend, oracle, lambda f, arguments: limited(f, arguments, over))

    return ask
