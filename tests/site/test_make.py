"""The site, as it is built from the stored notebooks: every link leads somewhere, and nothing comes from a network."""

import base64
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest

from transformer_course import course
from transformer_course._util import paths
from transformer_course.folders.learner_folder import FolderError
from transformer_course.site import make, notebook_page
from transformer_course.site.make import MARK, SiteError
from transformer_course.workshop.plans import PLANS
from transformer_course.workshop.session_contents import PlanError
from transformer_course.workshop.sessions import Lead

OUTSIDE = "http://", "https://", "mailto:", "data:"


class Page(HTMLParser):
    """What a page refers to: links, what it loads, its images, and the places that links may name."""

    def __init__(self, file: Path):
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.places: set[str] = set()
        self.without_alt: list[dict] = []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.places.add(given.get("id", ""))
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and "href" in given:
            self.loaded.append(given["href"])
        elif "src" in given:
            self.loaded.append(given["src"])
        if tag == "img" and not given.get("alt"):
            self.without_alt.append(given)


@pytest.fixture(scope="module")
def site(built_site) -> Iterator[dict[Path, Page]]:
    return {file: Page(file) for file in built_site.rglob("*.html")}


@pytest.mark.slow
def test_every_notebook_and_document_has_a_page(built_site):
    sources = [source.notebook for source in course.sources()] + [*(paths.ROOT / "docs").glob("*.md")]
    for source in sources:
        assert (built_site / source.relative_to(paths.ROOT)).with_suffix(".html").exists()


@pytest.mark.slow
def test_every_step_of_each_path_has_a_page_and_the_last_path_is_the_whole_course(built_site):
    script = (built_site / "_static" / "path.js").read_text(encoding="utf-8")
    found = json.loads(re.search(r"PATHS = (\[.*\]);", script)[1])
    assert [path["id"] for path in found] == [path.id for path in course.learning_paths()]
    assert all((built_site / f"{page}.html").exists() for path in found for page in path["pages"])
    assert len(found[-1]["pages"]) == len(course.sources())


@pytest.mark.slow
def test_no_formula_shows_the_code_that_it_was_written_in(built_site):
    for file in built_site.rglob("*.html"):
        for formula in re.findall(r"<math.*?</math>", file.read_text(encoding="utf-8"), re.DOTALL):
            assert not re.search(r"\\|em\]", re.sub("<[^>]*>", "", formula)), (file, formula)


@pytest.mark.slow
def test_every_link_leads_somewhere(site):
    dead = []
    for file, page in site.items():
        for link in page.links:
            target, _, place = unquote(link).partition("#")
            there = (file.parent / target).resolve() if target else file
            if link.startswith(OUTSIDE) or (there in site and not place):
                continue
            if not there.is_file() or (place and place not in site[there].places):
                dead.append(f"{file.name}: {link}")
    assert not dead


@pytest.mark.slow
def test_a_page_loads_only_files_of_the_site(site):
    for file, page in site.items():
        for source in page.loaded:
            assert not source.startswith(("http", "//")), f"{file.name}: {source}"
            assert source.startswith(("data:", "#")) or (file.parent / unquote(source.partition("?")[0])).is_file(), source


@pytest.mark.slow
def test_every_picture_has_alt_text(site):
    assert {file.name: page.without_alt for file, page in site.items() if page.without_alt} == {}


@pytest.mark.slow
def test_formulas_are_drawn_by_the_browser(built_site):
    text = (built_site / "notebooks/03_queries_keys_values_and_the_scale.html").read_text(encoding="utf-8")
    assert "<math" in text
    prose = re.sub(r"<(script|pre|style)\b.*?</\1>", "", text, flags=re.DOTALL)
    assert not re.search(r"\$[^$\n]+\$|\\\(", prose)


def write_one_page(pages: Path, text: str) -> None:
    shutil.copytree(Path(make.__file__).parent / "sphinx", pages)
    (pages / "extra").mkdir()
    (pages / "index.md").write_text(text, encoding="utf-8")


def test_a_new_site_replaces_an_old_one_and_nothing_is_left_beside_it(tmp_path, monkeypatch):
    monkeypatch.setattr(make, "write_pages", lambda pages: write_one_page(pages, "# A page\n"))
    monkeypatch.setattr(make, "_write_slides", Path.mkdir)
    (tmp_path / "site").mkdir()
    for name in (MARK, "old.html"):
        (tmp_path / "site" / name).touch()
    make.make(tmp_path / "site")
    assert (tmp_path / "site" / MARK).exists()  # so that a next one may replace it
    assert not (tmp_path / "site" / "old.html").exists()
    assert "A page" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_plan_that_does_not_fit_the_lessons_is_told_before_the_pages_are_built(tmp_path, monkeypatch):
    monkeypatch.setitem(PLANS, "day", replace(PLANS["day"], items=(Lead(lesson="04", stop="nowhere"),)))
    monkeypatch.setattr(make, "write_pages", lambda pages: pytest.fail("pages are written"))
    with pytest.raises(PlanError, match="nowhere"):
        make.make(tmp_path / "site")


