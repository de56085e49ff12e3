"""Slides from the stored lessons: questions with their answers one step below, pictures, formulas, and what to take away."""

import re
from collections.abc import Iterable, Iterator

from markupsafe import Markup
from nbformat import NotebookNode

from transformer_course import course
from transformer_course.course.notes import Context
from transformer_course.course.part import DRAG, EXIT, TITLE, Part
from transformer_course.course.question import Question
from transformer_course.course.source import Cell, SourceError, capital
from transformer_course.exercises.catalogue import question_groups, questions

from . import figure_parts
from .dark_text import with_dark_text
from .lesson import notes, stored
from .map import MAP, map_of
from .slide import Picture, Slide, html, inline
from .slide_texts import last_words, plain

HEIGHT = 640  # pixels of 720 for what stands on a slide, below its heading
MOST = 12  # slides of a lesson; a question and the steps below it count once
WIDEST, TALLEST = 62, 8  # characters and lines of printed text that can be read on a slide
STILL = re.compile(r'<img src="data:image/webp;base64,([^"]+)"')  # of an explorable
FORMULA = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
RESULT = re.compile(r"<details><summary>.*?</summary>(.*)</details>", re.DOTALL)
BESIDE = re.compile(r"\\qquad(?:\s*\\text\{or\}\s*\\qquad|\s*\\qquad)?")  # stands between formulas on one line


def of_lesson(number: str) -> list[Slide]:
    """Return the slides of a lesson's core, at most MOST."""
    middle = of_parts(number, [part for part in course.lesson(number).core if part.id != EXIT])
    shown = [slide for slide in middle if slide.kind != "paper"]  # for these, there is time only in a workshop
    return [title(number), *_fitting(shown, MOST - 3), *closing(number)]


def title(number: str) -> Slide:
    """Return the first slide of a lesson: its name, its question and its place on the map."""
    lesson = course.lesson(number)
    first, name = lesson.parts[0], lesson.short_title
    pictures = [picture for index in first.cells for picture in _pictures(stored(number).cells[index])]
    return Slide(
        "title",
        name,
        f"lesson-{number}",
        body=inline(capital(lesson.title.removeprefix(name).lstrip(": "))),
        pictures=pictures[:1],
        notes=html(first.prose[0]),
    )


def closing(number: str) -> list[Slide]:
    """Return the last slides of a lesson: the answer to its question, and what to take away."""
    lesson = course.lesson(number)
    asks, bold, says = lesson.block("answer").removeprefix("**").partition("**")
    if not bold or not asks.endswith("?"):
        raise SourceError(f"{lesson.file}: the answer begins with the lesson's question in bold, got {asks[:40]!r}; add it")
    slides = [Slide("text", plain(asks), body=html(says.strip()))]
    if points := lesson.block("takeaway"):
        slides.append(Slide("text", "To take away", body=html(points)))
    return slides


def of_parts(number: str, parts: Iterable[Part]) -> Iterator[Slide]:
    """Yield the slides of some parts of a lesson, in order, without its title and its last words."""
    written, outputs = course.lesson(number).cells, stored(number).cells
    for part in parts:
        is_title = part.id == TITLE
        asked: Slide | None = None
        last: Slide | None = None  # the picture that is not yet explained
        figure: list[Picture] = []  # the last one
        steps: list[Slide] = []  # its parts
        above, shown = "", ""  # the text above the next cell, and what the code above that text printed
        if part.begins not in part.cells:  # a later heading is in the same cell
            yield from _tasks(number, part, part.begins, written[part.begins - 1])
        for index in part.cells:
            if index > len(written):  # the links below the lesson
                break
            cell = written[index - 1]
            if cell.kind == "markdown":
                if cell.caption and last:
                    figure_parts.explain(last, steps, cell.caption)
                    last = None
                above = last_words(cell.text, cell.says.get("seconds"))
                if not is_title:
                    yield from _formulas(part.heading, cell.text, cell.says.get("seconds"))
                    yield from _tasks(number, part, index, cell)
                continue
            if "predict" in cell.says:
                question = questions()[cell.says["predict"]]
                asked = of_question(question, part.heading, above, shown)
                continue
            if "ask" in cell.says and not is_title:
                yield from (of_question(each, part.heading) for each in question_groups()[cell.says["ask"]])
            streams = (output.text for output in outputs[index].outputs if output.output_type == "stream")
            printed = "".join(streams).rstrip()
            if asked and not is_title:
                asked.below[0].printed = asked.below[0].printed or _readable(printed)
            led_up, above, shown = above, "", _readable(printed)
            if (pictures := [*_pictures(outputs[index])]) and not is_title:
                figure, last = pictures, Slide("picture", part.heading, pictures=pictures)
                if DRAG.search(cell.text):
                    last.is_dragged, last.lead = True, inline(led_up)
                steps = figure_parts.slides(part.heading, pictures, cell.text)
                if asked:
                    asked.below += [last, *steps]
                else:
                    last.below = steps
                    yield last
            if asked and "reveal(" in cell.text:
                # The reply comes after the pictures that show it, and beside numbers or the last picture.
                reply, *shows = asked.below
                if shows and not reply.printed:
                    reply.pictures = figure
                asked.below = [*shows, reply]
                _fit_answer(reply)
                yield asked
                asked = None


