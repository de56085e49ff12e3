"""Write the results of a class: grades.csv, a page and a result for each learner, and a page about the class."""

import csv
import io
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import Path

from transformer_course._util.files import write_whole

from ..graded import Graded, Submission
from ..points import marks, number
from ..sanitize import local, plain, sentences
from ..submissions.filenames import file_names, look_alikes
from . import gradescope
from .feedback_pages import NAME_CHARACTERS, feedback, overview
from .summary import chart, shared_name, summarise

ARCHIVE_DIR = "no-longer-there"  # for the pages and results of learners who are no longer among the submissions
TWIN = (
    "Another name looks the same, so in grades.csv each of these names has a code, and the code is also in the file name "
    "of the learner's feedback page."
)
FORMULA = tuple(
    "=+-@＝＋－＠"
)  # a spreadsheet computes a cell that begins with one of these; the wide ones in Chinese and Japanese


def write(
    out: Path,
    sheet: str,
    results: Sequence[tuple[Submission, Graded]],
    points: Mapping[str, float],
    version: str,
    gone: Sequence[str] = (),
    unused: Sequence[str] = (),
) -> None:
    """Write everything about a graded class into the folder ``out``, which is created if necessary.

    ``gone`` are the names that ``archive_others`` has moved, ``unused`` the names that have corrections but no submission.
    Each file is written whole or not at all. Raises OSError if the disk is full or ``out`` is not writable.
    """
    names = file_names(submission.learner for submission, _ in results)
    (out / "feedback").mkdir(parents=True, exist_ok=True)
    for submission, graded in results:
        name = names[submission.learner]
        _write_text(out / "feedback" / f"{name}.html", feedback(submission, graded, points, sheet))
        write_one(out, name, sheet, submission, graded, points, version)
    summary = summarise(results, points, sheet)
    png = chart(summary.mistakes) if summary.mistakes else None
    if png:
        write_whole(out / "mistakes.png", png)
    else:
        (out / "mistakes.png").unlink(missing_ok=True)  # of an earlier run
    _write_text(out / "summary.html", overview(summary, sheet, png))
    write_whole(
        out / "grades.csv", table(results, points).encode("utf-8-sig")
    )  # without the byte order mark, Excel garbles Chinese
    write_whole(out / "mistakes.csv", mistake_table(results, points).encode("utf-8-sig"))
    missing = [(name, f"its page and result were moved to {ARCHIVE_DIR}") for name in gone]
    missing += [(name, "its entry in corrections.toml has no effect") for name in unused]
    lines = [f"{plain(name, NAME_CHARACTERS)}: no submission has this name, so {what}." for name, what in missing]
    _write_text(out / "grading.log", "".join(f"{line}\n" for line in [*log(results, points), *lines]))
    if len(results) == 1:  # Gradescope grades one submission at a time, and reads this file
        write_whole(out / "results.json", gradescope.result(*results[0], points, sheet, version))


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


def table(results: Sequence[tuple[Submission, Graded]], points: Mapping[str, float]) -> str:
    """Return the grades as CSV. A mark that does not exist becomes an empty cell."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    alike = look_alikes((submission.learner for submission, _ in results), NAME_CHARACTERS)
    numbered = any(submission.number for submission, _ in results)
    first = ["learner", "number"] if numbered else ["learner"]
    columns = [f"{name} (of {number(worth)})" for name, worth in points.items()]
    late = any(submission.days_late for submission, _ in results)
    last = ["changed", *["days late"] * late, "remark"]
    writer.writerow([*first, "file", *columns, "total", "out of", "percent", *last])
    for submission, graded in results:
        name, mark = submission.learner, marks(submission, graded, points)
        numbers = map(number, (*mark.each.values(), mark.total, mark.out_of, mark.percent))
        remark = " ".join(filter(None, [mark.remark, mark.corrected, mark.late]))
        names = [cell(alike.get(name, name), NAME_CHARACTERS)] + [cell(submission.number, 60)] * numbered
        file = cell(submission.name, 300)
        days = ["" if submission.changed is None else submission.days_late] * late
        writer.writerow([*names, file, *numbers, local(submission.changed), *days, cell(remark, 1000)])
    return text.getvalue()


def mistake_table(results: Sequence[tuple[Submission, Graded]], points: Mapping[str, float]) -> str:
    """Return who made which mistake as CSV, the most common first: for the teacher's eyes, because it has names."""
    made: dict[tuple[str, str], list[str]] = {}
    for submission, graded in results:
        for name in points:
            verdict = graded.verdicts.get(name)
            if verdict and (mistake := shared_name(verdict)):
                made.setdefault((name, mistake), []).append(submission.learner)
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["exercise", "mistake", "learners", "names"])
    for (exercise, mistake), names in sorted(made.items(), key=lambda item: -len(item[1])):
        shown = "; ".join(plain(name, NAME_CHARACTERS) for name in names)
        writer.writerow([exercise, cell(mistake, 200), len(names), cell(shown, 100_000)])
    return text.getvalue()


def cell(text: str, limit: int) -> str:
    """Return text for a spreadsheet, so that no spreadsheet program mistakes it for a formula."""
    text = plain(text, limit)
    return f"'{text}" if text.startswith(FORMULA) else text


def log(results: Sequence[tuple[Submission, Graded]], points: Mapping[str, float]) -> list[str]:
    """Return what a teacher should know about the submissions: skipped attempts, missing marks, notes on the run."""
    lines = []
    alike = look_alikes((submission.learner for submission, _ in results), NAME_CHARACTERS)
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


def _write_text(path: Path, text: str) -> None:
    write_whole(path, text.encode())
