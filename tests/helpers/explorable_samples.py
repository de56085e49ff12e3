"""One call of each explorable, with little data."""

import numpy as np

from transformer_course import explorables

X = np.array([[1, 0], [0, 1], [1, 1]], dtype=float)
LOGITS = np.random.default_rng(0).normal(0, [[1.0], [4.0]], (2, 50))
SCORES = {d_k: np.random.default_rng(d_k).normal(0, d_k**0.5, (12, 8)) for d_k in 2 ** np.arange(1, 10)}

SAMPLES = {
    "clock": explorables.clock,
    "drag_tokens": lambda: explorables.drag_tokens(X, ["red", "car", "orange"]),
    "next_token": lambda: explorables.next_token(["a b", "a"], [f" t{i}" for i in range(50)], LOGITS),
    "scale": lambda: explorables.scale(SCORES),
}
