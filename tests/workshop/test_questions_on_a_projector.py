"""The questions to ask the room, on a projector: large enough to read from the back, and nothing below the fold."""

import os

import pytest
from axe import serious_faults
from chromium import CHROMIUM, OFFLINE
from playwright.sync_api import sync_playwright

pytestmark = pytest.mark.slow

MEASURE = """id => {
  const shown = document.getElementById(id);
  const texts = [...shown.querySelectorAll(".question, .question *, ol.choices li")].filter(each => each.tagName !== "SUP");
  return [shown.scrollHeight - shown.clientHeight, Math.min(...texts.map(each => parseFloat(getComputedStyle(each).fontSize)))];
}"""
PAPER = "getComputedStyle(document.body).backgroundColor"


@pytest.fixture
def page():
    if CHROMIUM is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("needs Chromium: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OFFLINE)
        yield browser.new_page(viewport={"width": 1024, "height": 768})
        browser.close()


def test_each_question_fits_the_screen_and_can_be_read_from_the_back(page, contents, tmp_path):
    file = tmp_path / "questions.html"
    file.write_text(contents["two-days"]["for-you/questions.html"], encoding="utf-8")
    page.goto(file.as_uri())
    names = page.eval_on_selector_all("section", "found => found.map(each => each.id)")
    assert len(names) > 30
    for name in names:
        page.evaluate("name => { location.hash = name }", name)
        below, smallest = page.evaluate(MEASURE, name)
        assert below <= 0, name
        assert smallest >= 24, name


def test_a_switch_turns_light_to_dark_and_back(page, contents, tmp_path):
    file = tmp_path / "questions.html"
    file.write_text(contents["half-day"]["for-you/questions.html"], encoding="utf-8")
    for system in ("light", "dark"):
        page.emulate_media(color_scheme=system)
        page.goto(f"{file.as_uri()}#02.zero")
        page.uncheck("label.theme input")
        before = page.evaluate(PAPER)
        assert serious_faults(page) == []
        page.check("label.theme input")
        assert page.evaluate(PAPER) != before
        assert serious_faults(page) == []
