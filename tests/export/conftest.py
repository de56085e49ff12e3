from collections.abc import Iterator

import pytest
from chromium import chromium, open_page
from playwright.sync_api import Browser, Page

from transformer_course.export import export


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def show(browser, tmp_path):
    """Open an exported model on the disk, without a network. A script's error fails the test."""
    opened: list[Page] = []
    errors: list[str] = []

    def show(model, tokenizer, change=lambda text: text, script="", width=1000, browsers=(), **about) -> Page:
        path = tmp_path / "model.html"
        export(model, tokenizer, path, **about)
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
        page = open_page(browser, width, 900, offline=True, **dict(browsers))
        page.add_init_script(script)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(path.as_uri())
        opened.append(page)
        return page

    yield show
    for page in opened:
        page.context.close()
    assert errors == []
