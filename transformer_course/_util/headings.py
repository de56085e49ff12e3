"""The titles and minutes of lessons, sheets and exercises, read from the text of their sources."""

import re
from dataclasses import dataclass
from pathlib import Path


class SourceError(ValueError):
    """A source cannot be used; the message names the file and the place."""


def title(source: Path) -> str:
    """Return the first heading of a source, such as "05 · Several heads: what do two heads see …"."""
    found = re.search(r"^# # (.+)$", source.read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        raise SourceError(f"{source.name}: the first Markdown cell needs a heading, '# # …'")
    return found.group(1)


def name(source: Path) -> str:
    """Return a title without its question, such as "05 · Several heads". A question at the beginning is kept."""
    return re.match(r"[^:?]+\??", title(source))[0]


@dataclass(frozen=True)
class ExerciseHeading:
    """The heading above an exercise: "2 · Other numbers (program, 12 minutes, ●●○)"."""

    title: str  # "Other numbers"
    minutes: int  # 0 if the heading names none, as in lesson 00


def exercises(sheet: Path) -> dict[str, ExerciseHeading]:
    """Return the heading above each exercise in a sheet's source, by the exercise's id."""
    text, found, heading = sheet.read_text(encoding="utf-8"), {}, ExerciseHeading("", 0)
    pattern = r'^# ## (?:\d+ · )?(.+?)(?: \(.+, (\d+) minutes, [●○]{3}\))?$|^# %% .*\bexercise="([^"]+)"'
    for line in re.finditer(pattern, text, re.MULTILINE):
        if line[1]:
            heading = ExerciseHeading(line[1], int(line[2] or 0))
        else:
            found[line[3]] = heading
    return found


def minutes(source: Path) -> int:
    """Return the minutes that a lesson's first lines state; for a sheet, the sum over its headings, to the nearest five."""
    if source.parent.parent.name == "exercises":
        return 5 * round(sum(heading.minutes for heading in exercises(source).values()) / 5)
    text = source.read_text(encoding="utf-8")
    found = re.search(r"(Two sittings of )?about (\d+) minutes", text[:2000], re.IGNORECASE)
    if not found:
        raise SourceError(f"{source.name}: its first lines must say 'About … minutes'")
    return int(found[2]) * (2 if found[1] else 1)
