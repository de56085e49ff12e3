"""A lesson as the instructor sees it: its sections, its questions and its summary, read from the built notebook.

Cells name the questions; their texts are in the catalogue.
"""

import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from transformer_course import course
from transformer_course.course.question import Question
from transformer_course.exercises.catalogue import catalogue, question_groups, questions

DEEPER = "Deeper"  # the heading of the parts that a learner may skip
PROGRAMS = ("implement", "test", "Parsons problem")  # the kinds of exercises in which learners write code


@dataclass(frozen=True)
class Asked:
    """A question in its place in a lesson: a prediction, or one that is answered at once."""

    heading: str
    question: Question
    is_prediction: bool


@dataclass
class Section:
    """A heading and what follows it up to the next heading. A cell with several headings belongs to the last of them."""

    heading: str
    begins: int  # the index of the cell that holds the heading
    cells: list[int] = field(default_factory=list)  # the indexes of its cells
    prose: list[str] = field(default_factory=list)  # its Markdown, one text per cell
    asked: list[Asked] = field(default_factory=list)  # its questions
    runs: int = 0  # its code cells that are not questions

    @property
    def pictures(self) -> int:
        """The number of figures that its text explains."""
        return sum(text.count("**In the picture:**") for text in self.prose)

    @property
    def on_paper(self) -> int:
        """The number of tasks to do on paper."""
        return sum(text.count("**Your turn") for text in self.prose)

    @property
    def prose_words(self) -> int:
        """The number of words in its Markdown, not counting formulas."""
        return _count([self.heading, *self.prose])

    @property
    def words(self) -> int:
        """The number of words to read, with its questions. Of a prediction's replies, none is read in the room."""
        texts = []
        for asked in self.asked:
            texts.append(asked.question.text)
            for choice in asked.question.choices:
                texts += [choice.text, "" if asked.is_prediction else choice.reply]
        return self.prose_words + _count(texts)


def _count(texts: list[str]) -> int:
    text = re.sub(r"\$\$.*?\$\$|\$.*?\$", " ", " ".join(texts), flags=re.DOTALL)
    return len(re.findall(r"[A-Za-z][\w'-]*", text))


def path(number: str, folder: str = "notebooks") -> Path:
    """Return the path of the built lesson or sheet of that number."""
    sources = course.lessons() if folder == "notebooks" else (*course.sheets(), *course.stages())
    return next(source.notebook for source in sources if source.number == number)


@functools.cache
def read(number: str, folder: str = "notebooks") -> NotebookNode:
    """Return the built lesson or sheet of that number, with its stored outputs."""
    return nbformat.read(path(number, folder), as_version=4)


# -- sections ---------------------------------------------------------------------------------------------------------


@functools.cache
def sections(number: str, folder: str = "notebooks") -> tuple[Section, ...]:
    """Return the sections of a built lesson or sheet, in order."""
    return sections_of(read(number, folder))


def sections_of(notebook: NotebookNode) -> tuple[Section, ...]:
    """Return the sections of a notebook, in order."""
    found = [Section("", 0)]  # for anything before the first heading
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            continued, *new = re.split(r"^(?=#{1,3} )", cell.source, flags=re.MULTILINE)
            found[-1].prose.append(continued)
            for part in new:
                heading, _, prose = part.lstrip("# ").partition("\n")
                found.append(Section(heading, index, [], [prose]))
        else:
            new_questions = list(_asked(found[-1].heading, cell.source))
            found[-1].asked += new_questions
            found[-1].runs += not new_questions
        found[-1].cells.append(index)
    return tuple(found[1:])


def core(parts: Sequence[Section]) -> list[Section]:
    """Return the sections of a lesson that everybody reads: those before the heading "Deeper", if it has one."""
    return list(itertools.takewhile(lambda part: part.heading != DEEPER, parts))


def title(number: str) -> str:
    """Return a lesson's title."""
    return sections(number)[0].heading


def summary(number: str) -> str:
    """Return the answer to the question in a lesson's title: the last cell of its core that begins in bold."""
    indexes = [index for part in core(sections(number)) for index in part.cells]
    sources = [read(number).cells[index].source for index in reversed(indexes)]
    return next(source for source in sources if source.startswith("**"))


def primers(number: str) -> dict[str, str]:
    """Return the heading of the section to read first ("Before the next …") for each program of a sheet that needs one."""
    heading, found = "", {}
    cells = read(number, "exercises").cells
    for section in sections(number, "exercises"):
        if section.heading.startswith("Before the next "):
            heading = section.heading
        names = [cells[index].metadata.get("exercise") for index in section.cells]
        if heading:
            found |= {name: heading for name in names if name and catalogue()[name].kind in PROGRAMS}
    return found


# -- questions --------------------------------------------------------------------------------------------------------

ASKS = re.compile(r'^(predict|ask)\("([\w.]+)"\)$', re.MULTILINE)


def _asked(heading: str, code: str) -> Iterator[Asked]:
    """Yield the questions that a code cell shows."""
    for function, name in ASKS.findall(code):
        group = [questions()[name]] if function == "predict" else question_groups()[name]
        yield from (Asked(heading, question, function == "predict") for question in group)


@functools.cache
def asked(number: str) -> tuple[Asked, ...]:
    """Return all questions of a lesson, in order."""
    return tuple(each for section in sections(number) for each in section.asked)
