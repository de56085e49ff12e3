"""Explorables on a page from the disk, without a kernel or a network: what holds for all of them."""

import pytest
from axe import serious_faults
from explorable_samples import SAMPLES
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow
EACH = pytest.mark.parametrize("name", SAMPLES)

CONTROLS = "input:not([type=radio]), input:checked, button, select, [tabindex='0']"  # a tab stop each

REACHED = """() => {
  window.reached = [];
  for (const kind of ["keydown", "mousedown", "pointerdown", "click"]) {
    document.addEventListener(kind, event => {
      if (event.target.closest(".course-explorable")) reached.push(`${kind} ${event.key ?? ""}`);
    });
  }
}"""
ALL = "[...document.querySelectorAll('.course-explorable')]"
STATES = f"() => {ALL}.map(each => JSON.stringify(each.state))"
NUMBERS = f"() => JSON.stringify({ALL}.map(each => each.compute(each.state)))"
TEXTS = f"() => {ALL}.map(each => each.innerHTML).join()"


@EACH
def test_its_controls_take_keys_and_the_mouse_and_it_fits_every_screen(name, show):
    page = show(name)
    expect(page.get_by_role("status")).to_have_count(2)
    page.evaluate(REACHED)
    press_every_key(page)
    page.reload()
    page.evaluate(REACHED)
    drag_every_control(page)
    for theme, width in (("light", 1600), ("dark", 390)):
        page.emulate_media(color_scheme=theme)
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert serious_faults(page) == []
    page.emulate_media(media="print")
    expect(page.locator(".course-explorable > div").first).to_be_visible()


def press_every_key(page: Page) -> None:
    """Each control of the first copy takes keys, which reach nothing else on the page; the second copy stays as it is."""
    copies = page.locator(".course-explorable")
    controls = copies.first.locator(CONTROLS)
    for place in range(controls.count()):
        control = controls.nth(place)
        before = page.evaluate(STATES)
        page.keyboard.press("Tab")
        expect(control).to_be_focused()
        pressed = control.evaluate("each => each.matches('button, [type=checkbox]')")
        dragged = control.evaluate("each => each.matches('.handle')")
        for key in ["Home", "End", "d", "Escape", "ArrowDown", *["ArrowLeft"] * 50 * dragged, *["Space"] * pressed]:
            page.keyboard.press(key)
        after = page.evaluate(STATES)
        assert after[1] == before[1]
        assert control.evaluate("each => each.matches('button')") or after[0] != before[0]
        assert "null" not in page.evaluate(NUMBERS)  # as JSON writes NaN and infinity
    assert "NaN" not in page.evaluate(TEXTS)
    assert page.evaluate("reached") == []
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Control+s")
    assert [key for key in page.evaluate("reached") if not key.endswith(("Shift", "Control"))] == [
        "keydown Enter",
        "keydown s",
    ]


def drag_every_control(page: Page) -> None:
    """Each control takes the mouse, beyond its ends too, and while the window changes."""
    page.evaluate("scrollTo(0, 0)")
    controls = page.locator(".course-explorable").first.locator(CONTROLS)
    for place in range(controls.count()):
        box = controls.nth(place).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        before = page.evaluate(STATES)
        page.mouse.down()
        page.mouse.move(900, 30)
        halfway = page.evaluate(STATES)
        page.set_viewport_size({"width": 700, "height": 900})
        page.mouse.move(-500, 5000)
        page.mouse.up()
        page.set_viewport_size({"width": 1000, "height": 900})
        after = page.evaluate(STATES)
        assert "null" not in page.evaluate(NUMBERS)
        if controls.nth(place).evaluate("each => each.matches('[type=range], .handle')"):
            assert before[0] != halfway[0] or halfway[0] != after[0]
    assert "NaN" not in page.evaluate(TEXTS)
    assert page.evaluate("reached") == []


@EACH
def test_without_scripts_the_picture_is_shown(name, show):
    page = show(name, java_script_enabled=False)
    expect(page.get_by_role("img", name=str(SAMPLES[name]()))).to_have_count(2)
    assert page.locator(".course-explorable img").first.bounding_box()["width"] > 300
