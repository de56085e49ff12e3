"""One submission, from its cells to its verdicts: the learner's code answers elsewhere, and what it says is judged here.

Nothing that a learner's process says is believed, but for the values that it answers with: what stands in a frame is
checked, what is not as agreed ends the conversation, and a deadline stands behind every wait.
"""

import re
import signal
import time
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from transformer_course.exercises.exercise import LATE, Exercise, Verdict, examine
from transformer_course.runner import limits
from transformer_course.runner.link import Late
from transformer_course.runner.run import Outcome
from transformer_course.runner.wire import Proxy, WireError

from ..errors import Unavailable
from ..graded import Graded
from ..sandbox.supervisor import Boss, Ended, Process
from ..submissions.notebook_file import Cell
from .conversation import Lost, agreed, how, mapping, read_end, read_outcome, says

SKIPPED = "not-graded"  # the tag of a cell that takes long and makes no answer
ASKS = re.compile(r"\s*(check|hint|solution)\((\"[\w.]+\"|'[\w.]+')(, *\w+)?\)\s*")  # a cell that asks us, and makes nothing
STILL = "it was still running after"
RUN_ALL = "Kernel → Restart Kernel and Run All Cells shows what your teacher gets."
ELSEWHERE = ("ModuleNotFoundError", "FileNotFoundError", "EOFError")  # what a cell may raise that has run on the learner's own
ALONE = (
    "Leave out what the sheet does not need: while it is graded there are no packages but the course's, no other files, no "
    "network, and nobody who answers `input()`."
)


@dataclass(frozen=True)
class Patience:
    """Seconds that a learner's code may take."""

    cell: float = limits.CELL_SECONDS
    answer: float = limits.ANSWER_SECONDS  # as in the notebook
    submission: float = limits.NOTEBOOK_SECONDS
    judging: float = limits.JUDGING_SECONDS  # of our own, for one answer


class Untold(KeyboardInterrupt):
    """An answer that our own side could not judge in time: an interrupt, which what asks our own functions lets through."""


def grade(cells: Sequence[Cell], exercises: Sequence[Exercise], seed: int, boss: Boss, patience: Patience) -> Graded:
    """Run a notebook's cells and judge its answers. Raises Unavailable where the locks cannot be had."""
    submission = _Submission(cells, exercises, seed, boss, patience)
    submission.grade()
    notes = [note for number in sorted(submission.notes) for note in submission.notes[number]]
    verdicts = {exercise.id: submission.verdicts[exercise.id] for exercise in exercises}
    return Graded(verdicts, notes, cells_failed=bool(submission.failed))


class _Submission:
    def __init__(self, cells, exercises, seed, boss, patience):
        self.cells = {
            number: cell
            for number, cell in enumerate(cells, 1)
            if SKIPPED not in cell.tags and not ASKS.fullmatch(cell.source)
        }
        self.left = list(exercises)
        self.seed, self.boss, self.patience = seed, boss, patience
        self.verdicts: dict[str, Verdict | None] = {}
        self.notes: dict[int, list[str]] = {}
        self.failed: dict[str | None, str] = {}  # what became of the cells that failed, by the exercise that is theirs
        self.end = time.monotonic() + patience.submission

    def grade(self) -> None:
        """A process that is lost in a cell or an answer is replaced by a fresh one that leaves this out."""
        while self.left:
            if time.monotonic() >= self.end:
                return self._give_up()
            with self.boss.process() as process:
                if self._run_cells(process):
                    while self.left and self._ask(process, self.left.pop(0)):
                        pass
        return None

    def _run_cells(self, process: Process) -> bool:
        """Whether all cells came to an end. The one that did not will be left out."""
        running = next(iter(self.cells), 0)
        try:
            with self._conversation(process, self.patience.cell):
                process.send({"cells": [[number, cell.source] for number, cell in self.cells.items()]}, self.end)
                for running in list(self.cells):
                    self.notes[running] = self._said(running, process.receive(self._within(self.patience.cell)))
                agreed(says(process.receive(self._within(self.patience.cell)), "ready", True))
        except Lost as lost:
            self.notes[running] = [
                f"{self._cell(running)} ended the run: {lost}. It was left out; all else was run, and counts."
            ]
            if running in self.cells:
                self.failed[self.cells.pop(running).exercise] = f"ended the run: {lost}."
            return False
        return True

    def _said(self, number: int, said) -> list[str]:
        """What to tell about a cell that came to an end."""
        error, remarks = read_end(said, number)
        notes = [f"{self._cell(number)}: {remark[:200]}" for remark in remarks[:5]]
        if error:
            self.failed[self.cells[number].exercise] = f"raised {error}"
        return notes + ([f"{self._cell(number)} raised {error}"] if error else [])

    def _cell(self, number: int) -> str:
        lines = self.cells[number].source.strip().splitlines() if number in self.cells else []
        return f"Code cell {number} (`{lines[0][:40]}`)" if lines else f"Code cell {number}"

    def _ask(self, process: Process, exercise: Exercise) -> bool:
        """Judge one answer; whether the process can be asked for the next."""
        asking = _Asking(self, process, exercise)
        try:
            with _alarm(self.patience.judging + self.patience.answer):
                verdict = examine(exercise, asking.ask, self.seed)
            self.verdicts[exercise.id] = replace(verdict, message=verdict.message[: limits.TEXT_CHARACTERS])
        except Lost as lost:
            self.verdicts[exercise.id] = Verdict(False, "ended", f"Your answer ended the run: {lost}.")
            return False
        except _Missing:
            self.verdicts[exercise.id] = self._missing(exercise)
        except Unavailable:
            raise
        except (Exception, Untold):
            self.verdicts[exercise.id] = None  # a fault of ours, or something that nobody thought of: a teacher must look
            return False
        return not asking.late

    def _missing(self, exercise: Exercise) -> Verdict:
        message = f"When all cells had run, there was no `{exercise.answer_name}`"
        if exercise.id not in self.failed:
            return Verdict(False, "missing", f"{message}. Was it renamed, or its cell deleted?", RUN_ALL)
        failed = self.failed[exercise.id]
        elsewhere = failed.startswith(tuple(f"raised {error}:" for error in ELSEWHERE))
        reason = "timeout" if failed.startswith(f"ended the run: {STILL}") else "missing"
        return Verdict(False, reason, f"{message}, since its own cell {failed}", ALONE if elsewhere else RUN_ALL)

    def _give_up(self) -> None:
        message = f"It was not asked for any more: {self.over()}."
        for exercise in self.left:
            self.verdicts[exercise.id] = Verdict(False, "timeout", message)

    def over(self) -> str:
        return f"the notebook had used up its {self.patience.submission:.0f} seconds"

    def _within(self, seconds: float) -> float:
        return min(time.monotonic() + seconds, self.end)

    @contextmanager
    def _conversation(self, process: Process, seconds: float):
        """Whatever goes wrong on the other side is a ``Lost`` with its reason."""
        try:
            yield
        except Late:
            over = time.monotonic() >= self.end
            raise Lost(self.over() if over else f"{STILL} {seconds:g} seconds") from None
        except Ended as end:
            raise Lost(how(end.code)) from None
        except (WireError, MemoryError):  # what takes all memory to be read is no answer either
            raise Lost("it said something that no answer is") from None


