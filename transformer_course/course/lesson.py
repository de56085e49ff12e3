"""Lessons, sheets and stages as plain objects, read from their sources: titles, minutes, parts, exercises and questions."""

import functools
import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from . import notes, question
from .notes import Notes
from .question import Question
from .source import Block, Cell, SourceError, cells_of

# The ids of the first part, of the heading above the last questions, and of the one above the parts that can be skipped
TITLE, EXIT, DEEPER = "title", "exit", "deeper"


@dataclass(frozen=True)
class Exercise:
    """Where a sheet or stage asks for an answer, and what its heading says."""

    id: str
    title: str  # "Other numbers"
    form: str  # "program", "by hand", "find an input" …; empty in lesson 00, whose exercise says nothing of itself
    minutes: int  # 0 there
    difficulty: int  # 1 to 3


STATED = (("form", str), ("minutes", int), ("difficulty", int))


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
    seconds: int = 0  # that these take

    def count(self, *kinds: str) -> int:
        """Return how many blocks of these kinds it has."""
        return sum(block.kind in kinds for _, block in self.blocks)

    @property
    def words(self) -> int:
        """The number of words in its Markdown, not counting formulas."""
        return count_words(self.heading, *self.prose)


def count_words(*texts: str) -> int:
    """Return the number of words in some Markdown, not counting formulas."""
    text = re.sub(r"\$\$.*?\$\$|\$.*?\$", " ", " ".join(texts), flags=re.DOTALL)
    return len(re.findall(r"[A-Za-z][\w'-]*", text))


