"""The instructor's pages in a real browser: they fit a phone and a laptop, and people who cannot see them can read them."""

from collections.abc import Iterator

import pytest
from axe import serious_faults
from chromium import chromium, open_page
from playwright.sync_api import Page
from workshop_pages import EACH

from transformer_course.folders.learner_folder import sync_files

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def opened() -> set[str]:
    """The pages that were opened. Most pages of a shorter workshop are also in a longer one."""
    return set()


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with chromium() as browser:
        yield open_page(browser, offline=True)


@EACH
def test_no_page_has_a_serious_fault_or_is_wider_than_its_screen(plan, page, contents, opened, tmp_path):
    pages = {name: text for name, text in contents[plan.name].items() if name.endswith(".html") and "slides" not in name}
    pages = {name: text for name, text in pages.items() if text not in opened}
    assert pages
    opened.update(pages.values())
    sync_files(tmp_path, pages)
    for name in pages:
        page.goto((tmp_path / name).as_uri())
        for theme, width in (("light", 1366), ("dark", 390)):
            page.emulate_media(color_scheme=theme)
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, width)
            assert serious_faults(page) == [], (name, theme)
