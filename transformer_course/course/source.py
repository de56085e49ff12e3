"""A source of a notebook as cells: a Python file in jupytext's percent format, with what the course adds to it.

* A cell's line ``# %%`` may hold metadata: ``# %% exercise="attention.softmax" minutes=12`` (``CELL`` lists what it may say).
  A number in it fills ``{minutes}`` or ``{seconds}`` in the cell's text.
* A heading that other files name has an id: ``## Padding {#padding}``.
* A comment on a line of its own says what the lines below it are, up to the next comment, a heading, or the end of the cell:
  ``<!-- picture -->`` (``BLOCKS`` lists them), or ``<!-- end -->``.
* ``{vaswani2017}`` is a paper or page of ``readings.toml``.

What is in braces or a comment is left out of the notebook.
"""

import ast
import functools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from . import reading

# What a cell's line may say, with the type of its value.
CELL: Mapping[str, type] = {
    "tags": list,
    "jupyter": dict,  # {"source_hidden": true} folds its code
    "predict": str,  # the id of a question to guess
    "ask": str,  # a group of questions that are answered at once
    "exercise": str,  # the id of the exercise that is answered here
    "form": str,  # of an exercise: "program", "by hand", "find an input" …
    "minutes": int,  # of an exercise; in the first cell, of the whole lesson or stage
    "difficulty": int,  # of an exercise: 1 to 3
    "builds": list,  # of an exercise: the parts of the model that one writes in it (``PARTS`` in figures/model_map.py)
    "seconds": int,  # how long the next code cell runs
    "lessons": list,  # in the first cell of a stage: the lessons that it needs
    "stages": list,  # and the stages
}
TAGS = ("not-graded", "nbval-ignore-output", "resume")  # besides rows of docs/sources.md, such as "S5" or "E20"
BLOCKS = {
    "picture": "",  # what the figure above shows; it begins with a capital
    "left": "On the left, ",  # and what each of its panels shows, below what is said about all of it
    "middle": "In the middle, ",
    "right": "On the right, ",
    "paper": "",  # a task to do on paper
    "task": "",  # one to do in the notebook
    "compare": "",  # its result
    "answer": "",  # to the question in the title
    "takeaway": "",  # the lines to take away
    "readings": "",  # a list of what to read next
    "end": "",
}

PANELS = ("left", "middle", "right")

FOLDED_LINES = 6  # a cell of imports is folded if it has more
SETTING = re.compile(r"(torch|np)\.(set_\w+|manual_seed|random\.default_rng)")

HEADING = re.compile(r"(?P<marks>#{1,3}) (?P<title>.+?)(?: \{#(?P<id>[\w-]+)\})?")
COMMENT = re.compile(r"<!-- (.+?) -->")


class SourceError(ValueError):
    """A source cannot be used; the message names the file and the line."""


@dataclass(frozen=True)
class Heading:
    level: int  # 1 for the title
    title: str
    id: str  # empty if it has none
    line: int  # in its cell


@dataclass(frozen=True)
class Block:
    """Some lines of a Markdown cell, and what they are."""

    kind: str  # one of BLOCKS
    text: str
    line: int  # in its cell


@dataclass(frozen=True)
class Cell:
    """A cell as the notebook has it, and what its source says of it besides."""

    kind: str  # "markdown" or "code"
    text: str
    says: Mapping[str, object]
    line: int  # of its "# %%" in the source
    headings: tuple[Heading, ...] = ()
    blocks: tuple[Block, ...] = ()

    def block(self, kind: str) -> str:
        """Return the text of its first block of this kind; empty if it has none."""
        return next((block.text for block in self.blocks if block.kind == kind), "")

    @property
    def caption(self) -> dict[str, str]:
        """What it says about the picture above it, by "picture" and, for each panel, "left", "middle", "right"."""
        return {
            block.kind: block.text.removeprefix(BLOCKS[block.kind])
            for block in self.blocks
            if block.kind in ("picture", *PANELS)
        }

    @property
    def lines(self) -> int:
        """How many lines of it are not blank."""
        return sum(bool(line.strip()) for line in self.text.splitlines())

    @property
    def is_folded(self) -> bool:
        """Whether its code is shown only on a click: if its line says so, or if it is a long cell of imports.

        Such a cell may also set constants, and define again what an earlier lesson explained.
        """
        is_long = self.kind == "code" and self.lines > FOLDED_LINES and "exercise" not in self.says
        return bool(self.says.get("jupyter")) or (is_long and _only_sets_up(self.text))


