import os
from collections.abc import Iterator

import pytest
from browser import Server
from chromium import CHROMIUM, OFFLINE
from playwright.sync_api import Page, sync_playwright


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    place = tmp_path_factory.mktemp("learner")
    with Server(place / "my course", place / "home", place / "config") as running:
        yield running


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    if CHROMIUM is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("needs Chromium: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OFFLINE)
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        page.set_default_timeout(600_000)
        yield page
        browser.close()