class _Missing(Exception):
    """The notebook made nothing of the answer's name."""


class _Asking:
    """Puts one exercise's questions to a process."""

    def __init__(self, submission: _Submission, process: Process, exercise: Exercise):
        self.submission, self.process, self.exercise = submission, process, exercise
        self.deadline = submission._within(submission.patience.answer)
        self.late = False

    def ask(self, backend: str, questions: list[list], oracle) -> list[Outcome] | None:
        exercise, calls = self.exercise, [0] * len(questions)
        ask = {"name": exercise.answer_name, "backend": backend, "questions": questions if exercise.is_function else None}
        with self.submission._conversation(self.process, self.submission.patience.answer):
            try:
                self.process.send(ask, self.deadline)
                while "call" in (said := mapping(self.process.receive(self.deadline))):
                    place, arguments = self._call(said["call"], questions, calls)
                    calls[place] += 1
                    try:
                        given = oracle(place, arguments)
                    except Untold:  # the answer asked for it
                        raise Late from None
                    self.process.send(given.as_data(), self.deadline)
                if says(said, "missing", True):
                    raise _Missing
                agreed(said.keys() == {"answers"})
                if said["answers"] is None:
                    agreed(backend == "torch")
                    return None
                expected = len(questions) if exercise.is_function else 1
                agreed(isinstance(said["answers"], list) and 1 <= len(said["answers"]) <= expected)
                outcomes = [read_outcome(answer) for answer in said["answers"]]
                agreed(len(outcomes) == expected or outcomes[-1].error == "NotAFunction")
                for outcome, question in zip(outcomes, questions, strict=False):
                    agreed(outcome.mutated_argument is None or outcome.mutated_argument < len(question))
            except Late:
                self.late = True
                over = time.monotonic() >= self.submission.end
                message = f"Your answer was stopped: {self.submission.over()}." if over else LATE
                return [Outcome(error="TimeLimit", message=message)]
        return [replace(outcome, calls=count) for outcome, count in zip(outcomes, calls or [0], strict=False)]

    def _call(self, said, questions: list[list], calls: list[int]) -> tuple[int, list]:
        """A call of the function that stays here, if it is one that may be made."""
        agreed(isinstance(said, list) and len(said) == 2)
        place, arguments = said
        agreed(type(place) is int and 0 <= place < len(calls) and isinstance(arguments, list))
        agreed(any(isinstance(value, Proxy) for value in questions[place]))
        agreed(calls[place] < limits.CALLS)
        return place, arguments


@contextmanager
def _alarm(seconds: float):
    """Raises Untold when our own side takes too long: learners choose what it computes with."""

    def ring(*_):
        raise Untold

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
