"""The convex hull of value vectors."""

import numpy as np

from transformer_course.experiments.hull import outside_hull


def test_outside_the_hull_is_what_no_mixture_reaches():
    corners = np.array([[1.0, 0], [0, 1], [1, 1]])
    mixtures = np.random.default_rng(0).dirichlet([1, 1, 1], size=50) @ corners
    assert not outside_hull(np.vstack([mixtures, corners, corners[:2].mean(0)[None]]), corners).any()
    assert outside_hull(np.array([[0, 0], [0.4, 0.5], [1.1, 1], [0.5, 1.2]]), corners).all()
