"""Marks and feedback in the two forms that Moodle takes back: its grading worksheet, and a zip of feedback files.

Moodle names columns in the language of whoever downloads the worksheet, so nothing here depends on these names. A learner is
found by the participant's number, which ends the first cell of a line. The grade is in the column before the maximum grade.
Moodle gives a participant a different number in every assignment, so a worksheet of another assignment matches nobody.
Source: Moodle's assignment activity, feedback types "Offline grading worksheet" and "Feedback files" (mod/assign/feedback).
"""

import csv
import io
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from transformer_course._util.files import write_whole

from ..errors import GradingError
from ..graded import Graded, Submission
from ..points import marks
from ..run import Run
from ..sanitize import plain
from ..submissions.filenames import NAME_CHARACTERS
from .cells import csv_text, harmless

WORKSHEET, FEEDBACK = "moodle-worksheet.csv", "moodle-feedback.zip"
BOM = "\ufeff"
TIME = re.compile(r"-|(?=.*\d{4})(?=.*\d[:.]\d\d)[^=+@;|]*")  # in a worksheet of any language


@dataclass(frozen=True)
class Worksheet:
    """A grading worksheet as Moodle made it."""

    path: Path
    start: str  # a byte order mark, if it has one
    delimiter: str
    header: list[str]
    rows: Mapping[str, list[str]]  # by participant's number, in its order
    grade: int  # the column of the grade; the maximum is in the next one

    @property
    def most(self) -> str:
        """The maximum grade, as Moodle writes it."""
        return next(iter(self.rows.values()))[self.grade + 1].strip()


def read(path: Path) -> Worksheet:
    """Read a worksheet. Raises GradingError if anything in it leaves a doubt about whose grade belongs where."""
    again = "Download the grading worksheet from Moodle again, and pass that file to --moodle unchanged."
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise GradingError(
            f"{path} cannot be read ({error.strerror or error}). --moodle needs Moodle's grading worksheet."
        ) from None
    except UnicodeDecodeError:
        raise GradingError(f"{path} is not UTF-8 text. {again}") from None
    start, text = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    delimiter = max(",;\t", key=text.split("\n", 1)[0].count)
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # a learner's online text may be long
    try:
        table = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        header, *lines = [row for row in table if any(row)]
    except (ValueError, csv.Error):
        raise GradingError(f"{path} is not a table. {again}") from None
    if not lines:
        raise GradingError(f"{path} lists no learners. {again}")
    rows: dict[str, list[str]] = {}
    for line in lines:
        number = re.fullmatch(r"\D*(\d{1,18})\s*", line[0])
        if len(line) != len(header) or not number:
            raise GradingError(
                f"{path}: each line should begin with a participant's number, such as Participant 123, and have {len(header)} "
                f"cells; this one does not: {', '.join(line)!r:.80}. {again}"
            )
        if number[1] in rows:
            raise GradingError(f"{path} has two lines for participant {number[1]}. {again}")
        rows[number[1]] = line
    return Worksheet(path, start, delimiter, header, rows, _grade_column(path, header, [*rows.values()]))


