"""Points in the plane, and the hull of three corners."""

import numpy as np
import pytest
from figure_samples import X

from transformer_course import figures


def test_a_cloud_marks_what_lies_outside_of_its_corners():
    points = np.array([[0.5, 0.5], [0.2, 0.1], [2.0, 2.0]])
    ax = figures.scatter_hull(points, X, outside=np.array([False, False, True]), limits=(-1, 3), title="Cloud")
    inside, outside, corners = (line.get_xydata() for line in ax.lines)
    assert inside.tolist() == points[:2].tolist()
    assert outside.tolist() == points[2:].tolist()
    assert corners.tolist() == X.tolist()
    np.testing.assert_array_equal(ax.patches[0].get_xy()[:3], X)
    assert (ax.get_xlim(), ax.get_ylim(), ax.get_title("left")) == ((-1, 3), (-1, 3), "Cloud")
    assert ax.lines[0].get_marker() != ax.lines[1].get_marker()  # distinguishable without colour
    assert len(figures.scatter_hull(points, X).lines[1].get_xydata()) == 0


def test_a_cloud_refuses_other_dimensions():
    with pytest.raises(ValueError, match="two coordinates"):
        figures.scatter_hull(np.ones((4, 3)), X)
