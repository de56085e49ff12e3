"""One call of each explorable, with little data."""

import numpy as np

from transformer_course import explorables

X = np.array([[1, 0], [0, 1], [1, 1]], dtype=float)
LOGITS = np.random.default_rng(0).normal(0, [[1.0], [4.0]], (2, 50))

SAMPLES = {
    "clock": explorables.clock,
    "drag_tokens": lambda: explorables.drag_tokens(X, ["red", "car", "orange"]),
    "next_token": lambda: explorables.next_token(["a b", "a"], [f" t{i}" for i in range(50)], LOGITS),
}
