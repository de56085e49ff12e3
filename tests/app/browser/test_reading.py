"""The page as a learner reads it on a small laptop: the column, the panels, and the figure that was just made."""

import re

import pytest
from browser import ACTIVE, CELLS, LESSON, SHEET, Keyboard, open_notebook
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

FIGURE = "cell => cell.cell_type === 'code' && cell.source.includes('figures.') && !cell.source.includes('import')"

# Whether all figures of a cell are in view: as high as they are, and with a width.
IN_VIEW = """place => {
    const notebook = jupyterapp.shell.currentWidget.content;
    const view = notebook.node.querySelector(".jp-WindowedPanel-outer").getBoundingClientRect();
    const boxes = [...notebook.widgets[place].node.querySelectorAll("img")].map(image => image.getBoundingClientRect());
    return boxes.length > 0 && boxes.every(box => box.width > 0 && box.top >= view.top && box.bottom <= view.bottom);
}"""


@pytest.fixture
def laptop(page):
    page.set_viewport_size({"width": 1366, "height": 768})
    yield page
    page.unroute_all()
    page.set_viewport_size({"width": 1300, "height": 1000})


def style(page, selector: str, name: str) -> str:
    return page.locator(selector).first.evaluate("(node, name) => getComputedStyle(node).getPropertyValue(name)", name)


def test_the_column_its_type_and_the_panels(server, laptop):
    open_notebook(laptop, server, LESSON)
    expect(laptop.locator("#table-of-contents")).to_be_visible()
    expect(laptop.locator("#table-of-contents")).to_contain_text("Before you go")
    text = ".jp-Notebook .jp-RenderedMarkdown"
    assert style(laptop, f"{text} p", "font-size") == "16px"
    assert 690 < laptop.locator(f"{text} p").first.bounding_box()["width"] <= 720
    assert style(laptop, f"{text} summary", "cursor") == "pointer"
    editor = laptop.locator(".jp-CodeCell .cm-scroller").first
    assert editor.evaluate("editor => editor.clientWidth") >= 780  # 100 characters at JupyterLab's size of code


def test_no_button_covers_the_links_and_an_opened_reply_has_one_box(server, laptop):
    open_notebook(laptop, server, LESSON)
    expect(laptop.locator(".jp-MarkdownCell.jp-mod-active .jp-cell-toolbar")).to_be_hidden()
    Keyboard(laptop).run_to('ask("02.recall")')
    laptop.locator("course-question summary").first.click()
    assert style(laptop, "course-question details[open]", "border-top-width") == "0px"
    assert style(laptop, "course-question details[open] > summary", "border-top-width") == "1px"


def test_the_links_at_the_top_lead_on_and_the_file_browser_follows(server, laptop):
    open_notebook(laptop, server, LESSON)
    laptop.get_by_role("link", name="Sheet 02 · Self-attention by hand").first.click()
    laptop.wait_for_function(f"jupyterapp.shell.currentWidget?.context?.path === '{SHEET}'")
    expect(laptop.locator("#filebrowser .jp-BreadCrumbs")).to_contain_text("exercises")


def test_a_figure_is_in_view_after_shift_and_enter(server, laptop):
    open_notebook(laptop, server, LESSON)
    learner, figures = Keyboard(laptop), laptop.evaluate(f"{CELLS}.flatMap((cell, place) => ({FIGURE})(cell) ? [place] : [])")
    assert len(figures) == 5
    for place in figures:
        learner.run_to(learner.sources[place])
        laptop.wait_for_function(IN_VIEW, arg=place)
        assert laptop.evaluate(ACTIVE) == place + 1


def test_a_folded_cell_shows_that_it_runs(server, laptop):
    open_notebook(laptop, server, LESSON)
    learner = Keyboard(laptop)
    learner.run_to('predict("02.zero")')  # the cell above: JupyterLab renders a cell when it comes into view
    folded = next(source for source in learner.sources if 'reveal("02.zero")' in source)
    laptop.wait_for_function(
        """place => {
            const { node } = jupyterapp.shell.currentWidget.content.widgets[place];
            const prompt = () => node.querySelector(".jp-Placeholder-prompt");
            if (!prompt()) return false;
            const sign = () => getComputedStyle(prompt(), "::before").content;
            window.signs = [sign()];
            new MutationObserver(() => window.signs.push(sign())).observe(node, { attributeFilter: ["style"] });
            return true;
        }""",
        arg=learner.cell(folded),
    )
    learner.run_to(folded)
    count = laptop.evaluate(CELLS)[learner.cell(folded)]["execution_count"]
    laptop.wait_for_function("window.signs.length >= 3")
    before, *signs = [re.sub(r'[" ]', "", sign) for sign in laptop.evaluate("[...new Set(window.signs)]")]
    assert (before != "[*]:", signs) == (True, ["[*]:", f"[{count}]:"])


def test_a_closed_notebook_needs_no_memory(server, laptop):
    open_notebook(laptop, server, LESSON)
    assert LESSON in server.get("/api/sessions")
    laptop.evaluate("jupyterapp.commands.execute('docmanager:save').then(() => jupyterapp.shell.currentWidget.close())")
    laptop.wait_for_function("jupyterapp.shell.currentWidget?.context?.path === undefined")
    laptop.wait_for_function("![...jupyterapp.serviceManager.sessions.running()].some(each => each.path.includes('02_self'))")
    assert LESSON not in server.get("/api/sessions")


@pytest.mark.parametrize("lost", ["**/custom/custom.css", "**/reading.js"])
def test_without_our_style_or_our_extension_jupyterlab_shows_the_lesson_in_its_own_way(server, laptop, lost):
    laptop.route(lost, lambda route: route.abort())
    open_notebook(laptop, server, LESSON)
    learner = Keyboard(laptop)
    place = laptop.evaluate(f"{CELLS}.findIndex({FIGURE})")
    learner.run_to(learner.sources[place])
    assert learner.shows(learner.sources[place], "image/png")


def test_nothing_is_written_into_the_learners_own_jupyter_settings(server):
    written = {path.name for path in (server.folder.parent / "config").rglob("*") if path.is_file()}
    assert not {"custom.css", "overrides.json", "jupyter_server_config.py", "package.json"} & written
