"""Sizes, scores and colours that the drawings of attention share."""

import matplotlib as mpl
import numpy as np
from matplotlib.colors import to_hex

from ..style import MAP

N, D, D_K, D_V = 4, 6, 3, 4  # sizes as drawn: n tokens of width d, and the widths of keys and values

# Scores of four tokens, so that the weights of a drawing have the shades of real ones.
SCORES = np.array([[1.5, 0.2, -0.5, 0.4], [0.3, 0.8, 1.6, -1.0], [-0.6, 2.0, 0.4, 0.9], [0.9, -0.4, 1.2, 1.4]])


def softmax(scores: np.ndarray) -> np.ndarray:
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum(-1, keepdims=True)


def shades(weights: np.ndarray) -> np.ndarray:
    """Return the colours that a heat map gives to weights."""
    return np.array([[to_hex(mpl.colormaps[MAP](weight)) for weight in row] for row in weights])
