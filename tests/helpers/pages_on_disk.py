"""Fixtures that open pages from the disk, while every request to a network is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import chromium, open_page
from playwright.sync_api import Browser, Page

__all__ = ["browser", "open_file"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def open_file(browser):
    """Open a file, and run a script before its own ones. A script's error fails the test."""
    opened: list[Page] = []
    errors: list[str] = []

    def open_file(path: Path, width: int = 1000, script: str = "", **context) -> Page:
        page = open_page(browser, width, 900, offline=True, **context)
        opened.append(page)
        page.add_init_script(script)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(path.as_uri())
        return page

    yield open_file
    for page in opened:
        page.context.close()
    assert errors == []
