"""One page of the site in a real browser, from the disk. `make test` reads this one, and `make test-all` the whole site."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import open_page
from pages_on_disk import browser
from playwright.sync_api import Page, expect

from transformer_course._util import paths
from transformer_course.site import make, pages
from transformer_course.site.notebook_page import write_page

__all__ = ["browser"]
LESSON = "notebooks/02_self_attention_by_hand"
INDEX = f"# Index\n\n```{{toctree}}\n{LESSON}\n```\n"
WIDE = """[...document.querySelectorAll("pre")].filter(part => part.checkVisibility()
    && part.scrollWidth > part.clientWidth && part.tabIndex !== 0).map(part => part.textContent)"""


@pytest.fixture
def lesson(tmp_path) -> Path:
    """The page of a lesson, on a site that has no other."""
    folder = shutil.copytree(pages.HERE, tmp_path / "pages")
    for name in ("notebooks", "extra"):
        (folder / name).mkdir()
    (folder / "index.md").write_text(INDEX, encoding="utf-8")
    write_page(paths.ROOT / f"{LESSON}.ipynb", folder, f"{LESSON}.ipynb", ())
    shutil.copy(pages.MATH_FONT, folder / "static")
    make._build(folder, tmp_path / "built")
    return tmp_path / "built" / f"{LESSON}.html"


@pytest.fixture
def page(browser) -> Iterator[Page]:
    page = open_page(browser, offline=True)
    yield page
    page.context.close()


def test_a_result_appears_once_the_reader_has_chosen(page, lesson):
    page.set_viewport_size({"width": 320, "height": 800})
    page.goto(lesson.as_uri())
    question = page.locator("course-question[data-question='02.largest'][data-view='predict']")
    result = page.get_by_text("[1. 0. 1.]", exact=True)
    expect(result).to_be_hidden()
    expect(page.get_by_text("By hand, the three scores of")).to_be_hidden()
    assert page.locator("course-question[data-view='ask']").last.is_visible()  # after the reply, nothing waits for the guess
    question.get_by_role("button").first.click()
    expect(result).to_be_visible()
    expect(page.get_by_text("By hand, the three scores of")).to_be_visible()
    reply = page.locator("course-question[data-question='02.largest'][data-view='reveal'] details[open]")
    expect(reply).to_have_count(1)
    assert page.evaluate(WIDE) == []  # the keyboard scrolls what is wider than the page
    page.reload()
    expect(result).to_be_visible()
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(result).to_be_hidden()
    page.locator("[hidden=until-found]").first.dispatch_event("beforematch")  # the browser's search has found something there
    expect(result).to_be_visible()


@pytest.fixture(scope="module")
def first(tmp_path_factory) -> Path:
    """The first page of a small site: three lessons, and a path of the third one and then the first."""
    place = tmp_path_factory.mktemp("small site")
    folder = shutil.copytree(pages.HERE, place / "pages")
    (folder / "extra").mkdir()
    names = ["lessons/a", "lessons/b", "lessons/c"]
    for name, neighbour in zip(names, "bcb", strict=True):
        (folder / name).parent.mkdir(exist_ok=True)
        ways = f"```{{container}} ways\n[to {neighbour}]({neighbour}.md)\n```\n"
        (folder / f"{name}.md").write_text(f"# Lesson {name[-1]}: why?\n\n{ways}", encoding="utf-8")
    cards = "".join(f'<label><input type="radio" name="path" value="{path}">{path}</label>' for path in ("short", "all"))
    tree = "```{{toctree}}\n:caption: {}\n:titlesonly:\n\n{}\n```\n"
    (folder / "other.md").write_text("# Other\n", encoding="utf-8")
    index = (
        f"# Index\n\n<fieldset class='paths'><legend>Your path</legend>{cards}</fieldset>\n\n"
        + tree.format("Lessons", "\n".join(names))
        + tree.format("Documents", "other")
    )
    (folder / "index.md").write_text(index, encoding="utf-8")
    paths = [{"id": "short", "title": "Short", "pages": [names[2], names[0]]}, {"id": "all", "title": "All", "pages": names}]
    pages.write_paths(folder, paths)
    make._build(folder, place / "built")
    return place / "built" / "lessons" / "a.html"


def test_links_and_the_list_follow_the_path_that_a_reader_chooses(page, first):
    def shown() -> tuple[list[str], list[str], str]:
        listed = page.locator(".sidebar-tree").get_by_role("link").all_inner_texts()
        return listed, page.locator(".related-pages .title").all_inner_texts(), page.locator(".ways").inner_text()

    def choose(name: str) -> None:
        page.get_by_role("combobox", name="Your path").last.select_option(name)

    everything = [f"Lesson {name}: why?" for name in "abc"]
    page.goto(first.as_uri())
    on_path = [everything[2], everything[0]]
    assert shown() == ([*on_path, "Other"], [everything[2]], "← Lesson c")
    page.get_by_role("link", name="Previous Lesson c").click()
    expect(page.get_by_role("heading", name="Lesson c")).to_be_visible()
    assert shown() == ([*on_path, "Other"], [everything[0]], "Lesson a →")
    page.goto(first.with_name("b.html").as_uri())  # not on the path: its links stay
    assert shown() == ([*on_path, "Other"], [everything[2], everything[0]], "to c")
    page.goto((first.parents[1] / "index.html").as_uri())
    assert page.locator(".related-pages .title").all_inner_texts() == [everything[2]]
    page.get_by_role("radio", name="short").press("ArrowDown")
    page.goto(first.as_uri())
    assert shown() == ([*everything, "Other"], [everything[1], "Home"], "to b")  # as it was built
    choose("Short")
    assert shown() == ([*on_path, "Other"], [everything[2]], "← Lesson c")
    choose("All")
    assert shown()[0] == [*everything, "Other"]


@pytest.mark.slow
def test_on_a_phone_the_keyboard_passes_the_list_of_pages_until_it_is_opened(page, first):
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(first.as_uri())
    listed = page.locator(".sidebar-tree").get_by_role("link")
    expect(listed).to_have_count(0)
    page.get_by_role("checkbox", name="Toggle site navigation sidebar").press("Space")
    expect(listed).to_have_count(3)


@pytest.mark.slow
def test_a_reader_whose_browser_stores_nothing_can_follow_a_path_on_a_page(page, first):
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused') } })")
    page.goto(first.as_uri())
    page.get_by_role("combobox", name="Your path").last.select_option("All")
    expect(page.get_by_role("link", name="Next Lesson b")).to_be_visible()
