"""One answer in a learner's process, which the judge asks the questions of its exercise."""

from collections.abc import Callable
from dataclasses import replace

from transformer_course.exercises.exercise import LATE, Exercise
from transformer_course.runner.link import Late
from transformer_course.runner.run import Outcome

from ..sandbox.supervisor import Process
from .conversation import is_message, mapping, read_answers, read_call
from .time_limits import JudgeTimeout


class Missing(Exception):
    """The notebook defined no value with the answer's name."""


class Answer:
    """One answer in a learner's process, ready to be asked the questions of its exercise."""

    def __init__(self, submission, process: Process, exercise: Exercise):
        self.submission, self.process, self.exercise = submission, process, exercise
        self.allowance = submission.allowance(process, submission.time_limits.answer)
        self.late = False

    def ask(self, backend: str, questions: list[list], oracle: Callable) -> list[Outcome] | None:
        """Ask all questions and return the outcomes, as `examine` expects. ``oracle`` computes what an answer calls."""
        asked = questions if self.exercise.is_function else None
        calls = [0] * len(questions)
        with self.submission.process_errors(self.process, self.submission.time_limits.answer):
            try:
                ask = {"name": self.exercise.answer_name, "backend": backend, "questions": asked}
                self.process.send(ask, self.allowance.end)
                message = self._answer_calls(questions, calls, oracle)
            except Late:
                self.late = True
                over = self.submission.has_used_up(self.process)
                stopped = f"Your answer was stopped, because {self.submission.used_up()}." if over else LATE
                return [Outcome(error="TimeLimit", message=stopped)]
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
            except JudgeTimeout:  # the answer asked for too much
                raise Late from None
            self.process.send(outcome.as_data(), self.allowance.end)
        return message
