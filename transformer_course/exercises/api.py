"""The functions that learners call in a notebook: check, hint, solution, reply. Each returns a card and never raises."""

import _thread
import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable

from transformer_course.runner import limits
from transformer_course.runner.outcome import record
from transformer_course.runner.run import TimeLimit, respond

from . import passes
from .capped_output import CappedOutput
from .card import Card
from .catalogue import catalogue, predictions, unknown
from .exercise import LATE, Exercise, examine

_NOTHING = object()
_hints_given: dict[str, int] = {}
_missed: dict[str, object] = {}  # the last wrong answer to each exercise
_solutions_asked: set[str] = set()


def check(exercise_id: str = "", answer: object = _NOTHING) -> Card:
    """Check an answer and, if it is wrong, say what is wrong with it and why.

    ``answer`` is the function or the value itself. The result is true if the answer passed.
    """
    exercise = _find(exercise_id)
    if isinstance(exercise, Card):
        return exercise
    if answer is _NOTHING:
        return Card(f'Pass your answer as well: `check("{exercise.id}", {exercise.answer_name})`.', look="failed")
    try:
        verdict = examine(exercise, _ask_here(exercise, answer), seed=0)
    except Exception as error:  # a bug of ours must not break the learner's cell
        reason = f"{type(error).__name__}: {error}"
        return Card(f"The check of {exercise.id} itself failed. This says nothing about your answer.", (reason,), "failed")
    if verdict.passed:
        return Card(f"✓ {exercise.id}: passed", tuple(filter(None, [passes.remember(exercise.id)])), "passed")
    next_step = f"Try: {verdict.hint}" if verdict.hint else f'Stuck? `hint("{exercise.id}")`'
    again = verdict.reason != "empty" and _missed.get(exercise.id, _NOTHING) is answer
    _missed[exercise.id] = answer
    same = f"This is the same answer as last time. Did you run the cell above, and is its name still `{exercise.answer_name}`?"
    before = passes.passed().get(exercise.id, "")[:10]
    kept = f"You passed this exercise on {before}, and it stays passed. This message is about your present answer."
    paragraphs = [*([same] if again else []), verdict.message, next_step, *([kept] if before else [])]
    return Card(f"✗ {exercise.id}: not yet", tuple(paragraphs), "failed")


def hint(exercise_id: str = "") -> Card:
    """Show the next hint for an exercise; each call goes one step further."""
    exercise = _find(exercise_id)
    if isinstance(exercise, Card):
        return exercise
    step = min(_hints_given.get(exercise.id, 0), len(exercise.hints) - 1)
    _hints_given[exercise.id] = step + 1
    more = "Run this cell again for the next hint."
    if step + 1 == len(exercise.hints):
        more = f'That was the last hint. `solution("{exercise.id}")` shows a solution.'
    return Card(f"Hint {step + 1} of {len(exercise.hints)}", (exercise.hints[step], more))


def solution(exercise_id: str = "") -> Card:
    """Show a right answer: at once after a pass; before it, on the second request."""
    exercise = _find(exercise_id)
    if isinstance(exercise, Card):
        return exercise
    if exercise.id not in passes.passed() and exercise.id not in _solutions_asked:
        _solutions_asked.add(exercise.id)
        return Card(
            "You haven't passed this exercise yet.",
            (f'A hint may be enough: `hint("{exercise.id}")`. To see a solution anyway, run this cell again.',),
        )
    from .solutions import solution_of

    return Card(f"A solution to {exercise.id}", code=solution_of(exercise))


def reply(prediction_id: str, guess: object) -> Card:
    """Respond to the learner's prediction in a lesson: what that guess got right or overlooked."""
    if str(prediction_id) not in predictions():
        return Card(unknown("prediction", prediction_id, predictions()), look="failed")
    prediction = predictions()[str(prediction_id)]
    if guess is ...:
        how = "Replace the `...` above with your guess, run that cell, then run this one again."
        return Card("No guess yet.", (f"{how} Even a wrong guess helps you remember.",))
    guess = guess.strip().lower() if isinstance(guess, str) else guess
    if not isinstance(guess, str) or guess not in prediction.replies:
        choices = ", ".join(f'"{choice}"' for choice in prediction.replies)
        return Card(f"`guess` should be one of {choices}.", (f"Got {guess!r:.80}.",), "failed")
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
        return Card(f'Which exercise? Put its name in the brackets, as in `hint("{example}")`.', look="failed")
    return Card(unknown("exercise", exercise_id, exercises), look="failed")


def _ask_here(exercise: Exercise, answer: object) -> Callable:
    """Run an answer in this process, within a time limit."""
    deadline, output = time.monotonic() + limits.ANSWER_SECONDS, CappedOutput(sys.stdout)

    def ask(backend, questions, oracle):
        if not exercise.is_function:
            return [record(answer)]
        with contextlib.redirect_stdout(output):
            return respond(answer, questions, backend, oracle, lambda f, arguments: limited(f, arguments, deadline))

    return ask


def limited(function: Callable, arguments: list, deadline: float):
    """Call a function; interrupt it with TimeLimit if Python code is still running at the deadline."""
    if threading.current_thread() is not threading.main_thread():
        return function(*arguments)  # only the main thread can be interrupted
    lock, state = threading.Lock(), {"done": False, "fired": False}

    def watch():
        time_left = max(deadline - time.monotonic(), 0.1)
        for attempt in range(60):  # an answer may catch the first interrupt
            if finished.wait(time_left if attempt == 0 else 1.0):
                return
            with lock:
                if state["done"]:
                    return
                state["fired"] = True
                _thread.interrupt_main()
            if attempt == 3:
                print("Your answer cannot be stopped: it is busy in compiled code, or it catches the interrupt. "
                      "Choose Kernel → Restart Kernel in the menu. Your cells keep their contents.")  # fmt: skip

    finished = threading.Event()
    threading.Thread(target=watch, daemon=True).start()
    # A process that was started in the background ignores interrupts; while the answer runs, it must receive ours.
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
