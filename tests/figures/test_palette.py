"""Every colour is in the palette alone, is seen on its ground, and is called by its name."""

import re

import matplotlib as mpl
import numpy as np
import pytest
from contrast import contrast
from matplotlib.colors import to_rgba

from transformer_course import explorables
from transformer_course._util.palette import PALETTE
from transformer_course._util.paths import PACKAGE
from transformer_course.exercises.question import View
from transformer_course.figures.style import MAP

COLOUR = re.compile(r"#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b|\b(rgb|hsl)a?\(\s*\d", re.IGNORECASE)


def test_no_colour_is_written_anywhere_else():
    files = [file for file in PACKAGE.rglob("*.*") if file.suffix in (".py", ".css", ".js", ".html")]
    ours = [file for file in files if not file.is_relative_to(PACKAGE / "workshop" / "reveal")]
    assert len(ours) > 300
    found = {str(file): match[0] for file in ours if (match := COLOUR.search(file.read_text(encoding="utf-8")))}
    assert found == {}


def test_pages_name_every_colour_of_theirs_and_no_other():
    templates = "".join(file.read_text(encoding="utf-8") for file in PACKAGE.rglob("templates/*.html"))
    of_reveal = {"slide-height"}
    assert {*re.findall(r"var\(--([\w-]+)", templates)} == {*PALETTE["page"]} | of_reveal


def test_what_notebooks_store_brings_its_colours():
    stored = explorables.clock()._repr_html_() + View((), "ask")._repr_html_()
    assert {*re.findall(r"var\(--(\w+)", stored)} == {"jp"}  # JupyterLab's own
    assert {PALETTE["picture"]["query"], PALETTE["cell"]["right"]} <= {*re.findall(r"#\w+", stored)}


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_the_text_of_pages_reads_on_each_ground(theme):
    page = {name: colour[theme] for name, colour in PALETTE["page"].items()}
    texts = [page[name] for name in ("ink", "soft", "right", "wrong", "partly")]
    assert min(contrast(text, page[ground]) for text in texts for ground in ("paper", "code")) > 4.5
    assert contrast(page["bar"], page["paper"]) > 3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_cells_read_in_jupyterlab(theme):
    ground, text = (PALETTE["jupyterlab"][name][theme] for name in ("ground", "text"))
    cell = PALETTE["cell"]
    assert min(contrast(cell[name], ground) for name in ("right", "wrong", "note", "chosen")) > 3
    *hover, alpha = to_rgba(cell["hover"])
    assert contrast(text, alpha * np.array(hover) + (1 - alpha) * np.array(to_rgba(ground)[:3])) > 4.5


def test_text_reads_on_grounds_of_our_own():
    picture, cell = PALETTE["picture"], PALETTE["cell"]
    assert contrast("white", picture["query"]) > 4.5  # the token that is chosen in an explorable
    assert contrast(cell["option"], cell["options"]) > 4.5
    assert contrast(picture["projected"], "white") > 7


def test_weights_have_the_same_colours_in_explorables_as_in_figures():
    purples = re.search(r"PURPLES = \[(.*)\]", (PACKAGE / "explorables" / "shared.js").read_text(encoding="utf-8"))[1]
    shades = [to_rgba(f"#{shade}") for shade in re.findall(r"\w+", purples)]
    np.testing.assert_allclose(mpl.colormaps[MAP](np.linspace(0, 1, len(shades))), shades, atol=2 / 255)
