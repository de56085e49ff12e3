"""One answer in a learner's process: the questions of its exercise go in, outcomes come out."""

from collections.abc import Callable
from dataclasses import replace

from transformer_course.exercises.exercise import Exercise
from transformer_course.runner import limits
from transformer_course.runner.run import Outcome

from ..sandbox.supervisor import Process
from .protocol import is_message, mapping, process_errors, read_answers, read_call
from .time_limits import Budget, JudgeTimeout, TooLong

COMPUTED = "Your function was stopped after {seconds:g} seconds of processor time. Is there a loop that never ends?"
WAITED = (
    "Your function was stopped after it had waited for {seconds:g} seconds without computing. "
    "Does it sleep, or wait for something that never comes?"
)
ASKED_TOO_MUCH = "Your function was stopped: the calls in it took too long to compute. Call the function with less."


class Missing(Exception):
    """The notebook defined no value with the answer's name."""


class _AskedTooMuch(Exception):
    """We were still computing the calls of an answer when our own time was used up."""


class Answer:
    """One answer in a learner's process, ready to be asked the questions of its exercise."""

    def __init__(self, exercise: Exercise, process: Process, budget: Budget):
        self.exercise, self.process, self.budget = exercise, process, budget
        self.allowance = budget.allowance(process, budget.limits.answer)
        self.late = False

    def ask(self, backend: str, questions: list[list], oracle: Callable) -> list[Outcome] | None:
        """Ask all questions and return the outcomes, as `examine` expects. ``oracle`` computes what an answer calls."""
        asked = questions if self.exercise.is_function else None
        calls = [0] * len(questions)
        with process_errors(self.process, self.budget, self.budget.limits.answer):
            try:
                ask = {"name": self.exercise.answer_name, "backend": backend, "questions": asked}
                self.allowance.send(ask)
                message = self._answer_calls(questions, calls, oracle)
            except (TooLong, _AskedTooMuch) as late:
                self.late = True
                return [Outcome(error="TimeLimit", message=self._stopped(late))]
            if is_message(message, "missing", True):
                raise Missing
            outcomes = read_answers(message, backend, asked)
        if outcomes is None:
            return None
        return [replace(outcome, calls=count) for outcome, count in zip(outcomes, calls or [0], strict=False)]

    def _answer_calls(self, questions: list[list], calls: list[int], oracle: Callable) -> dict:
        """Compute the calls that the process sends, and count them, until a different message comes; return that one."""
        while "call" in (message := mapping(self.allowance.receive())):
            index, arguments = read_call(message["call"], questions, calls)
            calls[index] += 1
            try:
                outcome = oracle(index, arguments)
            except JudgeTimeout:
                raise _AskedTooMuch from None
            self.allowance.send(outcome.as_data())
        return message

    def _stopped(self, late: Exception) -> str:
        if isinstance(late, _AskedTooMuch):
            return ASKED_TOO_MUCH
        if over := self.budget.used_up(self.process):
            return f"Your answer was stopped, because {over}."
        seconds = self.budget.limits.answer
        return WAITED.format(seconds=limits.CLOCK_FACTOR * seconds) if late.waited else COMPUTED.format(seconds=seconds)
