"""What a learner calls in a notebook: check, hint, solution, reply. Each answers with a card and never raises."""

import _thread
import html
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from transformer_course.runner import limits
from transformer_course.runner.run import TimeLimit, record, respond

from . import passes
from .catalogue import catalogue, predictions, unknown
from .exercise import LATE, Exercise, examine
from .markup import marked

COLOURS = {"passed": "#009E73", "failed": "#D55E00", "plain": "#56B4E9"}
_NOTHING = object()
_hints_given: dict[str, int] = {}
_missed: dict[str, object] = {}  # the last wrong answer to each exercise
_solutions_asked: set[str] = set()


@dataclass(frozen=True)
class Card:
    """A short answer that draws itself in a notebook and reads as plain text elsewhere. True when it says "passed"."""

    title: str
    paragraphs: tuple[str, ...] = ()
    look: str = "plain"
    code: str = ""

    def __bool__(self) -> bool:
        return self.look == "passed"

    def __repr__(self) -> str:
        return "\n".join([self.title, *self.paragraphs, *([self.code] if self.code else [])])

    def _repr_html_(self) -> str:
        body = "".join(f'<div style="margin-top:.3em">{marked(text)}</div>' for text in self.paragraphs)
        code = f"<pre>{html.escape(self.code, quote=False)}</pre>" if self.code else ""
        edge = f"border-left:4px solid {COLOURS[self.look]};padding:.2em .8em;margin:.3em 0"
        return f'<div style="{edge}"><strong>{marked(self.title)}</strong>{body}{code}</div>'


def check(exercise_id: str = "", answer: object = _NOTHING) -> Card:
    """Say whether an answer is right and, if not, what is wrong with it and why.

    ``answer`` is the function or the value itself. The result is true when the answer passed.
    """
    exercise = _find(exercise_id)
    if isinstance(exercise, Card):
        return exercise
    if answer is _NOTHING:
        return Card(f'Hand over your answer too: `check("{exercise.id}", {exercise.answer_name})`.', look="failed")
    try:
        verdict = examine(exercise, _ask_here(exercise, answer), seed=0)
    except Exception as error:  # a fault of ours must not cost the learner the cell
        words = f"{type(error).__name__}: {error}"
        return Card(f"The check of {exercise.id} itself failed, and says nothing about your answer.", (words,), "failed")
    if verdict.passed:
        return Card(f"✓ {exercise.id}: passed", tuple(filter(None, [passes.remember(exercise.id)])), "passed")
    next_step = f"Try: {verdict.hint}" if verdict.hint else f'Stuck? `hint("{exercise.id}")`'
    again = verdict.reason != "empty" and _missed.get(exercise.id, _NOTHING) is answer
    _missed[exercise.id] = answer
    same = f"This is the answer of last time. Was the cell above run, and is its name still `{exercise.answer_name}`?"
    before = passes.passed().get(exercise.id, "")[:10]
    kept = f"It stays passed, since {before}: this is about the answer that stands here now."
    paragraphs = [*([same] if again else []), verdict.message, next_step, *([kept] if before else [])]
    return Card(f"✗ {exercise.id}: not yet", tuple(paragraphs), "failed")


def hint(exercise_id: str = "") -> Card:
    """The next of the exercise's hints; each call goes one step further."""
    exercise = _find(exercise_id)
    if isinstance(exercise, Card):
        return exercise
    step = min(_hints_given.get(exercise.id, 0), len(exercise.hints) - 1)
    _hints_given[exercise.id] = step + 1
    last = step + 1 == len(exercise.hints)
    more = f'That was the last hint. `solution("{exercise.id}")` shows a way.' if last else "Run this again for the next one."
    return Card(f"Hint {step + 1} of {len(exercise.hints)}", (exercise.hints[step], more))


def solution(exercise_id: str = "") -> Card:
    """A right answer: at once after a pass; before it, when asked a second time."""
    exercise = _find(exercise_id)
    if isinstance(exercise, Card):
        return exercise
    if exercise.id not in passes.passed() and exercise.id not in _solutions_asked:
        _solutions_asked.add(exercise.id)
        return Card(
            "You have not passed this one yet.",
            (f'Perhaps a hint is enough: `hint("{exercise.id}")`. To see a solution all the same, run this again.',),
        )
    from .solutions import solution_of

    return Card(f"A solution of {exercise.id}", code=solution_of(exercise))


def reply(prediction_id: str, guess: object) -> Card:
    """Answer a prediction that the learner committed to in a lesson: what that guess got right or overlooked."""
    if str(prediction_id) not in predictions():
        return Card(unknown("prediction", prediction_id, predictions()), look="failed")
    prediction = predictions()[str(prediction_id)]
    if guess is ...:
        how = "Put one in place of the `...` above, run that cell, and then this one again."
        return Card("No guess yet.", (f"{how} Even a wrong guess helps you to remember.",))
    guess = guess.strip().lower() if isinstance(guess, str) else guess
    if not isinstance(guess, str) or guess not in prediction.replies:
        choices = ", ".join(f'"{choice}"' for choice in prediction.replies)
        return Card(f"`guess` should be one of {choices}.", (f"It is {guess!r:.80}.",), "failed")
    right = guess == prediction.right
    return Card(
        "✓ As you predicted." if right else "Not what happened.", (prediction.replies[guess],), "passed" if right else "plain"
    )


def _find(exercise_id: object) -> Exercise | Card:
    exercises = catalogue()
    if isinstance(exercise_id, str) and exercise_id in exercises:
        return exercises[exercise_id]
    if exercise_id == "":
        example = next(iter(exercises))
        return Card(f'Which exercise? Its name goes between the brackets, as in `hint("{example}")`.', look="failed")
    return Card(unknown("exercise", exercise_id, exercises), look="failed")


def _ask_here(exercise: Exercise, answer: object) -> Callable:
    """Ask an answer in this process, within a time limit."""
    deadline = time.monotonic() + limits.ANSWER_SECONDS

    def ask(backend, questions, oracle):
        if not exercise.is_function:
            return [record(answer)]
        return respond(answer, questions, backend, oracle, lambda function, arguments: limited(function, arguments, deadline))

    return ask


def limited(function: Callable, arguments: list, deadline: float):
    """Call a function, and end it with TimeLimit when the deadline has passed and Python code is still running."""
    if threading.current_thread() is not threading.main_thread():
        return function(*arguments)  # only the main thread can be interrupted
    lock, state = threading.Lock(), {"done": False, "fired": False}

    def watch():
        time_left = max(deadline - time.monotonic(), 0.1)
        for attempt in range(60):  # an answer may swallow the first interrupt
            if finished.wait(time_left if attempt == 0 else 1.0):
                return
            with lock:
                if state["done"]:
                    return
                state["fired"] = True
                _thread.interrupt_main()
            if attempt == 3:
                print("Your answer does not stop: it is busy in compiled code, or it swallows the interrupt. "
                      "Choose Kernel → Restart in the menu; your cells stay as they are.")  # fmt: skip

    finished = threading.Event()
    threading.Thread(target=watch, daemon=True).start()
    # A process that was started in the background ignores interrupts; while the answer runs, this one must hear ours.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        try:
            return function(*arguments)
        except KeyboardInterrupt:
            if not state["fired"]:
                raise  # the learner pressed stop
        finally:
            with lock:
                state["done"] = True
            finished.set()
        raise TimeLimit(LATE)
    except KeyboardInterrupt:  # fired as the call came back
        if state["fired"]:
            raise TimeLimit(LATE) from None
        raise
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)
