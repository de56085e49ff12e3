"""What ``grade`` prints at the end: how many marks there are, and the names that a teacher should look at."""

import re
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from .console import quantity, stopping_at

if TYPE_CHECKING:
    from transformer_course.grading.grade_class import GradedClass
    from transformer_course.grading.graded import Graded, Submission
    from transformer_course.grading.reports.moodle import Worksheet

COURSE_FILES = re.compile(r"(\d\d_sheet|B\d+)_|(exercises|notebooks|docs)$")  # names of the course's files and folders
MISSING = ("missing", "empty", "timeout", "memory")  # reasons of a verdict for which an answer was missing or timed out
LISTED = 10  # names per line; the others are only counted


def _print(console: Console, text: str) -> None:
    """Print text as it is, whatever looks like a style or an emoji in it: names are learners' own words."""
    console.print(text, markup=False, emoji=False)


def print_results(console: Console, graded_class: "GradedClass", unmarked: list[str], of_a_class: bool) -> None:
    """Print how many have a mark, who has none, and whose submission needs a look."""
    kept = f", {graded_class.kept} of them from earlier results" if graded_class.kept else ""
    count = len(graded_class.results)
    _print(console, f"sheet {graded_class.run.sheet}: marks for {count - len(unmarked)} of {count} learners{kept}")
    if graded_class.outdated:
        _print(console, f"graded again, because the course has changed since the last run: {graded_class.outdated}")
    print_names(console, {"no mark (grading.log says why)": unmarked, **_to_check(graded_class, of_a_class)})


def _to_check(graded_class: "GradedClass", of_a_class: bool) -> dict[str, list[str]]:
    """Return the learners whose submissions a teacher should look at, with the reason."""
    from transformer_course.grading.reports.report import identical
    from transformer_course.grading.submissions.class_list import late_by_download

    submissions = [submission for submission, _ in graded_class.results]
    late = "late"
    if late_by_download(submissions):
        late += (
            " (all of them; perhaps the files have the time at which you downloaded or unpacked them, so compare the column "
            "changed in grades.csv with the submission times on your platform)"
        )
    unlikely = [each.learner for each in submissions if of_a_class and COURSE_FILES.match(each.learner)]
    return {
        "unlikely names for learners (give the folder of the whole class, or add --one for one learner's folder)": unlikely,
        "several attempts, of which the newest was graded": [
            each.learner for each in submissions if each.attempts > 1 and not each.tied
        ],
        "several attempts with the same time; the last in name order was graded": [
            each.learner for each in submissions if each.tied
        ],
        "an answer was missing or timed out (an empty cell, a typo, a renamed variable, an endless loop?)": [
            each.learner
            for each, result in graded_class.results
            if any(verdict and verdict.reason in MISSING for verdict in result.verdicts.values())
        ],
        late: [each.learner for each in submissions if each.days_late],
        "identical notebooks, byte for byte (grading.log lists the groups)": [*chain.from_iterable(identical(submissions))],
        "marks or comments from corrections.toml": [each.learner for each in submissions if each.corrections],
        "of these, with a mark of their own that is below what the answer earns (was it for an earlier notebook?)": [
            each.learner for each, result in graded_class.results if _lowered(each, result, graded_class.run.points)
        ],
        "see grading.log about": [
            each.learner for each, result in graded_class.results if each.needs_review or result.cells_failed
        ],
    }


def _lowered(submission: "Submission", graded: "Graded", points: Mapping[str, float]) -> bool:
    """Whether the teacher has set a mark of the learner's own below what the answer earns."""
    own = {name: each.points for name, each in submission.corrections.items() if not (each.for_all or each.points is None)}
    earned = {name: verdict.score * points[name] for name, verdict in graded.verdicts.items() if verdict}
    return any(set_to < earned.get(name, 0) for name, set_to in own.items())


def left_out(graded_class: "GradedClass") -> dict[str, list[str]]:
    """Return the files and learners that are not in these results or not on the roster, with the reason."""
    return {
        "could not be made because of a fault in the course (marks are not affected; see grading.log)": graded_class.failed,
        "not a notebook, so not graded": graded_class.run.others,
        "not on the roster": graded_class.run.strangers,
        "no longer among the submissions, so moved to no-longer-there": graded_class.gone,
        "in corrections.toml but not among the submissions, so ignored": graded_class.run.unused,
    }


def print_names(console: Console, names_by_reason: dict[str, list[str]]) -> None:
    """Print a line of names for each reason that has any."""
    from transformer_course.grading.sanitize import plain

    for reason, some in names_by_reason.items():
        if some:
            more = f" and {len(some) - LISTED} more" if len(some) > LISTED else ""
            separator = "; " if any("," in name for name in some) else ", "
            _print(console, f"{reason}: {separator.join(plain(name, 60) for name in some[:LISTED])}{more}")


def print_files(console: Console, out: Path) -> None:
    """Print where the results are."""
    contents = {"marks": "grades.csv", "feedback pages": "feedback", "class summary": "summary.html", "log": "grading.log"}
    for content, name in contents.items():
        if (out / name).exists():  # otherwise, `left_out` has said why
            _print(console, f"{content}: {out / name}")


def delete_old_moodle_files(console: Console, out: Path, replaced: bool) -> None:
    """Delete the files for Moodle that an earlier run has written, because their marks may no longer be right."""
    from transformer_course.grading.reports import moodle

    old = [path for path in (out / moodle.WORKSHEET, out / moodle.FEEDBACK) if path.exists()]
    for path in old:
        path.unlink()
    if old and not replaced:
        _print(console, f"the last run's files for Moodle were deleted: {' and '.join(path.name for path in old)}")


def write_moodle_files(console: Console, worksheet: "Worksheet", graded_class: "GradedClass") -> None:
    """Write the files for Moodle, and print where they are and who is not in them."""
    from transformer_course.grading.errors import GradingError
    from transformer_course.grading.reports import moodle

    out = graded_class.run.out
    with stopping_at(GradingError, OSError):
        filled, doubtful = moodle.write(graded_class.run, worksheet, graded_class.results)
    _print(console, f"Moodle worksheet, {quantity(filled, 'grade')} (maximum {worksheet.most}): {out / moodle.WORKSHEET}")
    _print(console, f"Moodle feedback files: {out / moodle.FEEDBACK}")
    print_names(console, {f"left out of the Moodle files ({reason})": some for reason, some in doubtful.items()})