def test_the_courses_own_folder_is_refused():
    with pytest.raises(FolderError, match="the course's own folder"):
        make.make(paths.ROOT / "notebooks" / "site")


def test_a_missing_package_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(make, "NEEDED", ("nbformat", "a_package_that_is_not_there"))
    with pytest.raises(SiteError, match=r'a_package_that_is_not_there: run pip install "transformer-course\[site\]"'):
        make.make(tmp_path / "site")


@pytest.mark.parametrize("fault", ["a warning of Sphinx", "disk full"])
def test_a_failure_leaves_the_old_site(fault, monkeypatch, tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / MARK).touch()
    (folder / "index.html").write_text("the old site")

    def write_pages(pages):
        if fault == "disk full":
            raise OSError(28, "No space left on device")
        write_one_page(pages, "# A page\n\n[a link](missing.md)\n")

    monkeypatch.setattr(make, "write_pages", write_pages)
    error, words = (FolderError, "No space left") if fault == "disk full" else (SiteError, r"index.md:3: WARNING.*missing.md")
    with pytest.raises(error, match=words):
        make.make(folder)
    assert (folder / "index.html").read_text() == "the old site"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


@pytest.mark.parametrize(("text", "words"), [("{", "is damaged"), (None, "has no outputs. Build it again")])
def test_a_notebook_that_cannot_be_a_page_is_named(text, words, tmp_path):
    file = tmp_path / "02_x.ipynb"
    empty = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 + 1")])
    file.write_text(text or nbformat.writes(empty))
    with pytest.raises(notebook_page.NotebookError, match=f"notebooks/02_x.ipynb {words}"):
        notebook_page.write_page(file, tmp_path / "pages", "notebooks/02_x.ipynb", ())


def test_a_link_to_what_the_site_lacks_becomes_plain_text(tmp_path):
    """An installed wheel has fewer documents than a clone."""
    text = "[how](../docs/install.md), [words](../docs/glossary.md#token)"
    cells = [nbformat.v4.new_markdown_cell(text), nbformat.v4.new_code_cell("1", outputs=[nbformat.v4.new_output("stream")])]
    file = tmp_path / "02_x.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), file)
    (tmp_path / "notebooks").mkdir()
    notebook_page.write_page(file, tmp_path, "notebooks/02_x.ipynb", ["docs/glossary.md"])
    written = nbformat.read(tmp_path / "notebooks" / "02_x.ipynb", as_version=4)
    assert "in JupyterLab: install the course." in written.cells[0].source
    assert written.cells[1].source == "how, [words](../docs/glossary.md#token)"


def test_a_page_begins_with_its_title_and_the_links_at_its_end_are_marked_for_the_readers_path(tmp_path):
    ways = "[← 01](01_y.ipynb) · [**Build it**](../exercises/B1_z.ipynb)"
    shown = nbformat.v4.new_code_cell("1", outputs=[nbformat.v4.new_output("stream")])
    cells = [*map(nbformat.v4.new_markdown_cell, (ways, ways)), shown, nbformat.v4.new_markdown_cell(f"---\nText\n\n{ways}")]
    file = tmp_path / "02_x.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), file)
    (tmp_path / "notebooks").mkdir()
    notebook_page.write_page(file, tmp_path, "notebooks/02_x.ipynb", ["notebooks/01_y.ipynb", "exercises/B1_z.ipynb"])
    marked = f"\n```{{container}} ways\n{ways}\n```"
    written = [cell.source for cell in nbformat.read(tmp_path / "notebooks" / "02_x.ipynb", as_version=4).cells]
    assert (written[1], written[2], written[4]) == ("", ways, f"---\nText\n\n{marked}")


def test_every_picture_of_a_notebook_has_a_file_of_its_own(tmp_path):
    pictures = [bytes(16) + width.to_bytes(4) for width in (640, 720)]  # a PNG as far as its width
    drawn = [{"image/png": base64.b64encode(picture).decode()} for picture in pictures]
    cells = [nbformat.v4.new_code_cell("draw()", outputs=[nbformat.v4.new_output("display_data", data)]) for data in drawn]
    file = tmp_path / "02_x.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), file)
    (tmp_path / "notebooks").mkdir()
    notebook_page.write_page(file, tmp_path, "notebooks/02_x.ipynb", ())
    written = (tmp_path / "extra" / notebook_page.PICTURES).iterdir()
    assert sorted(picture.read_bytes() for picture in written) == pictures
