"""The titles and minutes of lessons, sheets and exercises, read from the text of their sources."""

import re
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


def exercise_titles(sheet: Path) -> dict[str, str]:
    """Return the heading above each exercise in a sheet's source, by id, without number and minutes: "Other numbers"."""
    text, titles, heading = sheet.read_text(encoding="utf-8"), {}, ""
    pattern = r'^# ## (?:\d+ · )?(.+?)(?: \(.+ minutes, [●○]{3}\))?$|^# %% .*\bexercise="([^"]+)"'
    for line in re.finditer(pattern, text, re.MULTILINE):
        if line[1]:
            heading = line[1]
        else:
            titles[line[2]] = heading
    return titles


def minutes(source: Path) -> int:
    """Return the minutes that a lesson's first lines state; for a sheet, the sum over its headings, to the nearest five."""
    text = source.read_text(encoding="utf-8")
    if source.parent.parent.name == "exercises":
        each = re.findall(r"^# ## .+, (\d+) minutes, [●○]{3}\)$", text, re.MULTILINE)
        return 5 * round(sum(map(int, each)) / 5)
    found = re.search(r"(Two sittings of )?about (\d+) minutes", text[:2000], re.IGNORECASE)
    if not found:
        raise SourceError(f"{source.name}: its first lines must say 'About … minutes'")
    return int(found[2]) * (2 if found[1] else 1)
