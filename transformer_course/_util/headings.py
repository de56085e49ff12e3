"""The titles and minutes of lessons, sheets and exercises, read from the text of their sources."""

import re
from dataclasses import dataclass
from pathlib import Path

from . import paths


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


def needed(stage: Path) -> list[str]:
    """Return the numbers of the lessons that a stage of the Build says it needs: "You need lessons 09 to 11"."""
    text = stage.read_text(encoding="utf-8").replace("\n# ", " ")
    found = re.search(r"You need lessons? (\d\d(?:(?:, | and | to )\d\d)*)", text)
    if not found:
        raise SourceError(f"{stage.name}: its first cell must say 'You need lessons …'")
    span = [range(int(first), int(last or first) + 1) for first, last in re.findall(r"(\d\d)(?: to (\d\d))?", found[1])]
    return [f"{number:02d}" for numbers in span for number in numbers]


def stages_of(lesson: Path) -> list[Path]:
    """Return the sources of the stages that build on a lesson. Lesson 00, which all of them need, leads to none."""
    number = lesson.stem[:2]
    return [stage for stage in paths.stages() if number in needed(stage) and number != "00"]


def minutes(source: Path) -> int:
    """Return the minutes that the first lines of a lesson or stage state; for a sheet, the sum over its headings, to five."""
    if source.parent.parent.name == "exercises" and not source.name.startswith("B"):
        return 5 * round(sum(heading.minutes for heading in exercises(source).values()) / 5)
    beginning = source.read_text(encoding="utf-8")[:2000].replace("\n# ", " ")
    if not (found := re.search(r"about (\d+) minutes", beginning, re.IGNORECASE)):
        raise SourceError(f"{source.name}: its first lines must say 'About … minutes'")
    return int(found[1])
