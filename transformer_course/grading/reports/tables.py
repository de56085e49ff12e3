"""The tables about one sheet: everybody's marks, and who made which mistake."""

from collections.abc import Mapping, Sequence

from ..graded import Graded, Submission
from ..points import marks, number
from ..sanitize import local, plain
from ..submissions.filenames import NAME_CHARACTERS, look_alikes
from .cells import cell, csv_text
from .summary import shared_name


def table(results: Sequence[tuple[Submission, Graded]], points: Mapping[str, float]) -> str:
    """Return the grades as CSV. A mark that does not exist becomes an empty cell."""
    alike = look_alikes(submission.learner for submission, _ in results)
    numbered = any(submission.number for submission, _ in results)
    first = ["learner", "number"] if numbered else ["learner"]
    columns = [f"{name} (of {number(worth)})" for name, worth in points.items()]
    late = any(submission.days_late for submission, _ in results)
    last = ["changed", *["days late"] * late, "remark"]
    rows = [[*first, "file", *columns, "total", "out of", "percent", *last]]
    for submission, graded in results:
        name, mark = submission.learner, marks(submission, graded, points)
        numbers = map(number, (*mark.each.values(), mark.total, mark.out_of, mark.percent))
        remark = " ".join(filter(None, [mark.remark, mark.corrected, mark.late]))
        names = [cell(alike.get(name, name), NAME_CHARACTERS)] + [cell(submission.number, 60)] * numbered
        file = cell(submission.name, 300)
        days = ["" if submission.changed is None else submission.days_late] * late
        rows.append([*names, file, *numbers, local(submission.changed), *days, cell(remark, 1000)])
    return csv_text(rows)


def mistake_table(results: Sequence[tuple[Submission, Graded]], points: Mapping[str, float]) -> str:
    """Return who made which mistake as CSV, the most common first: for the teacher's eyes, because it has names."""
    made: dict[tuple[str, str], list[str]] = {}
    alike = look_alikes(submission.learner for submission, _ in results)
    for submission, graded in results:
        for name in points:
            verdict = graded.verdicts.get(name)
            if verdict and (mistake := shared_name(verdict)):
                made.setdefault((name, mistake), []).append(alike.get(submission.learner, submission.learner))
    rows: list[list] = [["exercise", "mistake", "learners", "names"]]
    for (exercise, mistake), names in sorted(made.items(), key=lambda item: -len(item[1])):
        shown = "; ".join(plain(name, NAME_CHARACTERS) for name in names)
        rows.append([exercise, cell(mistake, 200), len(names), cell(shown, 100_000)])
    return csv_text(rows)
