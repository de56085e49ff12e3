"""One notebook as a page of the site: what JupyterLab adds when it shows a notebook is added here."""

import base64
import itertools
import re
from collections.abc import Collection, Iterable, Iterator
from html import escape
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from transformer_course._util.mathml import with_formulas
from transformer_course.authoring.build import MAP
from transformer_course.folders.learner_folder import without_dead_links
from transformer_course.workshop.slides import BESIDE, FORMULA

from .first_page import MODEL
from .model_map import model_map

PICTURES = "pictures"
ONLY_ASKS = re.compile(r'(?:(?:predict|reveal|ask)\("[\w.]+"\)\s*)+')
WAYS = re.compile(r"^\[.*\]\([^()]*\.ipynb\)\Z", re.MULTILINE)  # the last line of a notebook's first and last cell

READ = """\
```{{container}} on-screen
This page is for reading{kept}. You run and write code in JupyterLab: {install}.
```
"""
OWN = ", and without results, because those come from your own code"  # on a sheet or a stage
RUNS_HERE = {  # lessons at whose end a model runs in the page, where a reader has no kernel
    "16": "`prose` runs on this page, too. Under *Settings*, change the temperature and top-p. Then point at a piece of the "
    "text to see what else it could have been.",
    "19": "`prose` runs on this page, too, with its lens. Let it write, point at a piece of the text, and open *Halfway*.",
}
SLIDES = '\n<p class="slides"><a href="../slides/{number}.html">The slides of this lesson</a></p>\n'


class NotebookError(Exception):
    """A notebook cannot become a page; the message says why and what to try."""


def write_page(notebook: Path, pages: Path, key: str, available: Collection[str]) -> None:
    """Write a notebook into the folder of the pages, and its pictures beside them. Raises NotebookError.

    Links to what is not ``available`` become plain text: an installed course has fewer documents than a clone.
    """
    try:
        text = without_dead_links(notebook.read_text(encoding="utf-8"), key, available)
        content = nbformat.reads(text, as_version=4)
    except (ValueError, nbformat.ValidationError, nbformat.reader.NotJSONError):
        raise NotebookError(f"{key} is damaged. Restore it, or build it again: make notebooks") from None
    for cell in content.cells:
        if cell.cell_type == "markdown":
            cell.source = re.sub(r"(?<=\.ipynb#)[^()\s]+(?=\))", _as_myst_names, cell.source)
            cell.source = FORMULA.sub(_below_each_other, cell.source)
    first, last = content.cells[0], content.cells[-1]
    first.source = WAYS.sub("", first.source)  # a page begins with its title: the same links are at its end
    last.source = WAYS.sub(r"\n```{container} ways\n\g<0>\n```", last.source)  # path.js changes them
    code = [cell for cell in content.cells if cell.cell_type == "code"]
    if key.startswith("notebooks/") and not any(cell.outputs for cell in code):
        raise NotebookError(f"{key} has no outputs. Build it again: make notebooks LESSONS={notebook.stem[:2]}")
    asked: list[str] = []
    for cell in code:
        if cell.source == MAP and not cell.outputs:  # at the end of a stage, which is stored without outputs
            cell.outputs = [nbformat.v4.new_output("display_data", {"text/html": model_map(top="../")})]
        if cell.source.startswith("check("):  # of an answer that is not written yet
            cell.outputs = []
        _wait_for_guesses(cell, asked)
        cell.outputs = list(_joined(cell.outputs))
        if ONLY_ASKS.fullmatch(cell.source):
            _tag(cell, "only-asks")  # on paper, site.css shows only what it asks
        if cell.metadata.get("jupyter", {}).get("source_hidden"):
            _tag(cell, "hide-input")
    for number, output in enumerate(output for cell in code for output in cell.outputs):
        _show(output, pages, f"{notebook.stem}-{number}.png")
    is_lesson = key.startswith("notebooks/")
    if is_lesson and (invitation := RUNS_HERE.get(notebook.stem[:2])):
        place = next(k for k, cell in enumerate(content.cells) if cell.source.startswith("## Deeper"))
        text = f"````{{container}} on-screen\n{invitation}\n\n{MODEL.format(top='../')}\n````"
        content.cells.insert(place, nbformat.v4.new_markdown_cell(text))
    if is_lesson:
        content.cells.append(nbformat.v4.new_markdown_cell(SLIDES.format(number=notebook.stem[:2])))
    install = "[install the course](../docs/install.md)"
    text = READ.format(kept="" if is_lesson else OWN, install=without_dead_links(install, key, available))
    content.cells.insert(0, nbformat.v4.new_markdown_cell(text))
    nbformat.write(content, pages / key)


def _as_myst_names(heading: re.Match) -> str:
    """JupyterLab names a heading by its words with hyphens between them; MyST makes them lower case, without punctuation."""
    return re.sub(r"[^\w-]", "", heading[0].lower())


def _below_each_other(formula: re.Match) -> str:
    """Put formulas that stand side by side below each other: a phone has no room for both."""
    parts = [part.strip() for part in BESIDE.split(formula[1])]
    if len(parts) == 1:
        return formula[0]
    return "\n\n".join(f"$$\n{part}\n$$" for part in parts)


def _wait_for_guesses(cell: NotebookNode, asked: list[str]) -> None:
    """Tag the cells that show the result of a prediction. ``site.js`` hides them until the reader has guessed."""
    for question in asked:
        _tag(cell, f"after-{question.replace('.', '-')}")
    for call, question in re.findall(r'^(predict|reveal)\("([\w.]+)"\)$', cell.source, re.MULTILINE):
        if call == "predict":
            asked.append(question)
        elif question in asked:
            asked.remove(question)


def _joined(outputs: Iterable[NotebookNode]) -> Iterator[NotebookNode]:
    """Yield a cell's outputs with printed text in one piece, even if it was printed bit by bit."""
    for stream, several in itertools.groupby(outputs, lambda output: output.get("name", "")):
        if stream:
            first, *others = several
            first.text += "".join(output.text for output in others)
            yield first
        else:
            yield from several


def _tag(cell: NotebookNode, tag: str) -> None:
    cell.metadata.setdefault("tags", []).append(tag)


def _show(output: NotebookNode, pages: Path, name: str) -> None:
    """Give a picture its alt text, turn a question's formulas into MathML, and lead links to pages."""
    data = output.get("data", {})
    if "text/markdown" in data:
        data["text/markdown"] = data["text/markdown"].replace(".ipynb)", ".html)")
    if "image/png" in data:
        about = output.metadata.get("image/png", {})
        picture = pages / "extra" / PICTURES / name
        picture.parent.mkdir(parents=True, exist_ok=True)
        png = base64.b64decode(data["image/png"])
        picture.write_bytes(png)
        sizes = "".join(f' {side}="{about[side]}"' for side in ("width", "height") if side in about)
        sizes += f' style="--drawn: {int.from_bytes(png[16:20])}px"'  # a PNG's width: site.css keeps its labels readable
        data.clear()
        image = f'<img class="figure" src="../{PICTURES}/{name}" alt="{escape(about.get("alt", ""))}"{sizes}>'
        data["text/html"] = f'<a href="../{PICTURES}/{name}">{image}</a>'  # on a phone, a tap shows it in full size
    elif "<course-question" in data.get("text/html", ""):
        questions = re.compile("<course-question.*?</course-question>", re.DOTALL)  # dollar signs in scripts mark no formulas
        data["text/html"] = questions.sub(lambda question: with_formulas(question[0]), data["text/html"])
    elif "course-map" in data.get("text/html", ""):
        data["text/html"] = data["text/html"].replace('.ipynb"', '.html"')
