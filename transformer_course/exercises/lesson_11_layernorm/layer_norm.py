"""Sheet 11: LayerNorm for vectors in an array of any rank."""

import numpy as np

from ..families import adapted
from ..families.norm import LAYER_NORM, ROUNDED, far_from_zero, layer_norm
from ..kinds import Implement, Property


def _draw(rng):
    def sized(*shape, scale=1.0, eps=1e-5):
        """Vectors of different sizes, around means that differ."""
        sizes = scale * 2.0 ** rng.integers(-1, 3, (*shape[:-1], 1))
        x = sizes * (rng.standard_normal(shape) + rng.integers(-2, 3, (*shape[:-1], 1)))
        gamma, beta = rng.uniform(0.5, 2, shape[-1]) * rng.choice([-1, 1], shape[-1]), rng.uniform(-3, 3, shape[-1])
        return [*(array.astype(np.float32).astype(float) for array in (x, gamma, beta)), float(np.float32(eps))]

    x = np.array([[1.0, 7.0, 9.0, 15.0], [3.0, 3.0, 3.0, 7.0], [5.0, 5.0, 5.0, 5.0]])  # the last one has no spread at all
    return [
        [x, np.array([1.0, 1.0, 2.0, 2.0]), np.array([0.0, 0.5, 0.0, 10.0]), 0.25],
        sized(2, 3, 5),
        sized(7),  # a single vector
        sized(4, 3, scale=2.0**-9),  # variances near ε
        sized(2, 1, 3, 6, eps=0.125),
        [far_from_zero(rng), *sized(8)[1:]],
    ]


def _in_loops(x, gamma, beta, eps):
    if x.ndim > 1:
        return [_in_loops(part, gamma, beta, eps) for part in x]
    mu = sum(x) / len(x)
    root = (sum((number - mu) ** 2 for number in x) / len(x) + eps) ** 0.5
    return [g * (number - mu) / root + b for number, g, b in zip(x, gamma, beta, strict=True)]


layers_layer_norm = Implement(
    id="layers.layer_norm",
    answer_name="layer_norm",
    prompt="LayerNorm of every vector along the last axis, with γ, β and ε.",
    reference=layer_norm,
    draw=_draw,
    alternatives=(_in_loops,),
    properties=(
        Property(
            "After subtracting β and dividing by γ, each vector's numbers should have mean 0.",
            lambda result, x, gamma, beta, eps: np.allclose(((result - beta) / gamma).mean(-1), 0, atol=1e-3),
        ),
    ),
    why="Mean and variance belong to each vector separately, and ε is added to the variance inside the square root.",
    hints=(
        "Compute each vector's mean and variance along the last axis, whatever axes come before it.",
        "Keep the last axis, with length 1 (keepdims=True, in torch keepdim=True), so that means and vectors line up.",
        "Add ε to the variance, then take the square root. Then divide, multiply by gamma, and add beta.",
    ),
    rounded=ROUNDED,
    mistakes=adapted(
        LAYER_NORM,
        lambda norm: norm,
        axis="`axis=-1`",
        keepdims="`keepdims=True` (in torch `keepdim=True`)",
        eps="eps",
        inside="`variance + eps`",
    ),
)
