"""A lesson with its outputs as one HTML page, for learners whose laptop fails: no network, no scripts, figures included."""

import functools
import re
from collections.abc import Iterable, Iterator

import nbformat
from markupsafe import Markup, escape
from nbconvert import HTMLExporter
from nbformat import NotebookNode
from pygments.formatters import HtmlFormatter

from transformer_course import course
from transformer_course._util.markdown import html
from transformer_course._util.mathml import with_formulas
from transformer_course.course.source import Cell
from transformer_course.folders.learner_folder import without_dead_links

from .leader_pages import PAGES

FOLD, UNFOLD = "<details><summary>What the next cells show</summary>", "</details>"


@functools.cache
def executed(number: str, lessons: tuple[str, ...]) -> str:
    """Return the page of a lesson, from its stored outputs. The replies to its questions are folded.

    Like the learners' copies, it has no questions about lessons other than ``lessons``.
    """
    lesson = course.lesson(number)
    left_out = {question.id for question in lesson.questions if not {*lessons} >= {*question.origin}}
    text = without_dead_links(lesson.notebook.read_text(encoding="utf-8"), "", available=())
    notebook = nbformat.reads(text, as_version=4)
    notebook.cells = list(_folded(notebook.cells, lesson.cells))
    for cell in notebook.cells:
        cell.metadata.pop("jupyter", None)  # which folds code that gives an answer away; here the result is below it
        for output in cell.get("outputs", []):
            if question := output.get("data", {}).get("text/html"):
                for element in ("script", *(f'course-question data-question="{name}"' for name in left_out)):
                    question = re.sub(f"<{element}.*?</{element.split()[0]}>", "", question, flags=re.DOTALL)
                question = re.sub(r' href="[^"]*\.ipynb[^"]*"', "", question)  # of the map: these pages stand alone
                output.data["text/html"] = with_formulas(question)
    body, _ = _exporter().from_notebook_node(notebook)
    for tags in (FOLD, UNFOLD):
        body = body.replace(escape(tags), tags)  # raw cells come out escaped
    body = body.replace("<table", '<table tabindex="0"')  # on a phone, a wide one scrolls by itself, with the keyboard too
    body = re.sub("<h2>(.+?)</h2>", lambda heading: f'<h2 id="{_anchor(heading[1])}">{heading[1]}</h2>', body)
    return PAGES.get_template("executed.html").render(
        title=lesson.title, body=Markup(body), highlighting=Markup(HtmlFormatter().get_style_defs(".highlight"))
    )


def _folded(cells: Iterable[NotebookNode], written: Iterable[Cell]) -> Iterator[NotebookNode]:
    """Yield a lesson's cells. After a prediction, its result and what follows from it are folded.

    They end where the next part, the next question or a task begins.
    """
    links, *cells, more_links = cells
    yield links
    folded = replied = False
    for cell, source in zip(cells, written, strict=True):
        begins = source.headings or {"predict", "ask"} & {*source.says} or source.block("paper") or source.block("task")
        if folded and replied and begins:
            yield nbformat.v4.new_raw_cell(UNFOLD)
            folded = replied = False
        yield cell
        if "predict" in source.says:
            yield nbformat.v4.new_raw_cell(FOLD)
            folded = True
        replied = replied or (folded and source.kind == "code" and "reveal(" in source.text)
    yield more_links
    if folded:
        yield nbformat.v4.new_raw_cell(UNFOLD)


def _anchor(heading: str) -> str:
    return re.sub(r"\W+", "-", re.sub(r"<[^>]*>|&\w+;", "", heading)).strip("-").lower()


@functools.cache
def _exporter() -> HTMLExporter:
    return HTMLExporter(template_name="basic", filters={"markdown2html": _html}, embed_images=True)


def _html(markdown: str) -> Markup:
    """Return Markdown as HTML in which each formula on a line of its own scrolls by itself, with the keyboard too."""
    block = r'<math[^>]*display="block".*?</math>'
    return Markup(re.sub(block, r'<div class="math" tabindex="0">\g<0></div>', str(html(markdown)), flags=re.DOTALL))
