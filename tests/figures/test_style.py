"""Colours that are told apart in grey and by the colour-blind, and a style that leaves others' plots alone."""

import itertools

import matplotlib as mpl
import numpy as np
import pytest
from figure_samples import X
from matplotlib.colors import to_rgb

from transformer_course import figures
from transformer_course.figures.architecture import DARK, LIT
from transformer_course.figures.style import CYCLE, FAINT, MAP, TEXT, contrast_text, luminance

mpl.use("agg")


# Machado, Oliveira & Fernandes 2009, table 1, severity 1.0: linear RGB as seen with red–green colour blindness.
COLOUR_BLIND = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
}


def contrast(left, right) -> float:
    lighter, darker = sorted((luminance(left), luminance(right)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_luminance_of_known_colours():
    assert [luminance(c) for c in ("black", "white")] == pytest.approx([0, 1])
    assert luminance("#808080") == pytest.approx(0.2159, abs=1e-4)


def test_inks_differ_in_grey():
    for left, right in itertools.combinations(CYCLE, 2):
        assert contrast(left, right) > 1.5
    assert contrast(TEXT, "white") > 7
    assert contrast(LIT, DARK) > 1.25
    assert contrast(FAINT, "white") > 1.5


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
