"""Every link of the documents, lessons and sheets leads to a file and a heading that are there; nothing is fetched."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from built_notebooks import read

from transformer_course import course
from transformer_course._util import paths
from transformer_course.course.reading import readings

REPOSITORY = Path(__file__).parents[2]
PAGES = [
    *(REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md", "benchmarks/README.md")),
    *sorted((REPOSITORY / "docs").rglob("*.md")),
    *(source.notebook for source in course.sources()),
]

# All addresses outside that readers are sent to, besides the readings; whoever adds one has opened it.
OUTSIDE = {
    "https://distributed.dask.org",
    "https://docs.python.org/3/tutorial/",
    "https://download.pytorch.org/whl/cpu",
    "https://github.com/openai/gpt-2",
    "https://gradescope-autograders.readthedocs.io",
    "https://mml-book.github.io",
    "https://nbgrader.readthedocs.io",
    "https://numpy.org/doc/stable/user/absolute_beginners.html",
    "https://numpy.org/doc/stable/user/basics.broadcasting.html",
    "https://openstax.org/details/books/algebra-and-trigonometry-2e",
    "https://openstax.org/details/books/calculus-volume-1",
    "https://openstax.org/details/books/introductory-statistics-2e",
    "https://www.python.org/downloads/",
}


def prose(path: Path) -> list[str]:
    """A page's text, or that of each Markdown cell of a notebook."""
    if path.suffix == ".ipynb":
        return [cell.source for cell in read(path).cells if cell.cell_type == "markdown"]
    return [path.read_text(encoding="utf-8")]


def texts(path: Path) -> list[str]:
    """The same without its blocks of code."""
    return [re.sub(r"^ *```.*?^ *```$", "", text, flags=re.DOTALL | re.MULTILINE) for text in prose(path)]


def links(path: Path) -> list[str]:
    """The targets of all links and pictures; none in code."""
    prose = "\n\n".join(re.sub(r"`[^`\n]+`", "code", text) for text in texts(path))
    return re.findall(r"\]\(([^()\s]+)(?: \"[^\"]*\")?\)", prose) + re.findall(r"(?:href|src)=\"([^\"]+)\"", prose)


def anchors(path: Path) -> set[str]:
    """The names that a page gives itself, and those of its headings as GitHub makes them; in a notebook, as JupyterLab does.

    In pages that are read in both, a link to a heading needs a name of its own: ``<a id="…"></a>`` above it.
    """
    headings = [title for text in texts(path) for title in re.findall(r"^#{1,6} (.+?) *$", text, re.MULTILINE)]
    given = {name for text in texts(path) for name in re.findall(r"<a id=\"([^\"]+)\">", text)}
    if path.suffix == ".ipynb":
        return given | {title.replace(" ", "-") for title in headings}
    if path in [REPOSITORY / page for page in paths.PAGES]:
        return given
    names: list[str] = []
    for title in headings:
        plain = re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", title).lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        names.append(f"{name}-{names.count(name)}" if name in names else name)
    return given | set(names)


def broken(path: Path) -> list[str]:
    """The links of a page that lead to no file or no heading."""
    found = []
    for link in links(path):
        target, _, heading = link.partition("#")
        if urlsplit(link).scheme:
            continue
        there = (path.parent / unquote(target)).resolve() if target else path
        if not there.exists() or (heading and unquote(heading) not in anchors(there)):
            found.append(link)
    return found


def test_links_lead_somewhere():
    assert {path.relative_to(REPOSITORY).as_posix(): links for path in PAGES if (links := broken(path))} == {}


def test_addresses_outside_are_well_formed_and_listed():
    written = [text for path in PAGES for text in prose(path)]
    seen = {address.rstrip(".,;:") for text in written for address in re.findall(r"\b[a-z]+://[^\s`<>()\"']+", text)}
    seen = {address for address in seen if not address.startswith("tcp://")}  # a scheduler in one's own network
    for address in seen:
        parts = urlsplit(address)
        assert parts.scheme == "https", address
        assert re.fullmatch(r"([a-z0-9-]+\.)+[a-z]{2,}", parts.netloc), address
    assert seen == OUTSIDE | {each.address for each in readings().values()}


def test_a_broken_link_is_found(tmp_path):
    page = tmp_path / "page.md"
    (tmp_path / "other.md").write_text("# The other, `code` & more\n\n## Twice\n\n## Twice\n\n```\n# no heading\n```\n")
    good = '[a](other.md) [b](other.md#twice-1) [c](#here) ![d](other.md) `[e](in-code.md)` <a href="other.md">f</a>'
    page.write_text(f"# Here\n\n{good}\n\n```\n[g](in-a-block.md)\n```\n")
    assert broken(page) == []
    for link in (
        "[a](no.md)",
        "[b](other.md#thrice)",
        "[c](#there)",
        "![d](no.png)",
        "[e](other.md#no-heading)",
        '<img src="n.png">',
    ):
        page.write_text(f"# Here\n\n{good} {link}\n")
        assert len(broken(page)) == 1, link
