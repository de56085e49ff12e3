"""What grading one submission gives: plain data, which can be stored, sent and shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from transformer_course.exercises.exercise import Verdict


@dataclass(frozen=True)
class Correction:
    """What a teacher gives for an exercise, whatever the verdict is."""

    points: float
    why: str


@dataclass(frozen=True)
class Submission:
    """One learner's notebook as it was found; ``file`` is None where there is none that can be read."""

    learner: str  # the name of the learner's folder, or of the notebook without its ending
    file: Path | None
    problem: str = ""  # why there is nothing to grade, in a sentence for the learner
    name: str = ""  # the file's, from the folder of submissions on
    log: Sequence[str] = ()  # sentences for the teacher: which of several attempts was taken, what was passed over
    digest: str = ""  # SHA-256 of the file as it was found, in hexadecimal digits
    changed: float | None = None  # when the file was changed, in seconds since 1970
    attempts: int = 1  # how many of the learner's notebooks are of the graded sheet
    tied: bool = False  # other attempts have the same time, so that the name has decided
    doubtful: bool = False  # something could not be opened or read, or the name has decided
    other_sheets: Sequence[str | None] = ()  # of the notebooks passed over since they are of another sheet, or of none
    corrections: Mapping[str, Correction] = field(default_factory=dict)  # by exercise


@dataclass(frozen=True)
class Graded:
    """The result of one submission.

    ``verdicts`` holds the sheet's exercises in their order. None stands where there is no verdict, which is never the same as
    no points: an exercise that the grader could not judge, or all of them where ``problem`` says why.
    """

    verdicts: Mapping[str, Verdict | None]
    notes: Sequence[str] = field(default_factory=list)  # sentences for the learner about the run: a cell that failed, a plot
    problem: str = ""  # why nothing of it was graded, in a sentence for the learner
    cells_failed: bool = False  # whether any cell raised an error or ended the run
