"""One submission, from its cells to its verdicts: a learner's process runs the code, and its answers are judged here.

Nothing that the process sends is trusted. Each message is checked (see ``protocol``), a message that breaks the protocol
ends the conversation, and every wait has a deadline.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from transformer_course.exercises.exercise import Exercise, Verdict, examine
from transformer_course.runner import limits

from ..errors import Unavailable
from ..graded import Graded
from ..run import TimeLimits
from ..sandbox.supervisor import Process, Supervisor
from ..submissions.notebook_file import Cell
from .answer import Answer, Missing
from .earlier_parts import earlier_parts
from .protocol import MEMORY, NO_MEMORY, ProcessLost, is_message, process_errors, read_end, require
from .time_limits import Budget, JudgeTimeout, TooBusy, alarm

NOT_GRADED = "not-graded"  # the tag of a cell that takes long and defines no answer
ONLY_ASKS = re.compile(r"\s*(check|hint|solution)\((\"[\w.]+\"|'[\w.]+')(, *\w+)?\)\s*")  # a cell that only asks for feedback
RUN_ALL = "To see what your teacher sees, choose Kernel → Restart Kernel and Run All Cells."
NO_LINE_RAN = "Python does not run any part of a cell that has a syntax error, so there was nothing to grade."
SYNTAX_ERRORS = ("SyntaxError", "IndentationError", "TabError")
NOT_PROVIDED = ("ModuleNotFoundError", "FileNotFoundError", "EOFError")  # errors of cells that work on the learner's computer
LEAVE_OUT = (
    "Remove anything the sheet does not need. During grading there are only the course's packages: no other packages or "
    "files, no network, and nobody to answer `input()`."
)
TOO_MUCH_MEMORY = f"This needed {MEMORY}, which is all that code has during grading."
TOO_BUSY = (
    "The grader's computer was too busy to run this notebook to its end within {minutes:.0f} minutes. The answers that it did "
    "not reach have no mark. That is not your fault: your teacher should grade again when the computer is less busy."
)


def grade(
    cells: Sequence[Cell], exercises: Sequence[Exercise], seed: int, supervisor: Supervisor, time_limits: TimeLimits
) -> Graded:
    """Run a notebook's cells and judge its answers. Raises Unavailable if this computer cannot provide the sandbox."""
    judge = Judge(cells, exercises, seed, supervisor, time_limits)
    judge.judge_all()
    notes = [note for number in sorted(judge.notes) for note in judge.notes[number]]
    verdicts = {exercise.id: judge.verdicts[exercise.id] for exercise in exercises}
    notes += _assigned_again(cells, [each for each in exercises if verdicts[each.id] and not verdicts[each.id].passed])
    answers = {cell.exercise: cell.source[: limits.TEXT_CHARACTERS] for cell in cells if cell.exercise in verdicts}
    return Graded(verdicts, notes, cells_failed=bool(judge.failures), answers=answers)


def _assigned_again(cells: Sequence[Cell], missed: Sequence[Exercise]) -> Iterator[str]:
    """Say where cells below that of an answer give its name another value: the page shows the answer, which may be right."""
    answered = {cell.exercise: number for number, cell in enumerate(cells, 1)}
    for exercise in missed:
        name, first = exercise.answer_name, answered.get(exercise.id, len(cells))
        gives = re.compile(rf"^(?:{name} *=(?!=)|(?:def|class) {name}\b)", re.MULTILINE)
        if again := [number for number, cell in enumerate(cells[first:], first + 1) if gives.search(cell.source)]:
            yield f"Code cell {again[-1]} gives `{name}` another value. The graded value is the one after the last cell."


@dataclass(frozen=True)
class _Failure:
    """What happened to a cell that failed: the rest of a sentence that starts with the cell."""

    what: str
    error: str = ""  # the class of the error that it raised
    reason: str = "missing"  # of the verdict on its answer


