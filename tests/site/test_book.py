"""The printed book, read back: all pages are there and none is empty, numbers and links lead to the right page."""

import re

import pytest
from chromium import needs_chromium
from pypdf import PdfReader

from transformer_course.site import book
from transformer_course.site.make import SiteError

pytestmark = pytest.mark.slow

LESSON, SHEET, DOCUMENT = "02_self_attention_by_hand", "02_sheet_self_attention_by_hand", "formulas"
CHAPTERS = {
    "Lessons": [f"notebooks/{LESSON}.ipynb"],
    "Exercises": [f"exercises/{SHEET}.ipynb"],
    "Documents": [f"docs/{DOCUMENT}.md"],
}


@pytest.fixture(scope="module")
def printed(built_site, tmp_path_factory):
    needs_chromium()
    folder = tmp_path_factory.mktemp("book")
    book.make(built_site, folder, CHAPTERS)
    return folder


@pytest.fixture(scope="module")
def pages(printed):
    return PdfReader(printed / book.BOOK).pages


def text_of(page) -> str:
    return " ".join(page.extract_text().split())


def links_of(pages) -> list:
    return [link.get_object() for page in pages for link in page.get("/Annots", [])]


def test_no_page_is_empty_and_each_has_its_number(pages):
    assert [text_of(page).split()[-1] for page in pages[1:]] == [str(number) for number in range(2, len(pages) + 1)]
    assert all(len(text_of(page)) > 20 or "/XObject" in page["/Resources"] for page in pages[1:])


def test_the_contents_name_the_page_on_which_each_chapter_begins(pages):
    contents = text_of(pages[1])
    for title in ("Lessons 02 · Self-attention by hand", "Sheet 02 · Self-attention by hand", "The formulas"):
        number = re.search(rf"{title}\D*(\d+)", contents)[1]
        title = title.removeprefix("Lessons ")
        assert title in text_of(pages[int(number) - 1])


def test_a_link_to_another_chapter_leads_to_its_page(pages):
    addresses = [str(link["/A"]["/URI"]) for link in links_of(pages) if "/A" in link]
    assert addresses
    assert all(address.startswith("http") for address in addresses)
    first = {page.indirect_reference.idnum: index for index, page in enumerate(pages)}
    targets = {first[link["/Dest"][0].idnum] for link in links_of(pages[2:4]) if "/Dest" in link}
    assert any("Sheet 02" in text_of(pages[target]) for target in targets)


def test_what_a_click_unfolds_is_open_on_paper(pages):
    everything = " ".join(map(text_of, pages))
    assert "They are right" in everything  # a choice, and the reply to it:
    assert "Nothing makes the columns sum to 1" in everything
    assert "Your guess is a" not in everything
    assert 'ask("02.exit")' not in everything  # which shows nothing on paper


def test_a_chapter_alone_has_no_link_to_another_file(printed):
    alone = PdfReader(printed / f"{LESSON}.pdf").pages
    addresses = [str(link["/A"]["/URI"]) for link in links_of(alone) if "/A" in link]
    assert all(address.startswith("http") for address in addresses)


def test_without_a_site_the_command_to_make_one_is_named(tmp_path):
    with pytest.raises(SiteError, match="First run: transformer-course site"):
        book.make(tmp_path / "none", tmp_path / "book", CHAPTERS)


def test_without_chromium_nothing_is_printed(built_site, tmp_path, monkeypatch):
    monkeypatch.setattr(book.shutil, "which", lambda program: None)
    with pytest.raises(SiteError, match="needs Chromium"):
        book.make(built_site, tmp_path / "book", CHAPTERS)