def _grade_column(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Return the column before the one that holds the same maximum in every line. Raises GradingError unless there is one."""
    found = []
    for column in range(1, len(header) - 1):
        (most, *others) = {_value(row[column + 1]) for row in rows}
        grades = [0.0 if row[column].strip() in ("", "-") else _value(row[column]) for row in rows]
        if most and not others and all(grade is not None and grade <= most for grade in grades):
            found.append(column)
    if len(found) != 1:
        raise GradingError(
            f"{path} should have exactly one column of grades followed by a column with the maximum grade, which is the "
            f"same in every line. It has {len(found) or 'no'} such columns. In Moodle, set the assignment's grade to the "
            "type Point, then download the worksheet again."
        )
    return found[0]


def _value(text: str) -> float | None:
    return float(text.strip().replace(",", ".")) if re.fullmatch(r"\s*\d{1,9}(?:[.,]\d{1,5})?\s*", text) else None


def placed(worksheet: Worksheet, submissions: Sequence[Submission]) -> tuple[dict[str, Submission], dict[str, list[str]]]:
    """Return the submission of each line of the worksheet, by number, and the learners who are left out, by reason.

    Raises GradingError if none of the learners is in the worksheet.
    """
    shared = Counter(submission.participant for submission in submissions)
    found: dict[str, Submission] = {}
    left_out: dict[str, list[str]] = {}
    for submission in submissions:
        if doubt := _doubt(worksheet, submission, shared):
            left_out.setdefault(doubt, []).append(submission.learner)
        else:
            found[submission.participant] = submission
    if not found:
        raise GradingError(
            f"Nothing was changed: {worksheet.path} has none of the {len(submissions)} learners. Is it the worksheet for this "
            "assignment, and are the folders named as in Moodle's download?"
        )
    return found, left_out


def write(run: Run, worksheet: Worksheet, results: Sequence[tuple[Submission, Graded]]) -> tuple[int, dict[str, list[str]]]:
    """Write the worksheet with the marks, and the feedback pages as a zip. Return how many learners have a mark in it, and the
    learners who are left out, by reason.

    A grade that does not exist, or about which there is a doubt, is left as it was in Moodle. Raises GradingError if none of
    the learners is in the worksheet, and OSError if the files cannot be written.
    """
    found, left_out = placed(worksheet, [submission for submission, _ in results])
    percents = {
        submission.participant: marks(submission, graded, run.points).percent
        for submission, graded in results
        if submission.participant in found
    }
    grades = {number: percent for number, percent in percents.items() if percent is not None}
    write_whole(run.out / WORKSHEET, _filled(worksheet, grades).encode())
    pages = {
        f"{_folder(submission)}/feedback_{run.sheet}.html": run.out / "feedback" / f"{run.file_names[submission.learner]}.html"
        for submission in found.values()
    }
    write_whole(run.out / FEEDBACK, _zip(pages))
    return len(grades), left_out


def _doubt(worksheet: Worksheet, submission: Submission, shared: Mapping[str, int]) -> str:
    """Return why it is not certain which line is this learner's, or an empty string."""
    if not submission.participant and not submission.name:
        return "nothing handed in"
    if not submission.participant:
        return "no participant number in the name of the folder"
    if submission.participant not in worksheet.rows:
        return "not in the worksheet"
    if shared[submission.participant] > 1:
        return "several folders with the same participant number"
    row = worksheet.rows[submission.participant]
    name = submission.learner.removesuffix(f" ({submission.participant})")
    names = {_letters(name[start:]) for start in (0, *(dash.end() for dash in re.finditer("-", name)))}  # after a group's name
    if not names & {*map(_letters, row), _letters(row[0].rstrip("0123456789 "))}:  # the last if names are hidden
        return "the worksheet has a different name for this participant number"
    return ""


def _letters(text: str) -> str:
    """Return what Moodle keeps of a name in the name of a folder: letters and digits."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", text).casefold() if letter.isalnum())


def _filled(worksheet: Worksheet, percents: Mapping[str, float]) -> str:
    rows, comments = [worksheet.header], _comments(worksheet)
    for number, row in worksheet.rows.items():
        # A "-" stands for nothing.
        filled = [cell if cell.strip() == "-" else harmless(cell) for cell in row[:comments]] + row[comments:]
        if number in percents:
            most = row[worksheet.grade + 1]
            grade = f"{percents[number] / 100 * _value(most):.2f}"
            filled[worksheet.grade] = grade.replace(".", ",") if "," in most else grade
        rows.append(filled)
    return worksheet.start + csv_text(rows, worksheet.delimiter)


def _comments(worksheet: Worksheet) -> int:
    """Return where the teachers' comments begin, which Moodle takes back: after the last column of times, or else after the
    maximum grade. What comes before them, such as names and learners' online texts, is only there to be read."""
    after = range(len(worksheet.header) - 1, worksheet.grade + 1, -1)
    times = (column for column in after if all(TIME.fullmatch(row[column].strip()) for row in worksheet.rows.values()))
    return next(times, worksheet.grade + 1) + 1


def _folder(submission: Submission) -> str:
    """Return the name of a learner's folder in the zip. Moodle reads the number in it, and not the name."""
    name = re.sub(r"[_/\\:]+", " ", plain(submission.learner, NAME_CHARACTERS)).strip() or "learner"
    return f"{name}_{submission.participant}_assignsubmission_file_"


def _zip(files: Mapping[str, Path]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in files.items():
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return data.getvalue()
