"""The convex hull of three points in the plane: the triangle of all their weighted averages."""

import numpy as np


def outside_hull(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Return, for each of ``points`` (k, 2), whether it is outside the convex hull of three ``corners`` (3, 2): k booleans.

    In the plane, each point is a weighted sum of the corners for exactly one set of weights that sum to 1. The point
    is outside if one of these weights is negative.

    Raises LinAlgError if the corners are on one line.
    """
    square = np.hstack([corners, np.ones((3, 1))])
    weights = np.hstack([points, np.ones((len(points), 1))]) @ np.linalg.inv(square)
    return weights.min(axis=1) < -1e-9
