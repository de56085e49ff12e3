"""The lines of a Markdown file that people write and code reads: questions.md, notes.md."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from .source import SourceError


class LineError(SourceError):
    """A file cannot be used: its name and the line, and what is wrong there."""

    def __init__(self, path: Path, line: int, says: str):
        super().__init__(f"{path.parent.name}/{path.name}, line {line}: {says}")
        self.line, self.says = line, says


@dataclass
class Piece:
    """A line, with those that go on with it."""

    line: int
    kind: str
    text: str  # in one line, without the mark that shows its kind


def pieces(text: str, mark: re.Pattern, headings: Collection[str], paragraphs: Collection[str]) -> list[Piece]:
    """Return the pieces of a file. Those without a mark are of the kind "text".

    ``mark`` matches the beginning of a line that shows what the line is: the name of its group is the kind. Other lines go on
    with what is above them if they are indented or that is one of the ``paragraphs``. Nothing goes on with ``headings``.
    """
    found: list[Piece] = []
    goes_on = False  # whether the next line may belong to the last piece
    for number, line in enumerate(text.splitlines(), 1):
        marked = mark.match(line)
        if not line.strip():
            goes_on = False
        elif goes_on and not marked and line[0] not in "-#" and (line[0] == " " or found[-1].kind in paragraphs):
            found[-1].text = f"{found[-1].text} {line.strip()}".strip()
        else:
            kind = marked.lastgroup if marked else "text"
            found.append(Piece(number, kind, line[marked.end() if marked else 0 :].strip()))
            goes_on = kind not in headings
    return found
