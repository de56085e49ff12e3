"""The heat map of weights, and tokens and outputs in the plane."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from figure_samples import X

from transformer_course import figures


def test_a_heat_map_shows_its_weights_on_a_fixed_scale():
    weights = np.array([[0.25, 0.75], [0.9, 0.1], [0.5, 0.5]])
    ax = figures.heatmap(torch.from_numpy(weights), ["a", "b", "c"], ["x", "y"], "Title", marked=[(1, 0)])
    (image,) = ax.images
    np.testing.assert_array_equal(image.get_array(), weights)
    assert image.get_clim() == (0, 1)
    assert [t.get_text() for t in ax.texts] == ["0.2500", "0.7500", "0.9000", "0.1000", "0.5000", "0.5000"]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["a", "b", "c"]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["x", "y"]
    assert ax.get_title("left") == "Title"
    (frame,) = ax.patches
    assert frame.get_xy() == pytest.approx((-0.47, 0.53))  # around row 1, column 0


def test_a_large_heat_map_leaves_the_numbers_out():
    assert len(figures.heatmap(np.full((9, 9), 1 / 9)).texts) == 0


def test_a_heat_map_refuses_a_batch():
    with pytest.raises(ValueError, match=r"matrix of weights \(n, m\), got shape \(2, 3, 3\)"):
        figures.heatmap(np.zeros((2, 3, 3)))


def test_a_heat_map_rounds_its_numbers():
    assert [t.get_text() for t in figures.heatmap([[0.256, 0.744]], digits=1).texts] == ["0.3", "0.7"]


def test_the_plane_shows_tokens_outputs_hull_and_mirror():
    outputs = X * 0.5
    ax = figures.plane(X, outputs, hull=True, mirror=True)
    points = [line.get_xydata().ravel().tolist() for line in ax.lines if len(line.get_xydata()) == 1]
    assert points == [p for token, output in zip(X.tolist(), outputs.tolist(), strict=True) for p in (token, output)]
    assert [t.get_text() for t in ax.texts if t.get_text().startswith("token")] == ["token 1", "token 2", "token 3"]
    (triangle,) = ax.patches
    np.testing.assert_array_equal(triangle.get_xy()[:3], X)
    mirror = ax.lines[0].get_xydata()
    np.testing.assert_array_equal(mirror[:, 0], mirror[:, 1])
    low, high = ax.get_xlim()
    assert low < X.min() <= X.max() < high


def test_the_plane_refuses_other_dimensions():
    with pytest.raises(ValueError, match=r"points with two coordinates, \(n, 2\), got shape \(3, 5\)"):
        figures.plane(np.zeros((3, 5)))
    with pytest.raises(ValueError, match="two coordinates"):
        figures.plane(X, np.zeros((3, 3)))


def test_the_scale_of_a_heat_map_may_begin_below_0():
    (image,) = figures.heatmap(np.array([[-1.0, 1.0]]), lowest=-1).images
    assert image.get_clim() == (-1, 1)


def test_the_numbers_of_a_heat_map_fit_into_its_cells():
    for ax in figures.panels(3, 4.6, 4.2):
        figures.heatmap(np.full((8, 8), 0.2), digits=2, ax=ax)
    ax.figure.draw_without_rendering()
    (left, _), (right, _) = ax.transData.transform([(-0.5, 0), (0.5, 0)])
    assert max(text.get_window_extent().width for text in ax.texts) < right - left


def test_the_labels_of_narrow_columns_do_not_touch():
    for ax in figures.panels(4, 3.4):
        figures.heatmap(np.ones((7, 7)), columns=["1", "2", "3", "4", "5", "pad", "pad"], ax=ax)
    ax.figure.canvas.draw()
    labels = [label.get_window_extent() for label in ax.get_xticklabels()]
    assert all(left.x1 < right.x0 for left, right in pairwise(labels))