def _only_sets_up(code: str) -> bool:
    """Whether each statement imports, sets a constant, or is a setting of torch or NumPy; after imports, also defines."""
    try:
        statements = ast.parse(code).body
    except SyntaxError:  # `%` and `!` commands
        return False
    imports = ast.Import | ast.ImportFrom
    allowed = imports | ast.FunctionDef if statements and isinstance(statements[0], imports) else imports
    return all(isinstance(each, allowed) or _sets(each) for each in statements)


def _sets(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=called)) | ast.Assign(value=ast.Call(func=called)):
            return bool(SETTING.fullmatch(ast.unparse(called)))
        case ast.Assign(value=value):
            try:
                ast.literal_eval(value)
            except ValueError:
                return False
            return True
    return False


@functools.lru_cache(maxsize=256)
def cells_of(text: str, name: str) -> tuple[Cell, ...]:
    """Return the cells of a source. ``name`` is what errors call its file. Raises SourceError if it cannot be read as one."""
    cells = tuple(_cell(*each, name) for each in _split(text, name))
    ids: set[str] = set()
    for cell in cells:
        for heading in cell.headings:
            if heading.id in ids:
                raise SourceError(f"{name}, line {cell.line}: a second heading has the id {heading.id!r}; give it another")
            ids |= {heading.id} - {""}
        if cell.kind == "markdown" and (left := re.search(r"\{#.*?\}|<!--", cell.text)):
            says = "an id stands at the end of its heading, and a comment on a line of its own"
            raise SourceError(f"{name}, line {cell.line}: {left[0]} would be in the notebook; {says}")
    return cells


def _split(text: str, name: str) -> Iterator[tuple[str, Mapping[str, object], int, list[str]]]:
    """Yield each cell's kind, metadata, first line, and its lines without the blank ones at its end."""
    lines = text.splitlines()
    begins = [number for number, line in enumerate(lines) if line.startswith("# %%")]
    if not begins or "".join(lines[: begins[0]]).strip():
        raise SourceError(f"{name}, line 1: a source begins with a cell; write # %% [markdown]")
    for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        is_markdown = lines[begin].startswith("# %% [markdown]")
        says = _metadata(lines[begin].removeprefix("# %% [markdown]" if is_markdown else "# %%"), f"{name}, line {begin + 1}")
        inside = lines[begin + 1 : end]
        if is_markdown:
            inside = [line.removeprefix("#").removeprefix(" ") for line in inside]
        while inside and not inside[-1].strip():
            inside.pop()
        yield "markdown" if is_markdown else "code", says, begin + 1, inside


def _metadata(text: str, place: str) -> Mapping[str, object]:
    found: dict[str, object] = {}
    text = text.strip()
    while text:
        key, equals, rest = text.partition("=")
        if not equals or key not in CELL:
            raise SourceError(f"{place}: a cell cannot say {(key.split() or ['='])[0]!r}; it can say {', '.join(CELL)}")
        try:
            found[key], length = json.JSONDecoder().raw_decode(rest)
            if rest[length : length + 1].strip():
                raise ValueError
        except ValueError:
            raise SourceError(f"{place}: the value of {key} must be JSON, such as {key}={_EXAMPLES[CELL[key]]}") from None
        entries = found[key] if type(found[key]) is list else ()
        if type(found[key]) is not CELL[key] or not all(isinstance(each, str) for each in entries):
            raise SourceError(f"{place}: {key}={rest[:length]} should look like {key}={_EXAMPLES[CELL[key]]}")
        text = rest[length:].strip()
    for tag in found.get("tags", ()):
        if tag not in TAGS and not re.fullmatch(r"[SEM]\d+", tag):
            known = f"{', '.join(TAGS)} and rows of docs/sources.md, such as S5"
            raise SourceError(f"{place}: there is no tag {tag!r}; there are {known}")
    return MappingProxyType(found)


