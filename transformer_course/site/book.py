"""Prints the site with Chromium: each page as a PDF, and all of them as one book with contents and page numbers.

``make book`` calls it as ``python -m transformer_course.site.book SITE FOLDER``.
"""

import html
import io
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Page, sync_playwright
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, FloatObject, NameObject, NullObject

from .make import SiteError
from .pages import parts

BOOK = "transformer-course.pdf"
MARGIN = "18mm"
SHEET = (
    "<style>@page { size: A4 } body { font: 11pt sans-serif; margin: 0 } a { color: inherit; text-decoration: none }</style>"
)


@dataclass(frozen=True)
class Chapter:
    """One page of the site, printed."""

    file: Path
    title: str
    pdf: bytes

    def reader(self) -> PdfReader:
        return PdfReader(io.BytesIO(self.pdf))


def make(site: Path, folder: Path, chapters: Mapping[str, Sequence[str]] | None = None) -> None:
    """Print a site into ``folder``: one PDF per page, and the book.

    ``chapters`` are the paths of pages in the site, by part of the book; by default those of the whole site.
    Raises SiteError if there is no site or no Chromium.
    """
    chapters = parts() if chapters is None else chapters
    files = [site / Path(key).with_suffix(".html") for keys in chapters.values() for key in keys]
    if missing := [file for file in files if not file.exists()]:
        raise SiteError(f"There is no page {missing[0]}. First run: transformer-course site {site}")
    folder.mkdir(parents=True, exist_ok=True)
    with _chromium() as page:
        printed = {file: _printed(page, file) for file in files}
        for chapter in printed.values():
            single = PdfWriter()
            single.append(chapter.reader(), import_outline=True)
            _link(single, [(0, chapter)])
            single.write(folder / f"{chapter.file.stem}.pdf")
        named = {part: [printed[site / Path(key).with_suffix(".html")] for key in keys] for part, keys in chapters.items()}
        _bound(page, named).write(folder / BOOK)


@contextmanager
def _chromium() -> Iterator[Page]:
    """A page without scripts: then every result is visible, and nothing waits for a click."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        raise SiteError("Printing needs Chromium. Install it, for example with: sudo apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser.new_context(java_script_enabled=False, color_scheme="light", offline=True).new_page()
        browser.close()


def _printed(page: Page, file: Path) -> Chapter:
    page.goto(file.as_uri())
    pdf = _pdf(page, outline=True, tagged=True, print_background=True)
    return Chapter(file, page.locator("h1").first.inner_text().removesuffix("#").strip(), pdf)


def _pdf(page: Page, margin: str = MARGIN, **options) -> bytes:
    return page.pdf(format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), margin), **options)


def _bound(page: Page, chapters: Mapping[str, Sequence[Chapter]]) -> PdfWriter:
    """The book: its contents, then all chapters, with page numbers, links from page to page, and an outline."""
    every = [chapter for named in chapters.values() for chapter in named]
    lengths = [len(chapter.reader().pages) for chapter in every]
    front = len(_contents(page, chapters, [0] * len(every)).pages)
    starts = [front + sum(lengths[:index]) for index in range(len(every))]
    book = PdfWriter()
    contents = Chapter(Path(), "Contents", b"")
    book.append(_contents(page, chapters, starts), import_outline=False)
    for chapter in every:
        book.append(chapter.reader(), import_outline=False)
    _link(book, [(0, contents), *zip(starts, every, strict=True)])
    _number(page, book)
    start = iter(starts)
    for part, named in chapters.items():
        above = None
        for chapter in named:
            at = next(start)
            above = above or book.add_outline_item(title=part, page_number=at)
            book.add_outline_item(title=chapter.title, page_number=at, parent=above)
    book.add_metadata({"/Title": "Transformer course"})
    book.compress_identical_objects()
    return book


def _contents(page: Page, chapters: Mapping[str, Sequence[Chapter]], starts: Sequence[int]) -> PdfReader:
    """The title and the table of contents, whose entries are links to the pages of the site, as everywhere."""
    start = iter(starts)
    rows = "".join(
        f"<h2>{html.escape(part)}</h2>"
        + "".join(
            f'<p><a href="{chapter.file.as_uri()}">{html.escape(chapter.title)}</a><b></b><span>{next(start) + 1}</span></p>'
            for chapter in named
        )
        for part, named in chapters.items()
    )
    style = (
        "<style>h1 { margin: 60mm 0; font-size: 28pt } h2 { break-after: avoid } "
        "p { display: flex; gap: 3mm; margin: 1.5mm 0 } b { flex: 1 }</style>"
    )
    page.set_content(f"{SHEET}{style}<h1>Transformer course</h1><h2 style='break-before: page'>Contents</h2>{rows}")
    return PdfReader(io.BytesIO(_pdf(page)))


def _number(page: Page, book: PdfWriter) -> None:
    """Write its number at the foot of each page but the first."""
    feet = "".join(f"<div>{number if number > 1 else ''}</div>" for number in range(1, len(book.pages) + 1))
    style = "<style>div { height: 285mm; display: flex; align-items: end; justify-content: center; break-after: page }</style>"
    page.set_content(f"{SHEET}{style}{feet}")
    numbers = PdfReader(io.BytesIO(_pdf(page, margin="0")))
    for sheet, number in zip(book.pages, numbers.pages, strict=False):
        sheet.merge_page(number)
        sheet.compress_content_streams()  # merging leaves them uncompressed


def _link(book: PdfWriter, bound: Sequence[tuple[int, Chapter]]) -> None:
    """Let links lead to where their page or heading is in this file; those to pages that it lacks become plain text."""
    starts = {chapter.file: start for start, chapter in bound}
    places = {chapter.file: _places(chapter) for _, chapter in bound if chapter.pdf}
    ends = [start for start, _ in bound[1:]] + [len(book.pages)]
    for (start, chapter), end in zip(bound, ends, strict=True):
        for sheet in book.pages[start:end]:
            kept = [link for each in sheet.get("/Annots", []) if (link := _linked(each, chapter, starts, places, book))]
            sheet[NameObject("/Annots")] = ArrayObject(kept)


def _linked(reference, chapter: Chapter, starts: dict[Path, int], places: dict, book: PdfWriter):
    """A link's annotation, changed to lead into this file; None if it leads nowhere."""
    link = reference.get_object()
    name = link.get("/Dest")
    address = link.get("/A", {}).get("/URI")
    if name is None and address is None:
        return reference
    if name is not None:
        file, place = chapter.file, str(name).removeprefix("/")
    else:
        parsed = urlsplit(str(address))
        if parsed.scheme != "file":
            return reference
        file, place = Path(unquote(parsed.path)), unquote(parsed.fragment)
    if file not in starts:
        return None
    offset, top = places.get(file, {}).get(place, (0, None))
    target = book.pages[starts[file] + offset].indirect_reference
    height = NullObject() if top is None else FloatObject(top)
    link.pop("/A", None)
    link[NameObject("/Dest")] = ArrayObject([target, NameObject("/XYZ"), NullObject(), height, NullObject()])
    return reference


def _places(chapter: Chapter) -> dict[str, tuple[int, float]]:
    """Where each named place of a chapter is: the index of its page, and its height there in points."""
    reader = chapter.reader()
    found = reader.named_destinations.items()
    return {
        name.removeprefix("/"): (reader.get_destination_page_number(place), float(place.top or 0)) for name, place in found
    }


if __name__ == "__main__":
    try:
        make(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
    except SiteError as error:
        sys.exit(str(error))
