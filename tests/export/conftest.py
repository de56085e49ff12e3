import pytest
from pages_on_disk import browser, open_file
from playwright.sync_api import Page

from transformer_course.export import export

__all__ = ["browser", "open_file"]


@pytest.fixture
def show(open_file, tmp_path):
    """Open an exported model, after a change of its text."""

    def show(model, tokenizer, change=lambda text: text, script="", width=1000, browsers=(), **about) -> Page:
        path = tmp_path / "model.html"
        export(model, tokenizer, path, **about)
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
        return open_file(path, width, script, **dict(browsers))

    return show
