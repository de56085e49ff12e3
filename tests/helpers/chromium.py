"""Chromium for Playwright: where it is, and how it starts without asking the network for anything."""

import contextlib
import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
OFFLINE = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 600_000  # milliseconds, for a busy computer


def needs_chromium() -> None:
    """Skip this test if Chromium is missing. Continuous integration has it, so there it fails."""
    if CHROMIUM is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("needs Chromium: sudo apt install chromium")


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    needs_chromium()
    expect.set_options(timeout=PATIENCE)  # otherwise `expect` waits for five seconds only, whatever its page waits for
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OFFLINE)
        yield browser
        browser.close()


def open_page(browser: Browser, width: int = 1300, height: int = 1000, **context) -> Page:
    """A new page in a context of its own."""
    page = browser.new_context(viewport={"width": width, "height": height}, **context).new_page()
    page.set_default_timeout(PATIENCE)
    return page
