from collections.abc import Iterator

import pytest
from chromium import chromium, open_page
from explorable_samples import SAMPLES
from playwright.sync_api import Browser, Page

THEMES = (
    "body { background: #fff; color: #111 } @media (prefers-color-scheme: dark) { body { background: #111; color: #ddd } }"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def show(browser, tmp_path):
    """Open a page on disk with two copies of an explorable. It has no network, and its errors fail the test."""
    opened: list[Page] = []
    errors: list[str] = []

    def show(name: str, **context) -> Page:
        head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>{THEMES}</style>'
        path = tmp_path / f"{name}.html"
        page = f'<!doctype html><html lang="en"><title>x</title>{head}<main>{SAMPLES[name]()._repr_html_() * 2}</main>'
        path.write_text(page, encoding="utf-8")
        opened.append(open_page(browser, 1000, 900, offline=True, **context))
        opened[-1].on("pageerror", lambda error: errors.append(str(error)))
        opened[-1].goto(path.as_uri())
        return opened[-1]

    yield show
    for page in opened:
        page.context.close()
    assert errors == []
