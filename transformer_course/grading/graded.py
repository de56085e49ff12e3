"""A submission and the result of grading it, as plain data that can be stored, sent and displayed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from transformer_course.exercises.exercise import Verdict


@dataclass(frozen=True)
class Correction:
    """What a teacher says of an exercise: the points, whatever the verdict is, and why; or, without points, a comment."""

    points: float | None
    why: str
    for_all: bool = False  # whether it stands under "*", for everybody


@dataclass(frozen=True)
class Submission:
    """One learner's notebook as it was found. ``file`` is None if there is no notebook that can be read."""

    learner: str  # the name of the learner's folder, or of the notebook without its extension
    file: Path | None
    problem: str = ""  # why there is nothing to grade, in a sentence for the learner
    name: str = ""  # the file's path within the folder of submissions
    log: Sequence[str] = ()  # sentences for the teacher: which of several attempts was chosen, what was skipped
    digest: str = ""  # SHA-256 of the file as it was found, in hexadecimal
    changed: float | None = None  # when the file was last changed, in seconds since 1970
    attempts: int = 1  # how many of the learner's notebooks are attempts at the graded sheet
    tied: bool = False  # other attempts have the same time, so the name decided
    needs_review: bool = False  # something could not be opened or read, or the name decided between attempts
    participant: str = ""  # the number by which Moodle knows the learner, if it is known
    number: str = ""  # the learner's number in the teacher's roster, if there is one
    days_late: int = 0  # how many days have begun since the deadline, which extra hours move
    in_extra_hours: bool = False  # after the deadline, but within the learner's extra hours
    deducted: float = 0.0  # the fraction of the sheet's points that this costs
    other_sheets: Sequence[str | None] = ()  # of skipped notebooks; None if it is not a sheet of the course
    corrections: Mapping[str, Correction] = field(default_factory=dict)  # by exercise


@dataclass(frozen=True)
class Graded:
    """The result of one submission.

    ``verdicts`` maps each exercise of the sheet to its verdict, in the sheet's order. None means that there is no verdict,
    which is never the same as no points: the grader could not judge the exercise, or ``problem`` says why it judged none.
    """

    verdicts: Mapping[str, Verdict | None]
    notes: Sequence[str] = field(default_factory=list)  # sentences for the learner about the run, such as a cell that failed
    problem: str = ""  # why nothing was graded, in a sentence for the learner
    cells_failed: bool = False  # whether any cell raised an error or stopped the run
    answers: Mapping[str, str] = field(default_factory=dict)  # the code of each answer's cell, by exercise
