"""A lesson as the instructor sees it: its sections, the questions it asks and its summary, read from the built notebook."""

import functools
import re
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from transformer_course._util import paths
from transformer_course.exercises.catalogue import Prediction, catalogue, predictions

PROGRAMS = ("implement", "test", "repair")  # the kinds of exercises in which learners write code


@dataclass
class Section:
    """A heading and what follows it up to the next heading. A cell with several headings belongs to the last of them."""

    heading: str
    begins: int  # the index of the cell that holds the heading
    cells: list[int] = field(default_factory=list)  # the indexes of its cells
    prose: list[str] = field(default_factory=list)  # its Markdown, one text per cell

    @property
    def words(self) -> int:
        """The number of words to read, not counting formulas."""
        text = re.sub(r"\$\$.*?\$\$|\$.*?\$", " ", " ".join([self.heading, *self.prose]), flags=re.DOTALL)
        return len(re.findall(r"[A-Za-z][\w'-]*", text))


@dataclass(frozen=True)
class Choice:
    """One answer to choose from, as HTML or Markdown, with the reply to those who chose it."""

    letter: str
    text: str
    reply: str
    right: bool


@dataclass(frozen=True)
class Question:
    """A multiple-choice question. Predictions have a name, such as "02.zero"; recall and final questions have none."""

    heading: str
    name: str
    text: str
    choices: tuple[Choice, ...]
    origin: tuple[str, ...] = ()  # the lessons that the question looks back to


def path(number: str, folder: str = "notebooks") -> Path:
    """Return the path of the built lesson or sheet of that number."""
    return next(path for path in paths.notebooks(folder) if path.stem[:2] == number)


@functools.cache
def read(number: str, folder: str = "notebooks") -> NotebookNode:
    """Return the built lesson or sheet of that number, with its stored outputs."""
    return nbformat.read(path(number, folder), as_version=4)


# -- sections ---------------------------------------------------------------------------------------------------------


@functools.cache
def sections(number: str, folder: str = "notebooks") -> tuple[Section, ...]:
    """Return the sections of a lesson or sheet, in order."""
    found = [Section("", 0)]  # for anything before the first heading
    for index, cell in enumerate(read(number, folder).cells):
        if cell.cell_type == "markdown":
            continued, *new = re.split(r"^(?=#{1,3} )", cell.source, flags=re.MULTILINE)
            found[-1].prose.append(continued)
            for part in new:
                heading, _, prose = part.lstrip("# ").partition("\n")
                found.append(Section(heading, index, [], [prose]))
        found[-1].cells.append(index)
    return tuple(found[1:])


def title(number: str) -> str:
    """Return a lesson's title."""
    return sections(number)[0].heading


def summary(number: str) -> str:
    """Return the answer to the question in a lesson's title, which ends the lesson."""
    return next(cell.source for cell in reversed(read(number).cells) if cell.source.startswith("**"))


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

PREDICT = "**Predict.**"
GUESS = re.compile(r'^\* `"(\w)"`: (.+?)(?=^\* `|\Z)', re.MULTILINE | re.DOTALL)  # * `"a"`: the text of the choice
FOLD = re.compile(r"<details><summary>(?P<text>.*?)</summary>(?P<reply>.*?)</details>", re.DOTALL)
WITH_FOLDS = re.compile(
    r"""
    ^\*(?!\*) (?P<text>.+?) \*        # the question, in italics
    (?P<origin>[^\n]*) \n             # the lessons it looks back to: (lessons 02 and 05)
    (?P<folds> (?: <details>.*?</details> \s* ){2,} )
    """,
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)


@functools.cache
def questions(number: str) -> tuple[Question, ...]:
    """Return all questions of a lesson: first its predictions, then those whose replies are folded."""
    prose = [(section.heading, text) for section in sections(number) for text in section.prose]
    ours = [prediction for name, prediction in predictions().items() if name.startswith(number)]
    asked = [(heading, text) for heading, text in prose if PREDICT in text]
    return (
        *(_predicted(heading, text, prediction) for (heading, text), prediction in zip(asked, ours, strict=True)),
        *(_folded(heading, match) for heading, text in prose for match in WITH_FOLDS.finditer(text)),
    )


def _predicted(heading: str, text: str, prediction: Prediction) -> Question:
    """Return a prediction: its name and replies come from the catalogue, its text from the lesson."""
    choices = tuple(
        Choice(letter, choice.split("\n\n")[0].strip(), prediction.replies[letter], letter == prediction.right)
        for letter, choice in GUESS.findall(text)
    )
    return Question(heading, prediction.id, GUESS.split(text)[0].replace(PREDICT, "").strip(), choices)


def _folded(heading: str, match: re.Match) -> Question:
    """Return a question whose replies are folded. The right choice is the one with a reply that begins with Yes or Right."""
    choices = []
    for letter, fold in zip("abcdef", FOLD.finditer(match["folds"]), strict=False):
        reply = fold["reply"].strip()
        right = re.match(r"(yes|right)\b", reply, re.IGNORECASE)
        choices.append(Choice(letter, fold["text"].strip(), reply, bool(right)))
    origin = tuple(re.findall(r"\b\d\d\b", match["origin"]))
    return Question(heading, "", match["text"].strip(), tuple(choices), origin)
