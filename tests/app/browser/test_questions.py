"""Questions in a page of their own, without a kernel: what clicks and keys do, and what is left without scripts or storage."""

from pathlib import Path

import pytest
from chromium import open_page
from playwright.sync_api import Page, expect

from transformer_course.exercises import ask, predict, reveal

NO_GUESS = "You haven't guessed yet."


@pytest.fixture
def questions(page: Page, tmp_path: Path):
    """Open a page with the outputs of these calls, in a new tab."""
    opened: list[Page] = []

    def show(*views, script: str = "", **context) -> Page:
        body = "".join(f'<div class="jp-Cell">{view._repr_html_()}</div>' for view in views)
        path = tmp_path / "page.html"
        path.write_text(f'<!doctype html><html lang="en"><title>x</title><main>{body}</main>', encoding="utf-8")
        opened.append(open_page(page.context.browser, **context))
        opened[-1].add_init_script(script)
        opened[-1].goto(path.as_uri())
        return opened[-1]

    yield show
    for tab in opened:
        tab.context.close()


def reply_to(page: Page, letter: str):
    """The reply below the choice that has this letter on the page."""
    choice = page.locator('[data-view="reveal"] details').filter(has=page.locator(f"summary > b:text-is('{letter}')"))
    return choice.locator("> div")


def test_a_guess_is_kept_with_the_page_and_opens_its_reply(questions):
    page = questions(predict("02.zero"), reveal("02.zero"))
    expect(page.get_by_text(NO_GUESS)).to_be_visible()
    page.get_by_role("button", name="a less than the others").click()
    for _ in range(2):
        expect(page.get_by_role("button", pressed=True)).to_have_text("a less than the others, but some")
        expect(page.get_by_text("You guessed a.")).to_be_visible()
        expect(reply_to(page, "a")).to_be_visible()
        expect(reply_to(page, "b")).to_be_hidden()
        page.reload()


def test_a_guess_from_before_the_order_was_drawn_is_still_the_same_choice(questions):
    """It was kept as "a", which was *none*: the first choice in the file, and now the second on the page."""
    key = "`transformer-course ${location.pathname} 02.zero`"
    old = """'{"guess": "a", "first": "b"}'"""
    kept = f"localStorage.setItem({key}, localStorage.getItem({key}) ?? {old});"
    page = questions(predict("02.zero"), reveal("02.zero"), script=kept)
    expect(page.get_by_role("button", pressed=True)).to_have_text("b none")
    expect(page.get_by_text("You first guessed a; now b.")).to_have_count(2)
    expect(reply_to(page, "b")).to_be_visible()
    expect(reply_to(page, "a")).to_be_hidden()
    page.get_by_role("button", name="c as much").click()
    assert page.evaluate(f"localStorage.getItem({key})") == '{"guess":"c","first":"b"}'


def test_a_changed_guess_is_shown_as_changed_and_a_guess_taken_back_is_not(questions):
    page = questions(predict("02.zero"), reveal("02.zero"))
    buttons = page.get_by_role("button")
    buttons.nth(0).click()
    buttons.nth(2).click()
    expect(page.get_by_text("You first guessed a; now c.")).to_have_count(2)
    expect(reply_to(page, "c")).to_be_visible()
    expect(reply_to(page, "a")).to_be_hidden()
    buttons.nth(0).click()
    expect(page.get_by_text("You first guessed")).to_have_count(0)


def test_before_the_result_a_guess_may_change_without_a_word(questions):
    page = questions(predict("02.zero"))
    for place, letter in ((0, "a"), (2, "c")):
        page.get_by_role("button").nth(place).click()
        expect(page.get_by_role("status")).to_have_text(f"Your guess is {letter}. Now run the next cell.")


def test_two_copies_of_a_question_stay_in_step_and_others_are_left_alone(questions):
    page = questions(predict("02.zero"), predict("02.zero"), predict("02.largest"))
    page.get_by_role("button", name="as much as the others").first.click()
    expect(page.get_by_role("button", pressed=True)).to_have_text(["c as much as the others"] * 2)


@pytest.mark.parametrize(
    "script",
    [
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('refused', 'SecurityError'); }});",
        "localStorage.setItem(`transformer-course ${location.pathname} 02.zero`, 'no JSON');",
        'localStorage.setItem(`transformer-course ${location.pathname} 02.zero`, \'{"guess": "z"}\');',
    ],
    ids=["refused", "damaged", "of another version"],
)
def test_without_usable_storage_a_guess_lasts_as_long_as_the_page(questions, script):
    page = questions(predict("02.zero"), reveal("02.zero"), script=script)
    expect(page.get_by_text(NO_GUESS)).to_be_visible()
    page.get_by_role("button").first.click()
    expect(page.get_by_text("You guessed a.")).to_be_visible()


def test_keys_choose_and_open(questions):
    page = questions(predict("02.zero"), ask("02.recall"))
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(page.get_by_role("status")).to_contain_text("Your guess is b.")
    for _ in range(2):  # past c, to the first recall question
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("img", name="Right")).to_be_visible()


def test_without_scripts_choices_unfold(questions):
    page = questions(predict("02.zero"), reveal("02.zero"), ask("02.recall"), java_script_enabled=False)
    page.locator('[data-view="predict"] summary').first.click()
    expect(page.get_by_text("Your guess is a. The next cell shows the result.")).to_be_visible()
    page.locator('[data-view="reveal"] summary').first.click()
    expect(reply_to(page, "a")).to_be_visible()
    assert page.get_by_role("button").count() == 0


def test_formulas_stay_whole_for_jupyterlab_to_typeset(questions):
    page = questions(predict("05.cost"))
    expect(page.get_by_text(r"$d_\text{model} = 512$")).to_be_visible()
