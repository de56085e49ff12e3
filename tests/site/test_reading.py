"""The site, read in a real browser from the disk, while every request to a network is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe import serious_faults
from chromium import chromium, open_page
from playwright.sync_api import Page, expect

from transformer_course import course
from transformer_course.site.notebook_page import RUNS_HERE

pytestmark = pytest.mark.slow

LESSON = "notebooks/02_self_attention_by_hand.html"
PHONE = {"width": 390, "height": 800}
# Figures drawn at less than half their size, where 11 points are 17 pixels; and what is lower than a finger is wide.
SMALL_FIGURES = """() => [...document.querySelectorAll("img.figure")]
  .filter(each => each.naturalWidth === 0 || each.clientWidth < each.naturalWidth / 2).map(each => each.src)"""
CONTROLS = """.course-explorable :is(input[type=range], :not(.head) > button, select, .handle), .start a, .related-pages a,
  .ways a, .path select, course-question :is(button, summary), article summary"""  # (a head is a row of a picture: 25)
SMALL_CONTROLS = f"""() => [...document.querySelectorAll(`{CONTROLS}`)]
  .filter(each => each.checkVisibility() && each.getBoundingClientRect().height < 44).map(each => each.outerHTML)"""
SHOW_ALL = "document.querySelectorAll('.waits button').forEach(each => each.click())"
OUTSIDE = "() => performance.getEntriesByType('resource').map(entry => entry.name).filter(name => !name.startsWith('file:'))"


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with chromium() as browser:
        yield open_page(browser, **PHONE, offline=True)


def address(site: Path, name: str) -> str:
    return (site / name).as_uri()


def test_no_page_is_wider_than_its_screen_and_none_asks_a_network(page, built_site):
    wide, errors = [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    for file in sorted({*built_site.rglob("*.html")} - {*built_site.glob("slides/*")}):  # those have their own tests
        page.goto(file.as_uri())
        for width in (1366, 768, PHONE["width"]):
            page.set_viewport_size(PHONE | {"width": width})
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wide.append(f"{file.name} at {width}")
        assert page.evaluate(OUTSIDE) == []
    assert (wide, errors) == ([], [])


@pytest.mark.parametrize("screen", [{"width": 390, "height": 844}, {"width": 1280, "height": 720}], ids=["phone", "laptop"])
def test_the_first_screen_has_a_button_to_start_and_something_to_drag(screen, page, built_site):
    page.set_viewport_size(screen)
    page.goto(address(built_site, "index.html"))
    page.evaluate("localStorage.clear()")  # who comes for the first time has no place to go on from
    page.reload()
    for part in (page.get_by_role("link", name="Start", exact=True), page.get_by_role("slider", name="car, a point")):
        expect(part).to_be_in_viewport(ratio=1)
    status = page.locator("course-drag-tokens [role=status]")
    before = status.inner_text()
    page.get_by_role("slider", name="car, a point").press("ArrowRight")
    expect(status).not_to_have_text(before)
    for token, keys in {"car": ["ArrowRight"] * 24 + ["ArrowUp"] * 15, "red": ["ArrowUp"] * 13}.items():
        expect(status).not_to_contain_text("you found a way")
        for key in keys:
            page.get_by_role("slider", name=f"{token}, a point").press(key)
    expect(status).to_contain_text("you found a way")
    page.get_by_role("link", name="Start", exact=True).click()
    expect(page.get_by_role("heading", name="00 · Start here")).to_be_visible()


@pytest.mark.parametrize("width", [1366, PHONE["width"]])
@pytest.mark.parametrize("name", ["index", *(f"notebooks/{course.lesson(number).name}" for number in RUNS_HERE)])
def test_a_model_is_loaded_once_a_reader_opens_it(name, width, page, built_site):
    assert (built_site / "model.html").stat().st_size < 2e6
    loaded = []
    page.on("request", lambda request: loaded.append(request.url.rpartition("/")[2]))
    page.set_viewport_size(PHONE | {"width": width})
    page.goto(address(built_site, f"{name}.html"))
    summary = page.get_by_text("Load the model")
    summary.scroll_into_view_if_needed()
    assert "model.html" not in loaded
    summary.press("Enter")
    model = page.frame_locator(".model iframe")
    model.get_by_role("textbox").fill("Return a")
    model.get_by_role("button", name="Write").click()
    expect(model.get_by_role("button", name="Go on")).to_be_enabled()
    assert "model.html" in loaded


def test_on_a_phone_labels_can_be_read_and_controls_can_be_hit(page, built_site):
    page.set_viewport_size(PHONE)
    for lesson in [built_site / "index.html", *sorted((built_site / "notebooks").glob("[0-2]*.html"))]:
        page.goto(lesson.as_uri())
        page.evaluate(SHOW_ALL)
        page.wait_for_function("[...document.images].every(image => image.complete)")
        assert page.evaluate(SMALL_FIGURES) == [], lesson.name
        assert page.evaluate(SMALL_CONTROLS) == [], lesson.name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), lesson.name


def test_a_reader_may_skip_a_prediction(page, built_site):
    page.goto(address(built_site, LESSON))
    page.evaluate("localStorage.clear()")
    page.reload()
    waiting = page.get_by_role("button", name="Show it without guessing")
    count = waiting.count()
    waiting.first.press("Enter")
    expect(page.get_by_text("[1. 0. 1.]", exact=True)).to_be_visible()
    expect(waiting).to_have_count(count - 1)


def test_what_to_do_with_a_hidden_result_is_marked_until_it_appears(page, built_site):
    page.goto(address(built_site, "notebooks/16_choosing_the_next_token.html"))
    page.evaluate("localStorage.clear()")
    page.reload()
    told = page.get_by_text("Choose a text, move the sliders")
    expect(told.locator("xpath=ancestor-or-self::p")).to_have_class("waits")
    page.evaluate(SHOW_ALL)
    expect(told.locator("xpath=ancestor-or-self::p")).not_to_have_class("waits")


def test_no_text_about_a_hidden_picture_is_visible(page, built_site):
    """Between a prediction and its reply there may be pictures, and text about them."""
    page.goto(address(built_site, LESSON))
    page.evaluate("localStorage.clear()")
    captions = '[...document.querySelectorAll(".cell:has(img.figure) + p")]'
    seen = f"{captions}.filter(p => p.checkVisibility() && !p.previousElementSibling.checkVisibility()).map(p => p.innerText)"
    for lesson in sorted((built_site / "notebooks").glob("[0-2]*.html")):
        page.goto(lesson.as_uri())
        assert page.evaluate(f"{captions}.length"), lesson.name
        assert page.evaluate(seen) == [], lesson.name


def test_the_foot_of_a_page_waits_for_no_guess(page, built_site):
    page.goto(address(built_site, LESSON))
    page.evaluate("localStorage.clear()")
    for lesson in sorted((built_site / "notebooks").glob("[0-2]*.html")):
        page.goto(lesson.as_uri())
        for link in page.get_by_role("link", name="The slides of this lesson").all():
            expect(link).to_be_visible()


def test_the_edge_of_a_wide_figure_fades_until_its_end_is_reached(page, built_site):
    page.set_viewport_size(PHONE)
    page.goto(address(built_site, "notebooks/07_reading_the_sinusoids.html"))
    page.evaluate(SHOW_ALL)
    faded = page.locator(".output.more:has(img.figure)")
    expect(faded.first).to_be_visible()
    count = faded.count()
    faded.first.evaluate("output => output.scrollTo(output.scrollWidth, 0)")
    expect(faded).to_have_count(count - 1)
    page.goto(address(built_site, "docs/formulas.html"))
    expect(page.locator(".table-wrapper.more")).to_have_count(0)  # each wide formula scrolls by itself


def test_a_reply_beside_a_wide_figure_does_not_fade(page, built_site):
    page.set_viewport_size(PHONE)
    page.goto(address(built_site, "notebooks/00_start_here.html"))
    page.evaluate(SHOW_ALL)
    cell = page.locator(".cell_output:has(img.figure):has(course-question)")
    expect(cell.locator(".more img.figure")).to_be_visible()
    expect(page.locator(".more:has(course-question)")).to_have_count(0)


def test_the_first_page_leads_back_to_where_a_reader_left(page, built_site):
    page.goto(address(built_site, LESSON))
    page.evaluate("localStorage.clear()")
    page.goto(address(built_site, "index.html"))
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.get_by_role("link", name="Go on")).to_have_count(0)
    page.goto(address(built_site, LESSON))
    heading = page.get_by_role("heading", name="All three rows at once")
    heading.evaluate("heading => heading.scrollIntoView({behavior: 'instant'})")
    page.goto(address(built_site, "index.html"))
    go_on = page.get_by_role("link", name="Go on: 02 · Self-attention by hand", exact=True)
    expect(go_on).to_be_visible()
    go_on.click()
    expect(heading).to_be_in_viewport()
    assert page.url.endswith(f"{LESSON}#all-three-rows-at-once")


def test_on_a_phone_letters_lead_to_the_terms_of_the_glossary(page, built_site):
    page.set_viewport_size(PHONE)
    page.add_init_script("delete Map.groupBy")  # as in a browser from before 2024
    page.goto(address(built_site, "docs/glossary.html"))
    letter = page.get_by_role("navigation", name="Letters").get_by_role("link", name="S", exact=True)
    expect(letter).to_be_visible()
    letter.click()
    expect(page.locator("#letter-S")).to_be_in_viewport()
    expect(page.locator("label[for=__toc]").first).to_be_hidden()  # a page without headings has no list of them to open


def test_no_table_is_wider_than_the_paper(page, built_site):
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 658, "height": 900})  # A4 without its margins
    for file in sorted((built_site / "docs").glob("*.html")):
        page.goto(file.as_uri())
        assert page.evaluate("Math.max(0, ...[...document.querySelectorAll('table')].map(t => t.scrollWidth))") <= 658, (
            file.name
        )
    page.emulate_media(media="screen")


def test_without_scripts_everything_is_visible(page, built_site):
    plain = open_page(page.context.browser, java_script_enabled=False, offline=True)
    plain.goto(address(built_site, LESSON))
    expect(plain.get_by_text("[1. 0. 1.]", exact=True)).to_be_visible()
    plain.context.close()


def test_a_search_finds_first_the_lesson_that_teaches_the_term_and_then_the_glossary(page, built_site):
    page.goto(f"{address(built_site, 'search.html')}?q=softmax")
    found = page.locator("#search-results li > a")
    expect(found.first).to_contain_text("02 · Self-attention by hand")
    expect(found.nth(1)).to_have_text("Glossary")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_page_has_no_serious_fault_for_who_cannot_see_it(theme, page, built_site):
    page.emulate_media(color_scheme=theme)
    for name in (
        "index.html",
        "notebooks/00_start_here.html",
        LESSON,
        "notebooks/05_several_heads.html",
        "exercises/B4_a_gpt.html",
        "docs/glossary.html",
    ):
        page.goto(address(built_site, name))
        page.evaluate(SHOW_ALL)
        assert serious_faults(page) == []
