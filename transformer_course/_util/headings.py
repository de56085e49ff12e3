"""What the text of a lesson or sheet says about it: its title, its exercises' titles, how many minutes it takes."""

import re
from pathlib import Path


class SourceError(ValueError):
    """A source that cannot be used; the message names the file and the place."""


def title(source: Path) -> str:
    """The first heading of a source: "05 · Several heads: what do two heads see …"."""
    found = re.search(r"^# # (.+)$", source.read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        raise SourceError(f"{source.name}: the first Markdown cell needs a heading, '# # …'")
    return found.group(1)


def name(source: Path) -> str:
    """A title without its question: "05 · Several heads"; a title that begins with a question keeps that one."""
    return re.match(r"[^:?]+\??", title(source))[0]


def exercise_titles(sheet: Path) -> dict[str, str]:
    """The heading above each exercise in a sheet's source, by its id, without number and minutes: "Other numbers"."""
    text, titles, heading = sheet.read_text(encoding="utf-8"), {}, ""
    pattern = r'^# ## (?:\d+ · )?(.+?)(?: \(.+ minutes, [●○]{3}\))?$|^# %% .*\bexercise="([^"]+)"'
    for line in re.finditer(pattern, text, re.MULTILINE):
        if line[1]:
            heading = line[1]
        else:
            titles[line[2]] = heading
    return titles


def minutes(source: Path) -> int:
    """How long a lesson takes, as its first lines say; a sheet, the sum over its exercises' headings, to the nearest five."""
    text = source.read_text(encoding="utf-8")
    if source.parent.parent.name == "exercises":
        each = re.findall(r"^# ## .+, (\d+) minutes, [●○]{3}\)$", text, re.MULTILINE)
        return 5 * round(sum(map(int, each)) / 5)
    found = re.search(r"(Two sittings of )?about (\d+) minutes", text[:2000], re.IGNORECASE)
    if not found:
        raise SourceError(f"{source.name}: its first lines need 'About … minutes'")
    return int(found[2]) * (2 if found[1] else 1)
