from collections.abc import Iterator

import pytest
from browser import Server
from chromium import chromium, open_page
from playwright.sync_api import Page


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    place = tmp_path_factory.mktemp("learner")
    with Server(place / "my course", place / "home", place / "config") as running:
        yield running


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with chromium() as browser:
        yield open_page(browser)