@dataclass(frozen=True)
class Source:
    """The source of one notebook."""

    path: Path

    @property
    def name(self) -> str:
        """The name of its notebook, without suffix: "04_masks"."""
        return self.path.parent.name if self.path.name == "lesson.py" else self.path.stem

    @property
    def number(self) -> str:
        """The number of a lesson, "04", or of a stage of the Build, "B2"."""
        return self.name.partition("_")[0]

    @property
    def folder(self) -> str:
        """The folder of its notebook: "notebooks" or "exercises"."""
        return self._source_folder.parent.name

    @property
    def _source_folder(self) -> Path:
        return self.path.parents[1] if self.path.name == "lesson.py" else self.path.parent

    @property
    def notebook(self) -> Path:
        """The built notebook."""
        return self._source_folder.parent / f"{self.name}.ipynb"

    @property
    def link(self) -> str:
        """The notebook's path in a learner's folder: "notebooks/04_masks.ipynb"."""
        return f"{self.folder}/{self.name}.ipynb"

    @property
    def file(self) -> str:
        """What errors call the source: "notebooks/source/04_masks/lesson.py"."""
        return self.path.relative_to(self._source_folder.parents[1]).as_posix()

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Its cells. The notebook has one more at the beginning and one at the end, with links."""
        return _delivered(self.path.read_text(encoding="utf-8"), self.file)

    @property
    def title(self) -> str:
        """Its first heading, such as "05 · Several heads: why several narrow heads, and not one wide one?"."""
        first = next((heading for cell in self.cells for heading in cell.headings), None)
        if first is None or first.level > 1:
            raise SourceError(
                f"{self.file}, line {self.cells[0].line}: a source begins with its title; write # # 04 · Masks: how …?"
            )
        return first.title

    @property
    def short_title(self) -> str:
        """Its title without the question, such as "05 · Several heads". A question at the beginning is kept."""
        return re.match(r"[^:?]+\??", self.title)[0]

    @property
    def minutes(self) -> int:
        """How long it takes: what its first cell says; for a sheet, the sum over its exercises, to five."""
        if "minutes" not in self.cells[0].says:
            raise SourceError(f"{self.file}, line {self.cells[0].line}: say how long it takes: # %% [markdown] minutes=20")
        return self.cells[0].says["minutes"]

    @property
    def exercises(self) -> list[Exercise]:
        """Its exercises, in order."""
        return [exercise for exercise, _ in _exercises(self.cells)]

    @property
    def parts(self) -> list[Part]:
        """Its parts, in order; the first has its title."""
        found: list[Part] = []
        for index, cell in enumerate(self.cells, 1):
            if cell.kind == "markdown":
                self._read_text(found, index, cell)
            elif found:
                found[-1].asks += [(function, cell.says[function]) for function in ("predict", "ask") if function in cell.says]
                found[-1].runs += "predict" not in cell.says and "ask" not in cell.says
            if found:
                found[-1].cells.append(index)
        if found:  # the links below it
            found[-1].cells.append(len(self.cells) + 1)
        return found

    def _read_text(self, found: list[Part], index: int, cell: Cell) -> None:
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

    def part(self, name: str) -> Part:
        """Return the part with this id. Raises SourceError if there is none."""
        for part in self.parts:
            if part.id == name:
                return part
        known = ", ".join(part.id for part in self.parts if part.id)
        raise SourceError(f"{self.file}: no heading has the id {name!r}; it has {known}. Write ## Heading {{#{name}}}")

    @property
    def core(self) -> list[Part]:
        """The parts that everybody reads: those before "Deeper", if it has that heading."""
        return list(itertools.takewhile(lambda part: part.id != DEEPER, self.parts))

    def block(self, kind: str) -> str:
        """Return the text of the first block of this kind in its core; empty if there is none."""
        return next((block.text for part in self.core for _, block in part.blocks if block.kind == kind), "")


class Lesson(Source):
    """A lesson, with its question in the title."""

    @property
    def questions_file(self) -> Path:
        """The file of its questions, beside its source."""
        return self.path.with_name("questions.md")

    @property
    def questions(self) -> list[Question]:
        """Its questions, in the order of the file. Raises QuestionError if that cannot be used."""
        return question.read(self.questions_file) if self.questions_file.exists() else []

    @property
    def notes_file(self) -> Path:
        """The file with what a leader says, beside its source."""
        return self.path.with_name("notes.md")

    @property
    def notes(self) -> Notes:
        """What a leader says; nothing if it has no such file. Raises NoteError if that cannot be used."""
        if not self.notes_file.exists():
            return Notes()
        parts, questions = ([each.id for each in several if each.id] for several in (self.parts, self.questions))
        return notes.read(self.notes_file, parts, questions)


class Sheet(Source):
    """The exercises of a lesson."""

    @property
    def minutes(self) -> int:
        return _total(self.exercises)


class Stage(Source):
    """A stage of the Build, in which learners write a part of their Transformer, or the notebook that follows the Build."""

    @property
    def lessons(self) -> list[str]:
        """The lessons that it needs."""
        return self._needs("lessons")

    @property
    def stages(self) -> list[str]:
        """The stages that it needs."""
        return self._needs("stages") if "stages" in self.cells[0].says else []

    def _needs(self, what: str) -> list[str]:
        first = self.cells[0]
        if not first.says.get(what):
            raise SourceError(f'{self.file}, line {first.line}: say what it needs: # %% [markdown] {what}=["09", "10"]')
        return first.says[what]


@functools.lru_cache(maxsize=256)
def _delivered(text: str, file: str) -> tuple[Cell, ...]:
    """Return the cells of a source. Headings of exercises say what kind each is, and how long and difficult."""
    cells = list(cells_of(text, file))
    _check(cells, file)
    exercises = _exercises(cells)
    for exercise, above in exercises:
        if exercise.minutes:
            stars = "●" * exercise.difficulty + "○" * (3 - exercise.difficulty)
            lines = cells[above].text.split("\n")
            lines[cells[above].headings[-1].line] += f" ({exercise.form}, {exercise.minutes} minutes, {stars})"
            cells[above] = replace(cells[above], text="\n".join(lines))
    if total := _total(exercise for exercise, _ in exercises):
        cells[0] = replace(cells[0], text=cells[0].text.replace("{minutes}", str(total)))
    for cell in cells:
        place = f"{file}, line {cell.line}"
        if cell.kind == "markdown" and (left := re.search(r"\{(minutes|seconds|lessons|stages)\}", cell.text)):
            raise SourceError(f"{place}: nothing fills {left[0]}; say {left[1]}=… in the cell's line # %% [markdown]")
        if cell.kind == "markdown" and (left := re.search(r"\{#.*?\}|<!--", cell.text)):
            says = "an id stands at the end of its heading, and a comment on a line of its own"
            raise SourceError(f"{place}: {left[0]} would be in the notebook; {says}")
    return tuple(cells)


def _check(cells: Sequence[Cell], file: str) -> None:
    """Raise SourceError at a heading that is not the only one with its id, and at an exercise that does not say all."""
    ids: set[str] = set()
    headed = False  # whether there is a heading for the next exercise
    for cell in cells:
        place = f"{file}, line {cell.line}"
        for heading in cell.headings:
            if heading.id in ids:
                raise SourceError(f"{place}: a second heading has the id {heading.id!r}; give it another")
            ids |= {heading.id} - {""}
        headed = headed or (bool(cell.headings) and cell.headings[-1].level == 2)
        said = [key for key, _ in STATED if key in cell.says] if "exercise" in cell.says else []
        if said and (len(said) < len(STATED) or not 1 <= cell.says["difficulty"] <= 3):
            says = 'form="program" minutes=12 difficulty=2, with a difficulty of 1 to 3'
            raise SourceError(f"{place}: an exercise says what kind it is, how long it takes and how difficult it is: {says}")
        if said and not headed:
            raise SourceError(f"{place}: an exercise needs a heading of its own; write above it ## 2 · A whole batch")
        headed = headed and not said


def _exercises(cells: Sequence[Cell]) -> list[tuple[Exercise, int]]:
    """Return each exercise with the index of the cell that holds the heading above it."""
    found, above, title = [], 0, ""
    for index, cell in enumerate(cells):
        if cell.headings and cell.headings[-1].level == 2:
            above, title = index, re.sub(r"^\d+ · ", "", cell.headings[-1].title)
        if "exercise" in cell.says:
            found.append(
                (Exercise(cell.says["exercise"], title, *(cell.says.get(key, kind()) for key, kind in STATED)), above)
            )
    return found


def _total(exercises: Iterable[Exercise]) -> int:
    """Return the minutes of some exercises together, to five."""
    return 5 * round(sum(exercise.minutes for exercise in exercises) / 5)
