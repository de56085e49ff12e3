"""The hull of three points of the plane: all their mixtures, a triangle."""

import numpy as np


def outside(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Whether each of ``points`` (k, 2) is no mixture of three ``corners`` (3, 2): (k,), of booleans.

    In the plane, the weights of three corners that sum to 1 are settled by the point. It is outside when one of them is
    negative. Raises LinAlgError when the corners lie on one line.
    """
    square = np.hstack([corners, np.ones((3, 1))])
    weights = np.hstack([points, np.ones((len(points), 1))]) @ np.linalg.inv(square)
    return weights.min(axis=1) < -1e-9
