import pytest
from explorable_samples import SAMPLES
from pages_on_disk import browser, open_file
from playwright.sync_api import Page

__all__ = ["browser", "open_file"]

THEMES = (
    "body { background: #fff; color: #111 } @media (prefers-color-scheme: dark) { body { background: #111; color: #ddd } }"
)


@pytest.fixture
def show(open_file, tmp_path):
    """Open a page with two copies of an explorable."""

    def show(name: str, **context) -> Page:
        head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>{THEMES}</style>'
        path = tmp_path / f"{name}.html"
        page = f'<!doctype html><html lang="en"><title>x</title>{head}<main>{SAMPLES[name]()._repr_html_() * 2}</main>'
        path.write_text(page, encoding="utf-8")
        return open_file(path, **context)

    return show
