"""The instructor's pages in a real browser: they fit a phone and a laptop, and people who cannot see them can read them."""

import os

import pytest
from axe import serious_faults
from chromium import CHROMIUM, OFFLINE
from playwright.sync_api import sync_playwright
from workshop_pages import EACH

from transformer_course.folders.learner_folder import sync_files

pytestmark = pytest.mark.slow


@EACH
def test_no_page_has_a_serious_fault_or_is_wider_than_its_screen(plan, contents, tmp_path):
    if CHROMIUM is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("needs Chromium: apt install chromium")
    pages = {name: text for name, text in contents[plan.name].items() if name.endswith(".html") and "slides" not in name}
    sync_files(tmp_path, pages)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OFFLINE)
        page = browser.new_context(offline=True).new_page()
        page.set_default_timeout(600_000)
        for name in pages:
            page.goto((tmp_path / name).as_uri())
            for theme, width in (("light", 1366), ("dark", 390)):
                page.emulate_media(color_scheme=theme)
                page.set_viewport_size({"width": width, "height": 800})
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, width)
                assert serious_faults(page) == [], (name, theme)
        browser.close()
