"""A lesson as whoever leads it sees it: its headings, and the questions that it asks."""

import functools
import itertools
import re
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from transformer_course._util import paths
from transformer_course.exercises.catalogue import catalogue, predictions

from .sessions import Lead

PROGRAMS = ("implement", "test", "repair")  # the kinds of exercises in which code is written
LAST = "Before you go"  # the heading of each lesson's last questions
WORDS_A_MINUTE = 55  # of a lesson's prose, alone, its code and its guesses included: 40 to 50 minutes for a lesson
_HEADING = re.compile(r"^(#{1,3}) (.+)$", re.MULTILINE)
_ASKED = re.compile(r"^\*(?!\*)(?P<text>.+?)\*(?P<origin>[^\n]*)\n(?P<choices>(?:<details>.*?</details>\s*)+)", re.M | re.S)
_CHOICE = re.compile(r"<details><summary>(.*?)</summary>(.*?)</details>", re.DOTALL)
_GUESS = re.compile(r'^\* `"(\w)"`: (.+?)(?=^\* `|\Z)', re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Choice:
    """One of a question's choices, as HTML or Markdown, with what to say to whoever chose it."""

    letter: str
    text: str
    reply: str
    right: bool


@dataclass(frozen=True)
class Question:
    """A question that a lesson asks: a prediction has its name ("02.zero"), the others have none."""

    heading: str
    name: str
    text: str
    choices: tuple[Choice, ...]
    origin: tuple[str, ...] = ()  # the lessons that it looks back to


@dataclass(frozen=True)
class Section:
    """What stands below one heading: the cell it stands in, its cells by their places, and how many words it has."""

    heading: str
    begins: int
    cells: tuple[int, ...]
    words: int


def path(number: str, folder: str = "notebooks") -> Path:
    """The built lesson, or the built sheet, of that number."""
    return next(path for path in paths.notebooks(folder) if path.stem[:2] == number)


@functools.cache
def read(number: str) -> NotebookNode:
    """A lesson with its stored outputs."""
    return nbformat.read(path(number), as_version=4)


def title(number: str) -> str:
    """A lesson's own heading."""
    return sections(number)[0].heading


@functools.cache
def sections(number: str) -> tuple[Section, ...]:
    """A lesson's parts in their order. A cell belongs to the last heading that stands in it or before it."""
    heading, cells, texts, begins = "", {}, {}, {}
    for place, cell in enumerate(read(number).cells):
        if cell.cell_type == "markdown":
            for part in re.split(r"(?m)^(?=#{1,3} )", cell.source):
                if found := _HEADING.match(part):
                    heading = found[2]
                    begins[heading] = place
                texts[heading] = f"{texts.get(heading, '')} {part}"
        cells.setdefault(heading, []).append(place)
    texts.pop("", None)
    return tuple(Section(name, begins[name], tuple(cells.get(name, ())), _words(text)) for name, text in texts.items())


def _words(markdown: str) -> int:
    return len(re.findall(r"[A-Za-z][\w'-]*", re.sub(r"\$\$.*?\$\$|\$.*?\$", " ", markdown, flags=re.DOTALL)))


def led(lead: Lead) -> list[Section]:
    """The parts of a lesson that are led, in their order."""
    parts = list(sections(lead.lesson))
    names = [part.heading for part in parts]
    first, last = names.index(lead.start) if lead.start else 0, names.index(lead.stop)
    return [part for part in parts[first:last] if part.heading not in lead.cut]


def code_before(lead: Lead) -> list[int]:
    """The places of the code cells that a fresh kernel runs before this part: a second sitting needs the first cell alone."""
    code = [place for place, cell in enumerate(read(lead.lesson).cells) if cell.cell_type == "code"]
    return code[:1] if lead.start else []


def said(lead: Lead) -> list[Section]:
    """Those of them about which something is said."""
    return [part for part in led(lead) if part.heading not in lead.unsaid]


def minutes(lead: Lead) -> float:
    """How long an attentive learner takes alone for what is led."""
    return sum(part.words for part in said(lead)) / WORDS_A_MINUTE


@functools.cache
def questions(number: str) -> tuple[Question, ...]:
    """All questions of a lesson in their order, its predictions among them."""
    heading, found, waiting = "", [], None
    for cell in read(number).cells:
        if cell.cell_type == "code":
            if waiting and (name := re.search(r'reply\("([\w.]+)"', cell.source)):
                found.append(_prediction(name[1], *waiting))
                waiting = None
            continue
        for part in re.split(r"(?m)^(?=#{1,3} )", cell.source):
            if title := _HEADING.match(part):
                heading = title[2]
                part = part[title.end() :]
            if "**Predict.**" in part:
                waiting = heading, part
            found += [_asked(heading, match) for match in _ASKED.finditer(part) if match["choices"].count("<details>") > 1]
    return tuple(found)


def _prediction(name: str, heading: str, markdown: str) -> Question:
    known = predictions()[name]
    choices = [
        Choice(letter, text.split("\n\n")[0].strip(), known.replies[letter], letter == known.right)
        for letter, text in _GUESS.findall(markdown)
    ]
    return Question(heading, name, _GUESS.split(markdown)[0].replace("**Predict.**", "").strip(), tuple(choices))


def _asked(heading: str, match: re.Match) -> Question:
    choices = [
        Choice("abcdef"[place], text.strip(), reply.strip(), bool(re.match(r"(yes|right)\b", reply.strip(), re.IGNORECASE)))
        for place, (text, reply) in enumerate(_CHOICE.findall(match["choices"]))
    ]
    return Question(heading, "", match["text"].strip(), tuple(choices), tuple(re.findall(r"\b\d\d\b", match["origin"])))


def halfway(lead: Lead) -> tuple[int, str]:
    """After how many minutes of the session which heading begins: the one nearest to its middle, if it is on time."""
    parts = said(lead)
    begins = list(itertools.accumulate(part.words for part in parts))
    marks = zip(begins, parts[1:], strict=False)
    done, part = min(marks, key=lambda mark: abs(2 * mark[0] - begins[-1]))
    return round(lead.minutes * done / begins[-1]), part.heading


def recalls(lead: Lead) -> list[Question]:
    """The questions with which the lesson begins; a second sitting has none."""
    return [q for q in questions(lead.lesson) if not lead.start and _at(q, lead, 0)]


def asked_before(lead: Lead, known: set[str]) -> list[Question]:
    """Those of them that look back to lessons the room has had."""
    return [q for q in recalls(lead) if set(q.origin) <= known]


def last_sentence(number: str) -> str:
    """The lesson's question with its answer, which ends it."""
    return next(cell.source for cell in reversed(read(number).cells) if cell.source.startswith("**"))


def closing(lead: Lead) -> str:
    """What of it can be read out at the end of the session; empty where it speaks of what the room has not seen."""
    return lead.closing or (last_sentence(lead.lesson) if lead.closes else "")


def words_before(number: str) -> dict[str, str]:
    """For each program of a sheet after a part "Before the next …", which says what programs need: that part's heading."""
    heading, found = "", {}
    for cell in nbformat.read(path(number, "exercises"), as_version=4).cells:
        if cell.cell_type == "markdown" and (begins := re.search(r"^## (Before the next .+)$", cell.source, re.MULTILINE)):
            heading = begins[1]
        name = cell.metadata.get("exercise")
        if heading and name and catalogue()[name].kind in PROGRAMS:
            found[name] = heading
    return found


def asked_on_the_way(lead: Lead) -> list[Question]:
    """The predictions of what is led."""
    headings = {part.heading for part in said(lead)}
    return [q for q in questions(lead.lesson) if q.name and q.heading in headings]


def asked_at_the_end(lead: Lead) -> list[Question]:
    """The lesson's last questions, but for those that speak of what was left out."""
    last = [q for q in questions(lead.lesson) if q.heading == LAST]
    return [q for q in last if not q.text.startswith(lead.not_asked)]


def _at(question: Question, lead: Lead, place: int) -> bool:
    return not question.name and question.heading == sections(lead.lesson)[place].heading