class Judge:
    """The cells still to run and the exercises still to judge, and what is known so far."""

    def __init__(self, cells, exercises, seed, supervisor, time_limits):
        self.cells = {
            number: cell
            for number, cell in enumerate(cells, 1)
            if NOT_GRADED not in cell.tags and not ONLY_ASKS.fullmatch(cell.source)
        }
        self.left, self.parts = list(exercises), earlier_parts(exercises)
        self.seed, self.supervisor = seed, supervisor
        self.verdicts: dict[str, Verdict | None] = {}
        self.notes: dict[int, list[str]] = {}  # for the learner, by cell
        self.failures: dict[str | None, _Failure] = {}  # of cells, by the exercise that they answer
        self.budget = Budget(time_limits)

    def judge_all(self) -> None:
        """Judge all exercises. If a process is lost in a cell or an answer, a new one runs the notebook without it."""
        try:
            while self.left and not self.budget.used_up():
                with self.supervisor.process() as process:
                    if self._run_cells(process):
                        while self.left and self._judge(process, self.left.pop(0)):
                            pass
                self.budget.charge(process)
            verdict = Verdict(False, "timeout", f"This exercise was not reached, because {self.budget.used_up()}.")
        except TooBusy:
            verdict = None
            self.notes.setdefault(0, []).append(TOO_BUSY.format(minutes=self.budget.limits.clock / 60))
        self.verdicts |= {exercise.id: verdict for exercise in self.left}

    def _run_cells(self, process: Process) -> bool:
        """Run all cells; return whether the process survived. If it did not, the cell that was running is removed."""
        running, seconds = next(iter(self.cells), 0), self.budget.limits.cell
        try:
            with process_errors(process, self.budget, seconds):
                cells = [[number, cell.source] for number, cell in self.cells.items()]
                self.budget.allowance(process, seconds).send({"cells": cells, "parts": self.parts})
                for running in list(self.cells):
                    self._note_end(running, self.budget.allowance(process, seconds).receive())
                require(is_message(self.budget.allowance(process, seconds).receive(), "ready", True))
        except ProcessLost as lost:
            what = f"was stopped: {lost}." if lost.reason == "timeout" else f"stopped the run: {lost}."
            self.notes[running] = [f"{self._cell(running)} {what} It was skipped. All other cells ran, and they count."]
            if running in self.cells:
                reason = "missing" if lost.reason == "ended" else lost.reason
                self.failures[self.cells.pop(running).exercise] = _Failure(what, reason=reason)
            return False
        return True

    def _note_end(self, number: int, message) -> None:
        """Note what the process reports about a cell that has ended."""
        error, remarks = read_end(message, number)
        self.notes[number] = [f"{self._cell(number)}: {remark[:200]}" for remark in remarks[:5]]
        if error:
            what = f"raised {error[0]}: {error[1]}" if error[1] else f"raised {error[0]}."
            memory = NO_MEMORY.search(what) is not None
            what = f"{what.rstrip('.')}. {TOO_MUCH_MEMORY}" if memory else what
            self.failures[self.cells[number].exercise] = _Failure(what, error[0], "memory" if memory else "missing")
            self.notes[number].append(f"{self._cell(number)} {what}")

    def _cell(self, number: int) -> str:
        lines = self.cells[number].source.strip().splitlines() if number in self.cells else []
        return f"Code cell {number} (`{lines[0][:40]}`)" if lines else f"Code cell {number}"

    def _judge(self, process: Process, exercise: Exercise) -> bool:
        """Judge one answer; return whether the process can be asked for the next one."""
        answer = Answer(exercise, process, self.budget)
        try:
            with alarm(self.budget.limits.judging):
                verdict = examine(exercise, answer.ask, self.seed)
            verdict = replace(verdict, message=verdict.message[: limits.TEXT_CHARACTERS], comparison=None)  # sentences alone
            if verdict.reason == "error" and NO_MEMORY.search(verdict.message):
                message = f"{verdict.message.rstrip('.')}. {TOO_MUCH_MEMORY}"
                verdict = replace(verdict, reason="memory", message=message)
            self.verdicts[exercise.id] = verdict
        except ProcessLost as lost:
            self.verdicts[exercise.id] = Verdict(False, lost.reason, f"Your answer stopped the run: {lost}.")
            return False
        except Missing:
            self.verdicts[exercise.id] = self._missing(exercise)
        except (Unavailable, TooBusy):
            self.verdicts[exercise.id] = None
            raise
        except (Exception, JudgeTimeout):
            self.verdicts[exercise.id] = None  # a bug on our side, or an answer that nobody thought of: a teacher must look
            return False
        return not answer.late

    def _missing(self, exercise: Exercise) -> Verdict:
        message = f"After all cells had run, `{exercise.answer_name}` did not exist"
        failure = self.failures.get(exercise.id)
        if failure is None:
            return Verdict(False, "missing", f"{message}. Did you rename it, or delete its cell?", RUN_ALL)
        hint = LEAVE_OUT if failure.error in NOT_PROVIDED else RUN_ALL
        if failure.error in SYNTAX_ERRORS:
            hint = f"{NO_LINE_RAN} {hint}"
        return Verdict(False, failure.reason, f"{message}, because its cell {failure.what}", hint)
