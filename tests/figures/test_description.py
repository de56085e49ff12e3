"""Alt text: a sentence from a figure's data, which reaches the notebook's output."""

import os
import re
import subprocess
import sys
from types import SimpleNamespace

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from figure_samples import X, samples
from IPython.core.formatters import DisplayFormatter
from nbconvert import HTMLExporter

from transformer_course import figures
from transformer_course.figures.description import description, listed

K = np.arange(12)
# Two calls of each function that draws data.
PAIRS = {
    "architecture": (lambda: figures.architecture("output layer"), lambda: figures.architecture()),
    "bars": (lambda: figures.bars([0.2, 0.8], ["a", "b"]), lambda: figures.bars([0.3, 0.7], ["a", "b"])),
    "many bars": (lambda: figures.bars(K / 12), lambda: figures.bars(K / 24)),
    "beside_chance": (
        lambda: figures.beside_chance({"a": 0.4}, {"a": [0.1, 0.3]}),
        lambda: figures.beside_chance({"a": 0.4}, {"a": [0.2, 0.3]}),
    ),
    "clock": (lambda: figures.clock([[0, 1]], [[1, 0]]), lambda: figures.clock([[0, 1]], [[0, -1]])),
    "counts": (lambda: figures.counts({"a": 3}), lambda: figures.counts({"a": 4})),
    "differences": (lambda: figures.differences({"a": [0.1, 0.3]}), lambda: figures.differences({"a": [0.2, 0.3]})),
    "curves": (lambda: figures.curves(K, {"a": K}), lambda: figures.curves(K, {"a": 2 * K})),
    "curves with a peak": (
        lambda: figures.curves([1, 2, 3], {"a": [[0, 5, 1], [0, 7, 1], [0, 6, 1]]}),
        lambda: figures.curves([1, 2, 3], {"a": [0, 0.5, 1]}),
    ),
    "numbered heatmap": (lambda: figures.heatmap(np.eye(2), [1, 2], [7, 8]), lambda: figures.heatmap(np.eye(2))),
    "heatmap": (lambda: figures.heatmap(np.eye(2)), lambda: figures.heatmap(np.ones((2, 2)))),
    "large heatmap": (
        lambda: figures.heatmap(np.eye(7), marked=[(1, 2)]),
        lambda: figures.heatmap(np.eye(7)[::-1], marked=[(1, 2)]),
    ),
    "images": (
        lambda: figures.images([np.eye(2)], ["9, taken for 8"]),
        lambda: figures.images([np.eye(2)], ["9, taken for 7"]),
    ),
    "ladder": (
        lambda: figures.ladder({"a": 3.5}, {"a": [3.0, 3.1, 3.2]}, (6.5, "guessing")),
        lambda: figures.ladder({"a": 3.6}, {"a": [3.0, 3.1, 3.2]}, (6.5, "guessing")),
    ),
    "logit_lens": (
        lambda: figures.logit_lens([["a", "b"]], [[0.5, 0.7]], "xy", "ac"),
        lambda: figures.logit_lens([["a", "c"]], [[0.5, 0.7]], "xy", "ac"),
    ),
    "plane": (lambda: figures.plane(X, X / 2), lambda: figures.plane(X)),
    "scatter_hull": (lambda: figures.scatter_hull(X, X, [True, True, False]), lambda: figures.scatter_hull(X, X)),
    "schematic": (lambda: figures.schematic("mask"), lambda: figures.schematic("attention")),
    "token_labels": (lambda: figures.token_labels("abc", "bcd", 1), lambda: figures.token_labels("abc", "bcd", 2)),
}


def test_a_sentence_is_made_from_the_data(snapshot):
    sentences = {}
    for name, (draw, otherwise) in PAIRS.items():
        sentences[name] = description(draw())
        assert description(otherwise()) != sentences[name], name
        plt.close("all")
    assert sentences == snapshot


@pytest.mark.parametrize("name", samples())
def test_every_figure_has_one_readable_sentence_per_panel_after_its_title(name):
    ax = samples()[name]()
    sentence = description(ax)
    assert sentence.endswith(".")
    assert len(sentence) < 700
    assert not re.search(r"\bnan\b|\bNone\b|array\(|np\.|\. [A-Z]", sentence)
    assert not ax.get_title(loc="left") or sentence.startswith(ax.get_title(loc="left"))
    assert description(ax) in ax.figure.alt


def test_every_public_function_that_draws_is_tested_here():
    assert set(figures.__all__) - {"panels", "live", "progress"} <= set(PAIRS)  # live draws curves; progress is HTML


def test_a_long_list_is_shortened():
    assert listed("abcdefghij") == "a, b, c, d, e, f, g, h, and 2 more"


def test_panels_give_their_sentences_in_order():
    left, right = figures.panels(2)
    figures.bars([1.0], ["r"], "Right", ax=right)
    figures.bars([1.0], ["l"], "Left", ax=left)
    assert left.figure.alt == "Left: bars: l 1. Right: bars: r 1."


def test_the_picture_in_a_notebook_has_the_sentence_in_its_metadata_and_an_exported_page_shows_it(monkeypatch):
    formatter = DisplayFormatter()
    monkeypatch.setattr("IPython.get_ipython", lambda: SimpleNamespace(display_formatter=formatter))
    figure = figures.bars([0.2, 0.8], ["a", "b"], "Weights of “a” & b").figure
    data, metadata = formatter.format(figure)
    assert metadata["image/png"]["alt"] == "Weights of “a” & b: bars: a 0.2, b 0.8."
    output = nbformat.v4.new_output("display_data", data, metadata=metadata)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(outputs=[output])])
    page, _ = HTMLExporter(template_name="basic").from_notebook_node(notebook)
    assert 'alt="Weights of “a” &amp; b: bars: a 0.2, b 0.8."' in page


def test_outside_a_notebook_a_figure_is_drawn_without_ipython():
    code = "import sys; from transformer_course import figures; figures.bars([1.0]); assert 'IPython' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "MPLBACKEND": "agg"})
