"""What every explorable's output has: one fixed text, one fixed page of HTML, and a picture for readers without scripts."""

import base64
import io
import re

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from explorable_samples import SAMPLES, X
from PIL import Image

from transformer_course import explorables
from transformer_course._util.paths import PACKAGE

mpl.use("agg")
DEFINED = r"(?m)^(?:function|const) (\w+)"
EACH = pytest.mark.parametrize("name", SAMPLES)


@EACH
def test_every_run_gives_the_same_output_and_leaves_no_figure_open(name):
    first, second = SAMPLES[name](), SAMPLES[name]()
    assert first._repr_html_() == second._repr_html_()
    assert repr(first) == repr(second)
    assert plt.get_fignums() == []


@EACH
def test_a_notebook_grows_by_at_most_80_kilobytes_and_asks_no_network(name):
    html = SAMPLES[name]()._repr_html_()
    assert len(html.encode()) <= 80_000
    assert re.findall(r"\w+://[^\s\"']+", html) == ["http://www.w3.org/2000/svg"]  # a name, not an address
    assert "$" not in re.sub(r"\$\{", "", html)  # JupyterLab would typeset it as a formula


def test_one_file_holds_the_arithmetic_of_explorables_the_site_and_a_models_page():
    files = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.js") if "reveal" not in path.parts}
    arithmetic = files.pop(PACKAGE / "explorables" / "arithmetic.js")
    names = {*re.findall(DEFINED, arithmetic)}
    assert {"product", "softmax", "norm", "attention"} <= names
    for path, text in files.items():
        assert names.isdisjoint(re.findall(DEFINED, text)), path


@EACH
def test_the_picture_has_a_transparent_ground_and_the_text_as_its_description(name):
    shown = SAMPLES[name]()
    data = re.search(r'<img src="data:image/webp;base64,([^"]+)" alt="([^"]+)">', shown._repr_html_())
    picture = Image.open(io.BytesIO(base64.b64decode(data[1]))).convert("RGBA")
    assert picture.getpixel((0, 0))[3] == 0
    assert data[2] == repr(shown) != ""


@pytest.mark.parametrize("tokens", [X[:2], np.eye(3), X * np.nan, [["a", "b"]] * 3], ids=["two", "wide", "nan", "text"])
def test_tokens_that_do_not_fit_the_plane_are_refused_in_one_sentence(tokens):
    with pytest.raises(ValueError, match=r"three tokens|could not convert"):
        explorables.drag_tokens(tokens, ["a", "b", "c"])


def test_names_that_contain_markup_are_shown_as_text():
    html = explorables.drag_tokens(X, ['<b>"', "b", "c"])._repr_html_()
    assert "<b>" not in html
