"""One call of each explorable, as its lesson makes it."""

import numpy as np

from transformer_course import explorables

X = np.array([[1, 0], [0, 1], [1, 1]], dtype=float)

SAMPLES = {
    "clock": explorables.clock,
    "drag_tokens": lambda: explorables.drag_tokens(X, ["red", "car", "orange"]),
}
