"""Write the results of a class: grades.csv, a page and a result for each learner, and a page about the class."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import TypeVar

from transformer_course._util.files import write_whole

from ..graded import Graded, Submission
from ..points import marks
from ..sanitize import plain, sentences
from ..submissions.filenames import NAME_CHARACTERS, file_names, look_alikes
from . import gradescope
from .feedback_pages import feedback, overview, short_page
from .summary import chart, summarise
from .tables import mistake_table, table

ARCHIVE_DIR = "no-longer-there"  # for the pages and results of learners who are no longer among the submissions
TWIN = (
    "Another name looks the same, so in grades.csv each of these names has a code, and the code is also in the file name "
    "of the learner's feedback page."
)
Made = TypeVar("Made")


def write(
    out: Path,
    sheet: str,
    results: Sequence[tuple[Submission, Graded]],
    points: Mapping[str, float],
    version: str,
    gone: Sequence[str] = (),
    unused: Sequence[str] = (),
) -> list[str]:
    """Write everything about a graded class into the folder ``out``, which is created if necessary.

    ``gone`` are the names that ``archive_others`` has moved, ``unused`` the names that have corrections but no submission.
    The marks come first. A page or a chart that cannot be made stops nothing else: its name is in the list that this returns,
    and the reason in the log. Each file is written whole or not at all. Raises OSError if the disk is full or ``out`` is not
    writable.
    """
    names = file_names(submission.learner for submission, _ in results)
    (out / "feedback").mkdir(parents=True, exist_ok=True)
    for submission, graded in results:
        write_one(out, names[submission.learner], sheet, submission, graded, points, version)
    if len(results) == 1:  # Gradescope grades one submission at a time, and reads this file
        write_whole(out / "results.json", gradescope.result(*results[0], points, sheet, version))
    write_whole(
        out / "grades.csv", table(results, points).encode("utf-8-sig")
    )  # without the byte order mark, Excel garbles Chinese
    write_whole(out / "mistakes.csv", mistake_table(results, points).encode("utf-8-sig"))
    missing = [(name, f"its page and result were moved to {ARCHIVE_DIR}") for name in gone]
    missing += [(name, "its entry in corrections.toml has no effect") for name in unused]
    lines = [f"{plain(name, NAME_CHARACTERS)}: no submission has this name, so {what}." for name, what in missing]
    lines = [*log(results, points), *lines]
    _write_log(out, lines)
    failed = _write_pages(out, sheet, results, names, points)
    if failed:
        why = "could not be made because of a fault in the course. Marks are not affected. Please report this"
        _write_log(out, [*lines, *(f"{name} {why}: {plain(error, 500)}" for name, error in failed.items())])
    return [*failed]


def _write_log(out: Path, lines: Sequence[str]) -> None:
    write_whole(out / "grading.log", "".join(f"{line}\n" for line in lines).encode())


def _write_pages(out: Path, sheet: str, results, names: Mapping[str, str], points: Mapping[str, float]) -> dict[str, str]:
    """Write each learner's page, and the page and the chart of the class. Return which could not be made, and why."""
    failed: dict[str, str] = {}

    def made(name: str, make: Callable[[], Made]) -> Made | None:
        try:
            return make()
        except Exception as error:
            failed[name] = f"{type(error).__name__}: {error}"
            return None

    for submission, graded in results:
        name = f"feedback/{names[submission.learner]}.html"
        page = made(name, lambda: feedback(submission, graded, points, sheet).encode())  # noqa: B023 (called at once)
        write_whole(out / name, page or short_page(submission, graded, points, sheet).encode())
    summary = made("summary.html", lambda: summarise(results, points, sheet))
    png = made("mistakes.png", lambda: chart(summary.mistakes)) if summary and summary.mistakes else None
    page = made("summary.html", lambda: overview(summary, sheet, png).encode()) if summary else None
    for name, content in (("mistakes.png", png), ("summary.html", page)):
        if content is None:
            (out / name).unlink(missing_ok=True)  # of an earlier run
        else:
            write_whole(out / name, content)
    return failed


def write_one(
    out: Path, name: str, sheet: str, submission: Submission, graded: Graded, points: Mapping[str, float], version: str
) -> None:
    """Write one learner's result as soon as there is one, so that grading can continue from there after an interruption.

    ``name`` is the learner's file name within the whole class.
    """
    (out / "results").mkdir(parents=True, exist_ok=True)
    write_whole(out / "results" / f"{name}.json", gradescope.result(submission, graded, points, sheet, version))


def archive_others(out: Path, names: Iterable[str]) -> list[str]:
    """Move all pages and results but those with these file names to ``ARCHIVE_DIR``; return the names of those moved."""
    names, gone = set(names), set()
    for path in sorted([*(out / "feedback").glob("*.html"), *(out / "results").glob("*.json")]):
        if path.stem not in names:
            (out / ARCHIVE_DIR).mkdir(exist_ok=True)
            suffixes = chain([""], (f" ({number})" for number in count(2)))
            places = (out / ARCHIVE_DIR / f"{path.stem}{suffix}{path.suffix}" for suffix in suffixes)
            path.rename(next(place for place in places if not place.exists()))
            gone.add(path.stem)
    return sorted(gone)


def restore(out: Path, names: Iterable[str]) -> None:
    """Move the pages and results with these file names back, if ``archive_others`` has moved them."""
    for name in names:
        for folder, ending in (("feedback", "html"), ("results", "json")):
            archived, place = out / ARCHIVE_DIR / f"{name}.{ending}", out / folder / f"{name}.{ending}"
            if archived.exists() and not place.exists():
                place.parent.mkdir(exist_ok=True)
                archived.rename(place)


def learners(out: Path) -> set[str]:
    """Return the names of all learners with a result in ``out``, including those who are no longer among the submissions."""
    paths = [*(out / "results").glob("*.json"), *(out / ARCHIVE_DIR).glob("*.json")]
    return {name for path in paths if (name := gradescope.learner(path))}


def totals(out: Path) -> dict[str, float]:
    """Return the points of each learner with a mark in ``out``, not rounded."""
    found = {gradescope.learner(path): gradescope.total(path) for path in (out / "results").glob("*.json")}
    return {name: total for name, total in found.items() if name is not None and total is not None}


def not_later(out: Path, submissions: Sequence[Submission]) -> list[Submission]:
    """Return the submissions, each changed when the last run said so if its file is the same: downloaded again, it has a later
    time."""
    times = dict(filter(None, map(gradescope.changed, (out / "results").glob("*.json"))))
    return [
        replace(each, changed=min(each.changed, times.get((plain(each.learner, 200), each.digest), math.inf)))
        if each.changed is not None
        else each
        for each in submissions
    ]


def load(out: Path, name: str, sheet: str) -> tuple[str, str, Graded] | None:
    """Return the file's digest, the version and the result that ``write_one`` stored, or None if there is no valid result."""
    return gradescope.load(out / "results" / f"{name}.json", sheet)


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
        same = [plain(name, NAME_CHARACTERS) for name in group]
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
