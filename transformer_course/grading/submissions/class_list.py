"""Who belongs to a class, and when the sheet is due: a teacher's roster.csv and deadline, applied to the submissions."""

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from ..errors import GradingError
from ..graded import Submission
from ..sanitize import composed

EXAMPLE = "name,number,extra hours\nAnna Lee,20417,24\n"
COLUMNS = ("name", "number", "extra hours")  # the last two may be missing
DAY, HOUR = 86400, 3600  # seconds
NOT_IN_A_FOLDER = re.compile(r"[\x00-\x1f\x7f&<>\"'`‘’|:\\/]|\.\.+")  # what Moodle leaves out of the names of folders
DOWNLOADED = 3  # if so many notebooks or more are late, and no other is in time, the times may be those of a download


@dataclass(frozen=True)
class Member:
    """A learner of the class."""

    name: str
    number: str = ""
    extra_hours: float = 0.0  # after the deadline


@dataclass(frozen=True)
class ClassList:
    """The members of a class, if they are known, and a deadline, if there is one.

    ``percent`` of the sheet's points are deducted for each day that has begun after ``due``.
    """

    members: Mapping[str, Member] = field(default_factory=dict)  # by what `name_key` makes of the name
    due: datetime | None = None
    percent: float = 0.0

    def applied(self, submissions: Sequence[Submission], sheet: str) -> tuple[list[Submission], list[str]]:
        """Return the submissions, with numbers and lateness, and one for each member who handed in nothing, sorted by name;
        and the names of those who are not in the list. Raises GradingError if nobody is in it."""
        if not self.members:
            return [self._timed(submission, Member("")) for submission in submissions], []
        by_number = {member.number: member for member in self.members.values() if member.number}
        seen, strangers, listed = set(), [], []
        for submission in submissions:
            member = self.members.get(name_key(submission.learner)) or by_number.get(submission.participant)
            if member is None:
                strangers.append(submission.learner)
            else:
                seen.add(name_key(member.name))
            listed.append(self._timed(submission, member or Member("")))
        if submissions and not seen:
            raise GradingError(
                f"None of the {len(self.members)} names on the roster matches a submission; the first submission is from "
                f"{submissions[0].learner!r:.60}. Is this the roster of another class?"
            )
        problem = f"Nothing was handed in for sheet {sheet}."
        missing = [
            Submission(member.name, None, problem, number=member.number)
            for key, member in self.members.items()
            if key not in seen
        ]
        return sorted([*listed, *missing], key=lambda submission: name_key(submission.learner)), strangers

    def _timed(self, submission: Submission, member: Member) -> Submission:
        after = submission.changed - self.due.timestamp() if self.due and submission.changed is not None else 0.0  # seconds
        late = max(0, math.ceil((after - member.extra_hours * HOUR) / DAY))
        return replace(
            submission,
            number=member.number,
            days_late=late,
            in_extra_hours=after > 0 and not late,
            deducted=min(1.0, late * self.percent / 100),
        )


def late_by_download(submissions: Sequence[Submission]) -> bool:
    """Whether all are late, which happens if a download or unpacking has set the times."""
    timed = [submission for submission in submissions if submission.changed is not None]
    return len(timed) >= DOWNLOADED and all(submission.days_late for submission in timed)


def read_roster(path: Path) -> dict[str, Member]:
    """Read a table of the class. Raises GradingError if it is none, or has a name or a number twice."""
    form = f"The file should look like this:\n{EXAMPLE}"
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise GradingError(f"{path} cannot be read ({error.strerror or error}).") from None
    except UnicodeDecodeError:
        raise GradingError(f"{path} is not UTF-8 text; save it as CSV in UTF-8.") from None
    first = text.split("\n", 1)[0]
    lines = csv.reader(io.StringIO(text, newline=None), delimiter=max(",;\t", key=first.count))
    try:
        header, *rows = [[cell.strip() for cell in line] for line in lines if any(cell.strip() for cell in line)]
    except (ValueError, csv.Error):
        raise GradingError(f"{path} is empty, or is not a table. {form}") from None
    names = [cell.casefold() for cell in header]
    if "name" not in names or not {*names} <= {*COLUMNS}:
        raise GradingError(f"{path}: the first line has the columns {', '.join(header)[:80]!r}. {form}")
    members: dict[str, Member] = {}
    for row in rows:
        cells = dict(zip(names, row, strict=False))
        member = Member(cells["name"], cells.get("number", ""), _hours(path, cells.get("extra hours", "")))
        if not member.name:
            raise GradingError(f"{path}: a line has no name: {', '.join(row)[:80]!r}. {form}")
        if name_key(member.name) in members:
            raise GradingError(
                f"{path} lists {member.name!r:.80} twice. Remove the duplicate, or, if these are two learners, leave both "
                "off the roster."
            )
        if other := next((each for each in members.values() if member.number and each.number == member.number), None):
            raise GradingError(
                f"{path} gives {other.name!r:.80} and {member.name!r:.80} the same number, {member.number!r:.40}. "
                "Correct one of them."
            )
        members[name_key(member.name)] = member
    if not members:
        raise GradingError(f"{path} lists nobody. {form}")
    return members


def _hours(path: Path, text: str) -> float:
    try:
        hours = float(text.replace(",", ".") or 0)
    except ValueError:
        hours = math.nan
    if not 0 <= hours <= 10_000:
        raise GradingError(f"{path}: extra hours should be a number, such as 24, got {text!r:.40}.")
    return hours


def name_key(name: str) -> str:
    """Return the same key for a name however it is spaced, as macOS stores it, and as Moodle names a folder."""
    return " ".join(NOT_IN_A_FOLDER.sub("", composed(name)).replace("_", " ").casefold().split())
