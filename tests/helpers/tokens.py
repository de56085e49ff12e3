"""Tokens for tests that learners write, and which outputs move when one of them does."""

import numpy as np

X = np.random.default_rng(3).normal(size=(5, 4))


def moved(f, j: int, by=1.0, x=X) -> np.ndarray:
    """Which outputs move when token j does."""
    changed = x.copy()
    changed[j] += by
    return ~np.isclose(f(changed), f(x)).all(-1)
