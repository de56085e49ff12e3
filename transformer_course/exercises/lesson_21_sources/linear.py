"""Sheet 21: a test of whether a function is linear, for which doubling alone is not enough."""

import numpy as np

from ..kinds import Target, WriteTest
from ..toolkit import broken, draw_tokens, normalised, of_a_text, softmax

LIMIT = 6.0


def _product(x, between=lambda h: h):
    """The tokens times two matrices that depend on the width alone, with or without a nonlinearity ``between`` them."""
    d = x.shape[1]
    w1, w2 = np.random.default_rng(d).standard_normal((2, d, 3 * d)) / np.sqrt(d)
    return between(x @ w1) @ w2.T


def _by_its_own_size(x):
    """Each number times its size, divided by the token's length: f(c x) is c f(x) for all c, but f(x + y) is not f(x) + f(y)."""
    length = np.linalg.norm(x, axis=1, keepdims=True)
    return x * np.abs(x) / np.where(length == 0, 1, length)


def _fixed_weights(x):
    """Attention whose weights depend only on positions: 1, 1/2, 1/4, … with the distance."""
    away = np.abs(np.subtract.outer(np.arange(len(x)), np.arange(len(x))))
    return softmax(-np.log(2) * away) @ x


linear_map = Target(
    reference=lambda x: of_a_text(_product)(x),
    draw=draw_tokens,
    alternatives=(
        of_a_text(_fixed_weights),
        of_a_text(lambda x: np.cumsum(x, axis=0)),
        of_a_text(lambda x: x[::-1] - x.mean(1, keepdims=True)),
        of_a_text(lambda x: -2 * x),
        of_a_text(lambda x: np.zeros_like(x)),
    ),
    mistakes={
        "a bias is added": broken(
            "inputs with numbers near 1, for which f(2x) is not 2 f(x). (Next to a million, a bias of 0.5 is lost in rounding.)",
            lambda x: _product(x) + 0.5,
        ),
        "a network with ReLU": broken(
            "two inputs with numbers of both signs, and their sum. (Doubling does not expose it.)",
            lambda x: _product(x, between=lambda h: np.maximum(0, h)),
        ),
        "ReLU alone": broken("inputs with numbers of both signs, for which f(−x) is not −f(x).", lambda x: np.maximum(0, x)),
        "the size of each number": broken("inputs with numbers of both signs, for which f(−x) is not −f(x).", np.abs),
        "the largest token in each column": broken(
            "two inputs with different largest tokens, and their sum.",
            lambda x: x - x.max(0),
        ),
        "each token sorted": broken(
            "two inputs whose rows are in different orders, and their sum.", lambda x: np.sort(x, axis=1)
        ),
        "self-attention": broken(
            "two random inputs with numbers of about 1, and their sum.",
            lambda x: softmax(x @ x.T / np.sqrt(x.shape[1])) @ x,
        ),
        "LayerNorm": broken("any random input x, because f(2x) is f(x), and not 2 f(x).", normalised),
        "cubes": broken("any random input x, because f(2x) is 8 f(x), and not 2 f(x).", lambda x: x**3),
        "x · |x|, divided by each token's length": broken(
            "the sum of two different inputs x and y, with y no multiple of x. (For multiples such as 3x and −x, and for x + x, it behaves like a linear function.)",
            _by_its_own_size,
        ),
        "cut off at 6": broken("inputs with numbers of 10 or more, and their sum.", lambda x: np.clip(x, -LIMIT, LIMIT)),
    },
)

test_linear = WriteTest(
    id="reading.test_linear",
    answer_name="is_linear",
    prompt="A test of whether a function is linear.",
    target=linear_map,
    false_positive_hint="Rounding may change the last bits. So use np.allclose with its default tolerance, not == and not a "
    "tolerance such as 1e-16. (If your inputs have 32 bits, add atol=0.001.) Give f inputs with two axes, (n, d), and the "
    "same shape for x and y. A linear function may mix tokens, swap them, or return zeros.",
    caught={each.name: each.hint for each in linear_map.mistakes},
    why=(
        "Some functions pass for all multiples without being linear, so the test needs sums of two different inputs, both "
        "small and large."
    ),
    hints=(
        "f(2x) = 2 f(x) holds for ReLU too. Which other part of the definition could fail for it?",
        "Draw x and y at random, with both signs. Then compare f(x + y) with f(x) + f(y).",
        "Do this twice with inputs of shape (5, 3): once with numbers of about 1, and once with numbers of about 20. Return "
        "True only if both comparisons hold.",
    ),
)
