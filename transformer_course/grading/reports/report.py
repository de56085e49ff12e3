"""Write the reports on a class: its tables, a page for each learner, a page about the class, and the log."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from transformer_course._util.files import write_whole

from ..graded import Graded, Submission
from ..points import marks
from ..run import ARCHIVE_DIR, Run
from ..sanitize import plain, sentences
from ..submissions.filenames import NAME_CHARACTERS, look_alikes
from .feedback_pages import feedback, overview, short_page
from .summary import chart, summarise
from .tables import mistake_table, table

TWIN = (
    "Another name looks the same, so in grades.csv each of these names has a code, and the code is also in the file name "
    "of the learner's feedback page."
)
Made = TypeVar("Made")


def write(run: Run, results: Sequence[tuple[Submission, Graded]], gone: Sequence[str] = ()) -> list[str]:
    """Write the tables, the pages and the log of a graded class.

    ``gone`` are the names of learners whose pages and results were moved to ``ARCHIVE_DIR``. The marks come first. A page or a
    chart that cannot be made stops nothing else: its name is in the list that this returns, and the reason in the log. Each
    file is written whole or not at all. Raises OSError if the disk is full or the folder is not writable.
    """
    (run.out / "feedback").mkdir(parents=True, exist_ok=True)
    for name, rows in (("grades.csv", table), ("mistakes.csv", mistake_table)):
        write_whole(run.out / name, rows(results, run.points).encode("utf-8-sig"))  # or Excel garbles Chinese
    missing = [(name, f"its page and result were moved to {ARCHIVE_DIR}") for name in gone]
    missing += [(name, "its entry in corrections.toml has no effect") for name in run.unused]
    lines = [f"{plain(name, NAME_CHARACTERS)}: no submission has this name, so {what}." for name, what in missing]
    lines = [*log(results, run.points), *lines]
    _write_log(run.out, lines)
    failed = _write_pages(run, results)
    if failed:
        why = "could not be made because of a fault in the course. Marks are not affected. Please report this"
        _write_log(run.out, [*lines, *(f"{name} {why}: {plain(error, 500)}" for name, error in failed.items())])
    return [*failed]


def _write_log(out: Path, lines: Sequence[str]) -> None:
    write_whole(out / "grading.log", "".join(f"{line}\n" for line in lines).encode())


def _write_pages(run: Run, results: Sequence[tuple[Submission, Graded]]) -> dict[str, str]:
    """Write each learner's page, and the page and the chart of the class. Return which could not be made, and why."""
    failed: dict[str, str] = {}

    def made(name: str, make: Callable[[], Made]) -> Made | None:
        try:
            return make()
        except Exception as error:
            failed[name] = f"{type(error).__name__}: {error}"
            return None

    for submission, graded in results:
        name = f"feedback/{run.file_names[submission.learner]}.html"
        page = made(name, lambda: feedback(run, submission, graded).encode())  # noqa: B023 (called at once)
        write_whole(run.out / name, page or short_page(run, submission, graded).encode())
    summary = made("summary.html", lambda: summarise(run, results))
    png = made("mistakes.png", lambda: chart(summary.mistakes)) if summary and summary.mistakes else None
    page = made("summary.html", lambda: overview(summary, run.sheet, png).encode()) if summary else None
    for name, content in (("mistakes.png", png), ("summary.html", page)):
        if content is None:
            (run.out / name).unlink(missing_ok=True)  # of an earlier run
        else:
            write_whole(run.out / name, content)
    return failed


def log(results: Sequence[tuple[Submission, Graded]], points: Mapping[str, float]) -> list[str]:
    """Return what a teacher should know about the submissions: skipped attempts, missing marks, notes on the run."""
    lines = []
    alike = look_alikes(submission.learner for submission, _ in results)
    for submission, graded in results:
        name = submission.learner
        mark = marks(submission, graded, points)
        missing = [f"No mark. {mark.remark}" if mark.total is None else mark.remark] if mark.remark else []
        twins = [TWIN] * (name in alike)
        remarks = [*twins, *submission.log, *missing, *filter(None, [mark.corrected, mark.late]), *graded.notes]
        lines += [f"{plain(alike.get(name, name), NAME_CHARACTERS)}: {sentence}" for sentence in sentences(remarks)]
    for group in identical([submission for submission, _ in results]):
        same = [plain(alike.get(name, name), NAME_CHARACTERS) for name in group]
        lines.append(f"These notebooks are identical, byte for byte: {', '.join(same)}.")
    others = Counter(sheet or "" for submission, _ in results for sheet in submission.other_sheets)
    kinds = {sheet: f"for sheet {sheet}" if sheet else "without exercises of this course" for sheet in others}
    skipped = [f"{count} {kinds[sheet]}" for sheet, count in sorted(others.items())]
    lines += [f"Other notebooks were skipped: {', '.join(skipped)}."] if skipped else []
    return lines


def identical(submissions: Sequence[Submission]) -> list[list[str]]:
    """Return the names of learners whose notebooks are the same, byte for byte, in groups."""
    groups: dict[str, list[str]] = {}
    for submission in submissions:
        if submission.digest:
            groups.setdefault(submission.digest, []).append(submission.learner)
    return [group for group in groups.values() if len(group) > 1]
