"""Colours that read on a light and a dark page and are told apart, and a style that leaves others' plots alone."""

import io
import itertools

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from contrast import contrast
from figure_samples import X, samples
from IPython.core.pylabtools import print_figure
from matplotlib.colors import to_rgb
from matplotlib.text import Text
from matplotlib_inline.backend_inline import _fetch_figure_metadata

from transformer_course import figures
from transformer_course._util.palette import PALETTE
from transformer_course.figures.style import CYCLE, FAINT, LIT, MAP, TEXT, WIDEST, contrast_text, luminance, panels

PAGES = tuple(PALETTE["jupyterlab"]["ground"].values())

# Machado, Oliveira & Fernandes 2009, table 1, severity 1.0: linear RGB as seen with red–green colour blindness.
COLOUR_BLIND = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
}


def test_luminance_of_known_colours():
    assert [luminance(c) for c in ("black", "white")] == pytest.approx([0, 1])
    assert luminance("#808080") == pytest.approx(0.2159, abs=1e-4)


@pytest.mark.parametrize("page", PAGES)
def test_lines_and_text_read_on_a_light_and_on_a_dark_page(page):
    assert min(contrast(colour, page) for colour in (*CYCLE, FAINT)) > 3
    assert contrast(TEXT, page) > 4.3


def test_no_colour_has_more_contrast_on_both_pages_than_the_text():
    greys = [(level / 1000,) * 3 for level in range(1001)]
    best = max(min(contrast(grey, page) for page in PAGES) for grey in greys)
    assert best < 4.5
    assert min(contrast(TEXT, page) for page in PAGES) == pytest.approx(best, abs=0.02)


def test_inks_get_lighter_and_boxes_are_legible():
    assert min(contrast(left, right) for left, right in itertools.pairwise(CYCLE)) > 1.2
    assert luminance(CYCLE[0]) < luminance(CYCLE[1]) < luminance(CYCLE[2]) < luminance(CYCLE[3])
    assert contrast(contrast_text(LIT), LIT) > 7
    assert min(contrast(LIT, page) for page in PAGES) > 1.4


@pytest.mark.parametrize("name", samples())
def test_what_a_figure_draws_reads_on_both_pages(name):
    ax = samples()[name]()
    on_its_own_ground = ("black", "white")
    for text in ax.figure.findobj(Text):
        if text.get_text():
            assert to_rgb(text.get_color()) in map(to_rgb, (TEXT, *on_its_own_ground)), text.get_text()
    figure = plt.imread(io.BytesIO(print_figure(ax.figure, "png")))
    assert figure[0, 0, 3] == figure[-1, -1, 3] == 0  # the ground is transparent
    drawn = figure[(figure[..., 3] > 0) & (figure[..., 3] < 1)]  # what has an edge on the ground
    grey = drawn[np.ptp(drawn[:, :3], axis=1) < 0.02, :3]
    assert not (grey.max(axis=1) < 0.3).any(), "black text or a black line on the transparent ground"
    assert _fetch_figure_metadata(ax.figure) is None  # otherwise JupyterLab's dark theme puts a white ground behind it
    assert figure.shape[0] * min(1, 720 / figure.shape[1]) <= 420


def test_a_figure_that_is_too_wide_is_made_smaller_in_both_directions():
    (figure,) = {ax.figure for ax in panels(4, 5, 4)}
    assert tuple(figure.get_size_inches()) == (WIDEST, 4 * WIDEST / 20)
    assert tuple(panels(2, 4, 3)[0].figure.get_size_inches()) == (8, 3)


@pytest.mark.parametrize("kind", COLOUR_BLIND)
def test_inks_differ_for_the_colour_blind(kind):
    seen = [np.clip(np.array(COLOUR_BLIND[kind]) @ np.square(to_rgb(ink)), 0, 1) for ink in CYCLE]
    assert min(np.abs(a - b).max() for a, b in itertools.combinations(seen, 2)) > 0.08


def test_the_map_of_weights_darkens_steadily_and_its_numbers_stay_legible():
    shades = [mpl.colormaps[MAP](x) for x in np.linspace(0, 1, 101)]
    assert (np.diff([luminance(shade) for shade in shades]) < 0).all()
    assert min(contrast(contrast_text(shade), shade) for shade in shades) > 4.5


def test_figures_are_drawn_into_given_axes_and_leave_the_style_alone():
    before = dict(mpl.rcParams)
    left, right = figures.panels(2)
    assert figures.heatmap(np.eye(2), ax=left) is left
    assert figures.plane(X, ax=right) is right
    assert figures.architecture(ax=figures.panels()[0]).figure is not left.figure
    assert dict(mpl.rcParams) == before
