"""One page of the site in a real browser, from the disk. `make test` reads this one, and `make test-all` the whole site."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import chromium, open_page
from playwright.sync_api import Page, expect

from transformer_course._util import paths
from transformer_course.site import make, pages
from transformer_course.site.notebook_page import write_page

LESSON = "notebooks/02_self_attention_by_hand"
INDEX = f"# Index\n\n```{{toctree}}\n{LESSON}\n```\n"
WIDE = """[...document.querySelectorAll("pre")].filter(part => part.checkVisibility()
    && part.scrollWidth > part.clientWidth && part.tabIndex !== 0).map(part => part.textContent)"""


@pytest.fixture
def lesson(tmp_path) -> Path:
    """The page of a lesson, on a site that has no other."""
    folder = shutil.copytree(pages.HERE, tmp_path / "pages")
    for name in ("notebooks", "extra"):
        (folder / name).mkdir()
    (folder / "index.md").write_text(INDEX, encoding="utf-8")
    write_page(paths.ROOT / f"{LESSON}.ipynb", folder, f"{LESSON}.ipynb", ())
    shutil.copy(pages.MATH_FONT, folder / "static")
    make._build(folder, tmp_path / "built")
    return tmp_path / "built" / f"{LESSON}.html"


@pytest.fixture
def page() -> Iterator[Page]:
    with chromium() as browser:
        yield open_page(browser, offline=True)


def test_a_result_appears_once_the_reader_has_chosen(page, lesson):
    page.set_viewport_size({"width": 320, "height": 800})
    page.goto(lesson.as_uri())
    question = page.locator("course-question[data-question='02.largest'][data-view='predict']")
    result = page.get_by_text("[1. 0. 1.]", exact=True)
    expect(result).to_be_hidden()
    expect(page.get_by_text("By hand, the three scores of")).to_be_hidden()
    question.get_by_role("button").first.click()
    expect(result).to_be_visible()
    expect(page.get_by_text("By hand, the three scores of")).to_be_visible()
    reply = page.locator("course-question[data-question='02.largest'][data-view='reveal'] details[open]")
    expect(reply).to_have_count(1)
    assert page.evaluate(WIDE) == []  # the keyboard scrolls what is wider than the page
    page.reload()
    expect(result).to_be_visible()
