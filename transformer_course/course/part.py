"""The parts of a notebook: each is a heading and what follows it."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from .source import Block, Cell

# The ids of the first part, of the heading above the last questions, and of the one above the parts that can be skipped
TITLE, EXIT, DEEPER = "title", "exit", "deeper"
DRAG = re.compile(r"^explorables\.", re.MULTILINE)


@dataclass
class Part:
    """A heading and what follows it up to the next heading. A cell with several headings belongs to the last of them."""

    id: str  # empty if nothing names it; TITLE for the first one
    heading: str
    begins: int  # the index, in the notebook, of the cell that holds the heading
    cells: list[int] = field(default_factory=list)  # the indexes of its cells
    prose: list[str] = field(default_factory=list)  # its Markdown, one text per cell
    blocks: list[tuple[int, Block]] = field(default_factory=list)  # what it marks, with the cells' indexes
    asks: list[tuple[str, str]] = field(default_factory=list)  # ("predict", "02.zero"), ("ask", "02.recall")
    runs: int = 0  # its code cells that are not questions
    drags: int = 0  # those of them that show something to drag
    seconds: int = 0  # that these take

    def count(self, *kinds: str) -> int:
        """Return how many blocks of these kinds it has."""
        return sum(block.kind in kinds for _, block in self.blocks)

    @property
    def words(self) -> int:
        """The number of words in its Markdown, not counting formulas and what to read next."""
        return count_words(self.heading, *self.prose) - count_words(*(b.text for _, b in self.blocks if b.kind == "readings"))


def count_words(*texts: str) -> int:
    """Return the number of words in some Markdown, not counting formulas."""
    text = re.sub(r"\$\$.*?\$\$|\$.*?\$", " ", " ".join(texts), flags=re.DOTALL)
    return len(re.findall(r"[A-Za-z][\w'-]*", text))


def parts_of(cells: Sequence[Cell]) -> list[Part]:
    """Return the parts of a notebook with these cells, between one cell of links above them and one below."""
    found: list[Part] = []
    for index, cell in enumerate(cells, 1):
        if cell.kind == "markdown":
            _add_text(found, index, cell)
        elif found:
            asks = [(function, cell.says[function]) for function in ("predict", "ask") if function in cell.says]
            found[-1].asks += asks
            found[-1].runs += not asks
            found[-1].drags += bool(DRAG.search(cell.text))
        if found:
            found[-1].cells.append(index)
    if found:
        found[-1].cells.append(len(cells) + 1)
    return found


def _add_text(found: list[Part], index: int, cell: Cell) -> None:
    lines = cell.text.split("\n")
    begins = [heading.line for heading in cell.headings]
    if found:
        found[-1].prose.append("\n".join(lines[: (begins or [len(lines)])[0]]))
    for heading, end in itertools.zip_longest(cell.headings, begins[1:], fillvalue=len(lines)):
        name = heading.id or (TITLE if heading.level == 1 else "")
        found.append(Part(name, heading.title, index, [], ["\n".join(lines[heading.line + 1 : end])]))
    for block in cell.blocks:
        place = sum(begin <= block.line for begin in begins) - len(begins) - 1
        found[place].blocks.append((index, block))
    if found:
        found[-1].seconds += cell.says.get("seconds", 0)
