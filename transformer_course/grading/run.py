"""One run of ``transformer-course grade``: what is graded, by which rules, and where the results go."""

import functools
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from transformer_course._util import paths
from transformer_course.runner import limits

from .graded import Correction, Submission
from .submissions.filenames import file_names

ARCHIVE_DIR = "no-longer-there"  # for the pages and results of learners who are no longer among the submissions


@dataclass(frozen=True)
class TimeLimits:
    """Time limits in seconds of processor time: of the learner's process, and of our own work on one answer."""

    cell: float = limits.CELL_SECONDS
    answer: float = limits.ANSWER_SECONDS  # the same as in a notebook
    submission: float = limits.NOTEBOOK_SECONDS
    judging: float = limits.JUDGING_SECONDS
    clock: float = limits.BUSY_SECONDS  # of the submission, in seconds on the clock


@dataclass(frozen=True)
class Run:
    out: Path  # the folder of results
    sheet: str
    points: Mapping[str, float]  # of each exercise, in the sheet's order
    submissions: Sequence[Submission]
    folder: Path = Path()  # contains the files of all submissions
    secret: bytes = b""
    version: str = ""  # of the code that verdicts depend on
    time_limits: TimeLimits = TimeLimits()
    resume: bool = False  # whether it continues from results in ``out``
    corrections: Mapping[str, Mapping[str, Correction]] = field(default_factory=dict)  # by learner and exercise
    others: Sequence[str] = ()  # names of files among the submissions that are not notebooks
    strangers: Sequence[str] = ()  # learners who are not in the teacher's roster
    unused: Sequence[str] = ()  # names in corrections.toml that are not among the submissions

    @functools.cached_property
    def file_names(self) -> dict[str, str]:
        """The name of each learner's files in ``out``, without an extension."""
        return file_names(submission.learner for submission in self.submissions)

    def seed(self, submission: Submission) -> int:
        """Return the seed of a submission's questions: the same every time, and impossible to guess without the secret."""
        return int.from_bytes(hmac.digest(self.secret, submission.digest.encode(), "sha256")[:7], "big")


def grading_version() -> str:
    """Return a hash of the code that verdicts depend on: the exercises, grading, and the code that runs an answer."""
    files = sorted(file for part in ("exercises", "grading", "runner") for file in (paths.PACKAGE / part).rglob("*.py"))
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()
