"""Writing what teachers and learners read: grades.csv, a page and a result for each learner, and a page of the class."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count
from pathlib import Path

from transformer_course._util.files import write_whole

from ..graded import Graded, Submission
from ..points import marks, number
from ..sanitize import local, plain, sentences
from ..submissions.filenames import file_names
from . import gradescope
from .feedback_pages import NAME, feedback, overview
from .summary import picture, summarise

ASIDE = "no-longer-there"  # the folder for the pages and results of whoever is not among the submissions
FORMULA = tuple("=+-@＝＋－＠")  # what spreadsheet programs, the Chinese and Japanese ones too, begin to compute at


def write(
    out: Path,
    sheet: str,
    results: Sequence[tuple[Submission, Graded]],
    points: Mapping[str, float],
    edition: str,
    gone: Sequence[str] = (),
    unused: Sequence[str] = (),
) -> None:
    """Write everything about a graded class into the folder ``out``, which is made if need be. ``gone`` are the names of what
    ``set_aside`` has moved, ``unused`` those for which there are corrections and no submission.

    Each file is written whole or not at all. Raises OSError when the disk is full or the folder cannot be written.
    """
    names = file_names(submission.learner for submission, _ in results)
    (out / "feedback").mkdir(parents=True, exist_ok=True)
    for submission, graded in results:
        name = names[submission.learner]
        _write_text(out / "feedback" / f"{name}.html", feedback(submission, graded, points, sheet))
        write_one(out, name, sheet, submission, graded, points, edition)
    summary = summarise(results, points, sheet)
    png = picture(summary.mistakes) if summary.mistakes else None
    if png:
        write_whole(out / "mistakes.png", png)
    else:
        (out / "mistakes.png").unlink(missing_ok=True)  # of an earlier run
    _write_text(out / "summary.html", overview(summary, sheet, png))
    write_whole(out / "grades.csv", table(results, points).encode("utf-8-sig"))  # without the mark, Excel garbles Chinese
    told = [(name, f"moved to {ASIDE}") for name in gone]
    told += [(name, "what corrections.toml has for it is without effect") for name in unused]
    lines = [f"{plain(name, NAME)}: nobody in the submissions has this name; {what}." for name, what in told]
    _write_text(out / "grading.log", "".join(f"{line}\n" for line in [*log(results, points), *lines]))
    if len(results) == 1:  # where Gradescope, which hands over one submission at a time, looks for it
        write_whole(out / "results.json", gradescope.result(*results[0], points, sheet, edition))


def write_one(
    out: Path, name: str, sheet: str, submission: Submission, graded: Graded, points: Mapping[str, float], edition: str
) -> None:
    """Write one learner's result as soon as it can be had: a grader that is killed goes on from it.

    ``name`` is the learner's in ``file_names`` of the whole class.
    """
    (out / "results").mkdir(parents=True, exist_ok=True)
    write_whole(out / "results" / f"{name}.json", gradescope.result(submission, graded, points, sheet, edition))


def set_aside(out: Path, names: Iterable[str]) -> list[str]:
    """Move pages and results with other ``file_names`` than these to a folder of their own, and return their names."""
    names, gone = set(names), set()
    for path in sorted([*(out / "feedback").glob("*.html"), *(out / "results").glob("*.json")]):
        if path.stem not in names:
            (out / ASIDE).mkdir(exist_ok=True)
            again = chain([""], (f" ({number})" for number in count(2)))
            places = (out / ASIDE / f"{path.stem}{more}{path.suffix}" for more in again)
            path.rename(next(place for place in places if not place.exists()))
            gone.add(path.stem)
    return sorted(gone)


def bring_back(out: Path, names: Iterable[str]) -> None:
    """Move the page and the result of each of these ``file_names`` back, if ``set_aside`` has moved them."""
    for name in names:
        for folder, ending in (("feedback", "html"), ("results", "json")):
            aside, place = out / ASIDE / f"{name}.{ending}", out / folder / f"{name}.{ending}"
            if aside.exists() and not place.exists():
                place.parent.mkdir(exist_ok=True)
                aside.rename(place)


def learners(out: Path) -> set[str]:
    """The names of all who have a result in ``out``, those among them who are no longer in the submissions."""
    paths = [*(out / "results").glob("*.json"), *(out / ASIDE).glob("*.json")]
    return {name for path in paths if (name := gradescope.learner(path))}


def load(out: Path, name: str, sheet: str) -> tuple[str, str, Graded] | None:
    """The digest of the file, the edition, and the result that ``write_one`` left; None where there is none to rely on."""
    return gradescope.load(out / "results" / f"{name}.json", sheet)


def table(results: Sequence[tuple[Submission, Graded]], points: Mapping[str, float]) -> str:
    """The grades as CSV. A mark that does not exist is an empty cell."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["learner", "file", *points, "total", "out of", "percent", "changed", "remark"])
    for submission, graded in results:
        mark = marks(submission, graded, points)
        numbers = map(number, (*mark.each.values(), mark.total, mark.out_of, mark.percent))
        remark = " ".join(filter(None, [mark.remark, mark.corrected]))
        file = cell(submission.name, 300)
        writer.writerow([cell(submission.learner, NAME), file, *numbers, local(submission.changed), cell(remark, 1000)])
    return text.getvalue()


def cell(text: str, limit: int) -> str:
    """Text for a spreadsheet, which takes nothing in it for a formula."""
    text = plain(text, limit)
    return f"'{text}" if text.startswith(FORMULA) else text


def log(results: Sequence[tuple[Submission, Graded]], points: Mapping[str, float]) -> list[str]:
    """What a teacher should know about the submissions: attempts passed over, marks that are missing, remarks on the run."""
    lines = []
    for submission, graded in results:
        mark = marks(submission, graded, points)
        missing = [f"No mark. {mark.remark}" if mark.total is None else mark.remark] if mark.remark else []
        told = [*submission.log, *missing, *([mark.corrected] if mark.corrected else []), *graded.notes]
        lines += [f"{plain(submission.learner, NAME)}: {sentence}" for sentence in sentences(told)]
    others = Counter(sheet or "" for submission, _ in results for sheet in submission.other_sheets)
    told = [f"{count} of {f'sheet {sheet}' if sheet else 'no sheet'}" for sheet, count in sorted(others.items())]
    return [*lines, f"Other notebooks, passed over: {', '.join(told)}."] if told else lines


def _write_text(path: Path, text: str) -> None:
    write_whole(path, text.encode())
