"""The paper versions of exercises, as a browser prints them."""

import re

import pytest

from transformer_course._util import paths

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("sheet", sorted((paths.ROOT / "docs" / "paper").glob("*.html")), ids=lambda s: s.stem)
def test_a_paper_version_is_one_printed_page_and_nothing_is_cut_off(page, sheet):
    page.goto(sheet.as_uri())
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 1
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 673, "height": 1000})  # the width of A4 inside its margins, in CSS pixels
    assert page.evaluate("document.documentElement.scrollWidth") <= 673
    page.set_viewport_size({"width": 1300, "height": 1000})
