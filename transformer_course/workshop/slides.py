"""Slides from the stored lessons: questions with their answers one step below, pictures, formulas, and what to take away."""

import re
from collections.abc import Iterable, Iterator

from markupsafe import Markup
from nbformat import NotebookNode

from transformer_course.course.question import Question
from transformer_course.exercises.catalogue import question_groups

from . import figure_parts, lesson, paper_tasks
from .contexts import CONTEXTS, Context
from .dark_text import with_dark_text
from .lesson import Section
from .map import MAP, map_of
from .sessions import FINAL_QUESTIONS
from .slide import Picture, Slide, html, inline
from .slide_texts import capital, last_words, plain

HEIGHT = 640  # pixels of 720 for what stands on a slide, below its heading
MOST = 12  # slides of a lesson; a question and the steps below it count once
WIDEST, TALLEST = 62, 8  # characters and lines of printed text that can be read on a slide
FORMULA = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
BESIDE = re.compile(r"\\qquad(?:\s*\\text\{or\}\s*\\qquad|\s*\\qquad)?")  # stands between formulas on one line


def of_lesson(number: str) -> list[Slide]:
    """Return the slides of a lesson's core, at most MOST."""
    first, *rest = lesson.core(lesson.sections(number))
    middle = list(of_sections(number, [first, *(part for part in rest if part.heading != FINAL_QUESTIONS)]))
    shown = [slide for slide in middle if slide.kind != "paper"]  # for these, there is time only in a workshop
    return [title(number), *_fitting(shown, MOST - 3), *closing(number)]


def title(number: str) -> Slide:
    """Return the first slide of a lesson: its name, its question and its place on the map."""
    first = lesson.sections(number)[0]
    name, *asks = re.split(r": |(?<=\?) ", lesson.title(number), maxsplit=1)
    pictures = [picture for index in first.cells for picture in _pictures(lesson.read(number).cells[index])]
    return Slide(
        "title",
        name,
        f"lesson-{number}",
        body=inline(capital("".join(asks))),
        pictures=pictures[:1],
        notes=html(first.prose[0]),
    )


def closing(number: str) -> list[Slide]:
    """Return the last slides of a lesson: the answer to its question, and what to take away."""
    answer = lesson.summary(number)
    asks, _, says = answer.removeprefix("**").partition("**")
    slides = [Slide("text", plain(asks), body=html(says.strip()))]
    cells = [lesson.read(number).cells[index] for part in lesson.core(lesson.sections(number)) for index in part.cells]
    for cell in cells:
        points = re.search(r"take away:\n\n(.+?)(?:\n\n(?![\d*-]|  )|\Z)", cell.source, re.DOTALL)
        if cell.cell_type == "markdown" and points:
            slides.append(Slide("text", "To take away", body=html(points[1])))
    return slides


def of_sections(number: str, parts: Iterable[Section]) -> Iterator[Slide]:
    """Yield the slides of some sections of a lesson, in order, without its title and its last words."""
    cells = lesson.read(number).cells
    for part in parts:
        is_title = part.heading == lesson.title(number)
        asked: Slide | None = None
        last: Slide | None = None  # the picture that is not yet explained
        figure: list[Picture] = []  # the last one
        steps: list[Slide] = []  # its parts
        above, shown = "", ""  # the text above the next cell, and what the code above that text printed
        if part.begins not in part.cells:  # a later heading is in the same cell
            yield from paper_tasks.of(part.heading, part.prose[0])
        for index in part.cells:
            cell = cells[index]
            if cell.cell_type == "markdown":
                explained = re.search(r"\*\*In the picture:\*\* (.+?)(?=\n\n|\Z)", cell.source, re.DOTALL)
                if explained and last:
                    figure_parts.explain(last, steps, explained[1])
                    last = None
                above = last_words(cell.source)
                if not is_title:
                    text = part.prose[0] if index == part.begins else cell.source
                    yield from paper_tasks.of(part.heading, text)
                    yield from _formulas(part.heading, cell.source)
                continue
            if name := re.search(r'^predict\("([\w.]+)"\)$', cell.source, re.MULTILINE):
                question = next(each.question for each in part.asked if each.question.id == name[1])
                asked = of_question(question, part.heading, above, shown)
                continue
            if not is_title:
                for name in re.findall(r'^ask\("([\w.]+)"\)$', cell.source, re.MULTILINE):
                    yield from (of_question(each, part.heading) for each in question_groups()[name])
            printed = "".join(output.text for output in cell.outputs if output.output_type == "stream").rstrip()
            if asked and not is_title:
                asked.below[0].printed = asked.below[0].printed or _readable(printed)
            above, shown = "", _readable(printed)
            if (pictures := [*_pictures(cell)]) and not is_title:
                figure, last = pictures, Slide("picture", part.heading, pictures=pictures)
                steps = figure_parts.slides(part.heading, pictures, cell.source)
                if asked:
                    asked.below += [last, *steps]
                else:
                    last.below = steps
                    yield last
            if asked and "reveal(" in cell.source:
                # The reply comes after the pictures that show it, and beside numbers or the last picture.
                reply, *shows = asked.below
                if shows and not reply.printed:
                    reply.pictures = figure
                asked.below = [*shows, reply]
                _fit_answer(reply)
                yield asked
                asked = None


def of_question(question: Question, heading: str, lead: str = "", printed: str = "") -> Slide:
    """Return a question, with its answer below it. The notes say what to answer to those who chose otherwise.

    ``lead`` is the text that leads up to it, and ``printed`` what the code above that text has printed.
    """
    context = CONTEXTS.get(question.id, Context())
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
    """Yield the figures that a code cell shows. The map is drawn again: a lesson's has type too small for a projector."""
    for output in cell.get("outputs", []):
        if png := output.get("data", {}).get("image/png"):
            alt = output.metadata.get("image/png", {}).get("alt", "")
            yield map_of(MAP.search(alt)[1]) if MAP.search(alt) else Picture(with_dark_text(png), alt)


def _formulas(heading: str, text: str) -> Iterator[Slide]:
    """Yield a slide with the formulas of a text. Above them, if there is room, are the words that lead up to the first."""
    if found := [part.strip(" \n,.;") for formula in FORMULA.findall(text) for part in BESIDE.split(formula)]:
        lead = last_words(text[: text.index("$$")].rstrip()) if len(found) <= 3 else ""
        yield Slide("formula", heading, lead=inline(lead), body=html("\n\n".join(f"$${formula}$$" for formula in found)))


def _readable(printed: str) -> str:
    """Return printed text if it can be read on a slide; otherwise nothing, because the room has it on its own screens."""
    lines = printed.splitlines()
    return printed if len(lines) <= TALLEST and all(len(line) <= WIDEST for line in lines) else ""