def _tasks(number: str, part: Part, index: int, cell: Cell) -> Iterator[Slide]:
    """Yield the tasks on paper of a cell that belong to a part of a lesson. The results are in their notes."""
    blocks = [block for place, block in part.blocks if place == index]
    results = next((block.text for block in blocks if block.kind == "compare"), "")
    compared = html(RESULT.sub(r"**Compare:** \1", results))
    note = notes(number).parts.get(part.id)
    for task in blocks:
        if task.kind == "paper":
            begins = max((heading.line + 1 for heading in cell.headings if heading.line < task.line), default=0)
            above = "\n".join(cell.text.split("\n")[begins : task.line]).rstrip()
            lead = note.task if note and note.task else last_words(above, cell.says.get("seconds"))
            yield Slide("paper", part.heading, lead=inline(lead), body=html(task.text), notes=compared)


def of_question(question: Question, heading: str, lead: str = "", printed: str = "") -> Slide:
    """Return a question, with its answer below it. The notes say what to answer to those who chose otherwise.

    ``lead`` is the text that leads up to it, and ``printed`` what the code above that text has printed.
    """
    context = notes(question.id.partition(".")[0]).questions.get(question.id, Context())
    lead, letters = context.lead or lead, question.lettered
    choices = {letter: inline(choice.text) for letter, choice in letters.items()}
    others = Markup().join(
        Markup("<p><b>{} {}</b><br>{}</p>").format(letter, inline(choice.text), inline(choice.reply))
        for letter, choice in letters.items()
        if letter != question.right
    )
    right = letters[question.right]
    says = inline(f"{right.reply} {context.result}")
    reply = Slide("answer", heading, lead=html(question.text), body=says, choices=choices, right=question.right, notes=others)
    asks = Slide("question", heading, question.id, inline(lead), html(question.text), choices, printed=printed, below=[reply])
    _fit(asks)
    _fit_answer(reply)
    return asks


def _fit(slide: Slide) -> None:
    """Use the smaller size if a question needs it, and leave out what leads up to it if even that is not enough."""
    slide.small = _height(slide, 38) > HEIGHT
    if _height(slide, 32) > HEIGHT:
        slide.printed = ""
    if _height(slide, 32) > HEIGHT:
        slide.lead = Markup()


def _fit_answer(slide: Slide) -> None:
    """Use the smaller size if an answer needs it, and leave out its question if even that is not enough.

    Next to a picture there is no room for the question either.
    """
    slide.small = _height(slide, 38) > HEIGHT
    if slide.pictures or _height(slide, 32) > HEIGHT:
        slide.lead = Markup()


def _height(slide: Slide, size: int) -> float:
    """Estimate the height of a question or an answer in pixels, for letters of this size: half as wide as high, in lines
    1180 wide.
    """
    per_line = 1180 / (0.53 * size)
    texts = [slide.lead, slide.body, *(choice for letter, choice in slide.choices.items() if slide.right in ("", letter))]
    lines = sum(-(-len(text.striptags()) // per_line) for text in texts if text)
    rows = slide.body.count("<tr>") + slide.body.count("<li>")
    printed = 40 * len(slide.printed.splitlines()) + 44 if slide.printed else 0
    return printed + 1.35 * size * (lines + rows) + 16 * (len(slide.choices) + 3)


def _fitting(slides: list[Slide], most: int) -> list[Slide]:
    """Return as many slides as fit: all questions, then formulas and schematics, then other pictures from the beginning."""
    order = {"question": 0, "formula": 1, "picture": 2}
    chosen = sorted(range(len(slides)), key=lambda place: order[slides[place].kind])[:most]
    return [slides[place] for place in sorted(chosen)]


def _pictures(cell: NotebookNode) -> Iterator[Picture]:
    """Yield the figures that a code cell shows, and the picture of what readers drag.

    The map is drawn again: a lesson's has type too small for a projector.
    """
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if png := data.get("image/png"):
            alt = output.metadata.get("image/png", {}).get("alt", "")
            yield map_of(MAP.search(alt)[1]) if MAP.search(alt) else Picture(alt, with_dark_text, (png,))
        elif still := STILL.search(str(data.get("text/html", ""))):
            yield Picture(data["text/plain"], with_dark_text, (still[1],))


def _formulas(heading: str, text: str, seconds: int | None = None) -> Iterator[Slide]:
    """Yield a slide with the formulas of a text. Above them, if there is room, are the words that lead up to the first."""
    if found := [part.strip(" \n,.;") for formula in FORMULA.findall(text) for part in BESIDE.split(formula)]:
        lead = last_words(text[: text.index("$$")].rstrip(), seconds) if len(found) <= 3 else ""
        yield Slide("formula", heading, lead=inline(lead), body=html("\n\n".join(f"$${formula}$$" for formula in found)))


def _readable(printed: str) -> str:
    """Return printed text if it can be read on a slide; otherwise nothing, because the room has it on its own screens.

    How a record was made, which some cells print last, is left out.
    """
    printed = printed.partition("\nrecorded on ")[0]
    lines = printed.splitlines()
    return printed if len(lines) <= TALLEST and all(len(line) <= WIDEST for line in lines) else ""
