"""Slides on a projector: large enough to read from the back, nothing cut off, and the same in light and dark.

`make test` opens one deck, and `make test-all` all of them.
"""

import pytest
from axe import serious_faults
from chromium import chromium, open_page

from transformer_course import course
from transformer_course.workshop import deck

# For each slide: how far its content reaches beyond the page, and its smallest letters, in pixels of the screen.
MEASURE = """() => Reveal.getSlides().map(slide => {
  const {h, v} = Reveal.getIndices(slide), scale = Reveal.getScale();
  const shown = [...slide.children].filter(each => each.tagName !== "ASIDE");
  Reveal.slide(h, v ?? 0);
  const below = Math.max(...shown.map(each => each.offsetTop + each.offsetHeight)) - Reveal.getConfig().height;
  const beyond = Math.max(...shown.map(each => each.scrollWidth), ...[...slide.querySelectorAll("math")].map(
    each => each.getBoundingClientRect().width / scale)) - 1280;
  const written = [...slide.querySelectorAll("*")].filter(each => !each.closest("aside, math")
    && [...each.childNodes].some(node => node.nodeType === 3 && node.textContent.trim()));
  const smallest = Math.min(...written.map(each => parseFloat(getComputedStyle(each).fontSize))) * scale;
  return [`${slide.className} ${h}.${v ?? 0}`, below, beyond, smallest];
})"""
PAPER = "getComputedStyle(document.querySelector('.reveal-viewport')).backgroundColor"
OUTSIDE = "performance.getEntriesByType('resource').map(entry => entry.name).filter(name => !name.startsWith('file:'))"


@pytest.fixture(scope="module")
def page():
    with chromium() as browser:
        yield open_page(browser, 1024, 768)


def opened(page, text, folder):
    (folder / "slides.html").write_text(text, encoding="utf-8")
    page.goto((folder / "slides.html").as_uri())
    page.wait_for_function("Reveal.isReady()")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [source.number for source in course.lessons()] + ["half-day", "day", "two-days", "after-pretraining"]
)
def test_every_slide_fits_and_can_be_read_from_the_back(name, page, contents, tmp_path):
    text = deck.of_lesson(name) if name.isdigit() else contents[name]["for-you/slides.html"]
    for size in ({"width": 1280, "height": 720}, {"width": 1024, "height": 768}):
        page.set_viewport_size(size)
        opened(page, text, tmp_path)
        for place, below, beyond, smallest in page.evaluate(MEASURE):
            assert below <= 0, place
            assert beyond <= 0, place
            assert smallest >= 24, place
        assert page.evaluate(OUTSIDE) == []


@pytest.mark.slow
def test_a_picture_gets_the_height_that_the_text_leaves(page, tmp_path):
    page.set_viewport_size({"width": 1024, "height": 768})
    opened(page, deck.of_lesson("02"), tmp_path)
    page.evaluate("Reveal.slide(1)")
    picture = page.locator("section.present > img").bounding_box()
    assert picture["height"] > 768 / 2
    page.set_viewport_size({"width": 1280, "height": 720})
    page.wait_for_function("Reveal.getConfig().height === 720")
    assert page.locator("section.present > img").bounding_box()["height"] > 720 / 2


@pytest.mark.slow
def test_the_slides_have_no_serious_fault_in_light_and_dark(page, tmp_path):
    for system in ("light", "dark"):
        page.emulate_media(color_scheme=system)
        opened(page, deck.of_lesson("02"), tmp_path)
        before = page.evaluate(PAPER)
        page.evaluate("Reveal.slide(3, 2)")  # an answer
        assert serious_faults(page) == []
        page.keyboard.press("d")
        assert page.evaluate(PAPER) != before
        assert serious_faults(page) == []


def test_a_question_is_found_by_its_name_and_its_answer_is_below(page, tmp_path):
    opened(page, deck.of_lesson("02"), tmp_path)
    page.evaluate("location.hash = '#/02.zero'")
    page.wait_for_function("Reveal.getCurrentSlide().id === '02.zero'")
    page.keyboard.press("ArrowDown")  # what the lesson's readers drag
    page.wait_for_function("Reveal.getIndices().v === 1")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("Reveal.getCurrentSlide().classList.contains('answer')")
    assert "less than the others" in page.inner_text("section.present section.present .right")


@pytest.mark.slow
def test_a_click_enlarges_a_picture_and_the_next_slide_puts_it_back(page, tmp_path):
    opened(page, deck.of_lesson("02"), tmp_path)
    picture = page.locator("section.present img").first
    small = picture.bounding_box()["width"]
    picture.click(position={"x": 20, "y": 20})
    assert picture.bounding_box()["width"] == pytest.approx(2 * small)
    picture.click(position={"x": 20, "y": 20})
    assert picture.bounding_box()["width"] == pytest.approx(small)
    picture.click(position={"x": 20, "y": 20})
    page.keyboard.press("ArrowRight")
    page.wait_for_function("!document.querySelector('img.near')")