_EXAMPLES = {str: '"…"', int: "12", list: '["…"]', dict: '{"source_hidden": true}'}


def _cell(kind: str, says: Mapping[str, object], line: int, written: list[str], name: str) -> Cell:
    if kind == "markdown":
        return _text(says, line, written, name)
    asks = [f'{function}("{says[function]}")' for function in ("predict", "ask") if function in says]
    if asks and written:
        advice = "this cell asks a question, so it has no code of its own; move its code to another cell"
        raise SourceError(f"{name}, line {line}: {advice}")
    return Cell(kind, "\n".join(asks or written), says, line)


def _text(says: Mapping[str, object], line: int, written: list[str], name: str) -> Cell:
    lines, headings, begins = [], [], []  # where each block begins; a heading ends the one above it
    fenced, prefix, opens = False, "", False
    for number, text in enumerate(written, line + 1):
        fenced ^= text.startswith("```")
        comment, heading = (None, None) if fenced else (COMMENT.fullmatch(text), HEADING.fullmatch(text))
        if comment:
            if comment[1] not in BLOCKS:
                raise SourceError(f"{name}, line {number}: there is no block {comment[1]!r}; there are {', '.join(BLOCKS)}")
            begins.append((comment[1], len(lines)))
            prefix += BLOCKS[comment[1]]
            opens = comment[1] == "picture"
            continue
        if heading:
            begins.append(("end", len(lines)))
            headings.append(Heading(len(heading["marks"]), heading["title"], heading["id"] or "", len(lines)))
            text = f"{heading['marks']} {heading['title']}"
        is_listed = bool(begins) and begins[-1][0] == "readings"
        text = _filled(_with_readings(text, is_listed, f"{name}, line {number}"), says)
        lines.append(prefix + (capital(text) if opens else text))
        prefix, opens = "", False
    blocks = [
        Block(kind, "\n".join(lines[begin:end]).strip("\n"), begin)
        for (kind, begin), (_, end) in pairwise([*begins, ("end", len(lines))])
        if kind != "end"
    ]
    return Cell("markdown", "\n".join(lines), says, line, tuple(headings), tuple(blocks))


def _with_readings(text: str, is_listed: bool, place: str) -> str:
    """Replace ``{vaswani2017}`` by the paper: in a list of readings with its title, elsewhere by its authors and year."""

    def cited(found: re.Match) -> str:
        known = reading.readings().get(found[1])
        if known is None:
            raise SourceError(f"{place}: {found[0]} is not in course/readings.toml; add its authors, title and address there")
        return known.full if is_listed else known.short

    return reading.KEY.sub(cited, text)


def capital(text: str) -> str:
    """Return a phrase as a sentence begins, unless it begins with a symbol, such as n."""
    return text if re.match(r"(?![aA]\b)\w\b", text) else text[:1].upper() + text[1:]


def _filled(text: str, says: Mapping[str, object]) -> str:
    """Replace ``{minutes}``, ``{lessons}`` … by what the cell's line says."""
    for key, value in says.items():
        text = text.replace(f"{{{key}}}", _listed(key.removesuffix("s"), value) if isinstance(value, list) else str(value))
    return text


def _listed(noun: str, numbers: list[str]) -> str:
    """Return how a list of lessons or stages is written: "lessons 09 to 11", "stages B4 and B7"."""
    *first, last = numbers
    if len(first) > 1 and "".join(numbers).isdigit() and int(last) - int(first[0]) == len(first):
        return f"{noun}s {first[0]} to {last}"
    return f"{noun}s {', '.join(first)} and {last}" if first else f"{noun} {last}"
