"""The printed book, read back: all pages are there and none is empty, numbers and links lead to the right page."""

import pytest
from chromium import needs_chromium
from pypdf import PdfReader

from transformer_course.site import book
from transformer_course.site.make import SiteError

LESSON, SHEET, DOCUMENT = "02_self_attention_by_hand", "02_sheet_self_attention_by_hand", "formulas"
CHAPTERS = {
    "Lessons": [f"notebooks/{LESSON}.ipynb"],
    "Exercises": [f"exercises/{SHEET}.ipynb"],
    "Documents": [f"docs/{DOCUMENT}.md"],
}
SMALL = {"Lessons": ["one.ipynb", "two.ipynb"], "Documents": ["three.md"]}
OUTSIDE = "https://example.org/"


@pytest.fixture(scope="module")
def small_site(tmp_path_factory):
    """Three chapters, of two, one and two pages on paper."""
    site = tmp_path_factory.mktemp("site")
    next_page = "<p style='break-before: page'>"
    texts = {
        "one": f"<a href='three.html#place'>three</a> <a href='four.html'>four</a> <a href='{OUTSIDE}'>out</a>{next_page}More",
        "two": "Short",
        "three": f"Long{next_page}<b id='place'>A place</b> <a href='#place'>to link to</a>",
    }
    for name, text in texts.items():
        (site / f"{name}.html").write_text(f"<!doctype html><title>x</title><h1>Chapter {name}</h1>{text}", encoding="utf-8")
    return site


@pytest.fixture(scope="module")
def small(small_site, tmp_path_factory):
    needs_chromium()
    folder = tmp_path_factory.mktemp("small book")
    book.make(small_site, folder, SMALL)
    return folder


@pytest.fixture(scope="module")
def pages(built_site, tmp_path_factory):
    needs_chromium()
    folder = tmp_path_factory.mktemp("book")
    book.make(built_site, folder, CHAPTERS)
    return PdfReader(folder / book.BOOK).pages


def text_of(page) -> str:
    return " ".join(page.extract_text().split())


def links_of(pages) -> list[str | int]:
    """Where each link leads: an address, or the number of a page."""
    numbers = {page.indirect_reference.idnum: number for number, page in enumerate(pages, 1)}
    links = [link.get_object() for page in pages for link in page.get("/Annots", [])]
    return [numbers[link["/Dest"][0].idnum] if "/Dest" in link else str(link["/A"]["/URI"]) for link in links]


def test_the_contents_name_the_page_on_which_each_chapter_begins(small):
    assert [text_of(page) for page in PdfReader(small / book.BOOK).pages] == [
        "Transformer course",
        "Contents Lessons Chapter one 3 Chapter two 5 Documents Chapter three 6 2",
        *("Chapter one three four out 3", "More 4", "Chapter two Short 5", "Chapter three Long 6", "A place to link to 7"),
    ]


def test_a_link_leads_to_the_page_of_its_place_and_one_to_a_missing_chapter_is_no_link(small):
    assert links_of(PdfReader(small / book.BOOK).pages) == [3, 5, 6, 7, OUTSIDE, 7]
    assert links_of(PdfReader(small / "one.pdf").pages) == [OUTSIDE]


@pytest.mark.slow
def test_no_page_is_empty_and_each_has_its_number(pages):
    assert [text_of(page).split()[-1] for page in pages[1:]] == [str(number) for number in range(2, len(pages) + 1)]
    assert all(len(text_of(page)) > 20 or "/XObject" in page["/Resources"] for page in pages[1:])


@pytest.mark.slow
def test_what_a_click_unfolds_is_open_on_paper(pages):
    everything = " ".join(map(text_of, pages))
    assert "That they are right, at least up to rounding" in everything  # a choice, and the reply to it:
    assert "Nothing makes the columns sum to 1" in everything
    assert "Your guess is a" not in everything
    assert 'ask("02.exit")' not in everything  # which shows nothing on paper


def test_without_a_site_the_command_to_make_one_is_named(tmp_path):
    with pytest.raises(SiteError, match="First run: transformer-course site"):
        book.make(tmp_path / "none", tmp_path / "book", SMALL)


def test_without_chromium_nothing_is_printed(small_site, tmp_path, monkeypatch):
    monkeypatch.setattr(book.shutil, "which", lambda program: None)
    with pytest.raises(SiteError, match="needs Chromium"):
        book.make(small_site, tmp_path / "book", SMALL)
