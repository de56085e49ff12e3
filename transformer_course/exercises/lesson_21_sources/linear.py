"""Sheet 21: a test that tells whether a function is linear, and is not content with doubling."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Target, WriteTest
from ..toolkit import draw_tokens, normalised, of_a_text, softmax

LIMIT = 6.0


def _matrices(d):
    """Two matrices that depend on the width alone."""
    return np.random.default_rng(d).standard_normal((2, d, 3 * d)) / np.sqrt(d)


def _product(x):
    w1, w2 = _matrices(x.shape[1])
    return x @ w1 @ w2.T


def _network(x, bend=lambda h: np.maximum(0, h)):
    w1, w2 = _matrices(x.shape[1])
    return bend(x @ w1) @ w2.T


def _fixed_weights(x):
    """Attention whose weights come from the places alone: 1, 1/2, 1/4 … with the distance."""
    away = np.abs(np.subtract.outer(np.arange(len(x)), np.arange(len(x))))
    return softmax(-np.log(2) * away) @ x


def _not_linear(name, what, answer) -> Mistake:
    return Mistake(name, f"Not linear: {what}.", "Compare f(x + y) with f(x) + f(y).", of_a_text(answer))


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
    mistakes=(
        _not_linear("a bias is added", "f(0) is not 0", lambda x: _product(x) + 0.5),
        _not_linear("a network with ReLU", "it doubles with its input, and bends at 0", lambda x: _network(x)),
        _not_linear("ReLU alone", "negative numbers become 0", lambda x: np.maximum(0, x)),
        _not_linear("the size of each number", "signs are lost", lambda x: np.abs(x)),
        _not_linear("the largest token in each column", "a sum has another largest one", lambda x: x - x.max(0)),
        _not_linear("each token sorted", "a sum has another order", lambda x: np.sort(x, axis=1)),
        _not_linear("self-attention", "the weights are made of x too", lambda x: softmax(x @ x.T / np.sqrt(x.shape[1])) @ x),
        _not_linear("LayerNorm", "how large a token is does not matter to it", normalised),
        _not_linear("cubes", "the double gives eight times as much", lambda x: x**3),
        _not_linear("cut off at 6", "numbers above that stay 6", lambda x: np.clip(x, -LIMIT, LIMIT)),
    ),
)

test_linear = WriteTest(
    id="reading.test_linear",
    answer_name="is_linear",
    prompt="A test that tells whether a function is linear.",
    target=linear_map,
    false_positive_hint="Rounding may move the last bits: compare with np.allclose, never with ==; with numbers of 32 bits, add atol=0.001. What goes in has two axes, (n, d), and x and y "
    "have the same shape. A linear function may mix tokens, exchange them, or give zeros.",
    caught={
        "a bias is added": "numbers near 1, where a bias of 0.5 matters (beside a million it vanishes): f(2x) is not 2 f(x).",
        "a network with ReLU": "two inputs with numbers of both signs, and their sum. (Doubling shows nothing.)",
        "ReLU alone": "numbers of both signs: f(−x) is not −f(x).",
        "the size of each number": "numbers of both signs: f(−x) is not −f(x).",
        "the largest token in each column": "two inputs in which other tokens are the largest, and their sum.",
        "each token sorted": "two inputs whose rows have another order, and their sum.",
        "self-attention": "any two inputs with numbers of about 1, and their sum.",
        "LayerNorm": "any: f(2x) is not 2 f(x).",
        "cubes": "any: f(2x) is not 2 f(x).",
        "cut off at 6": "numbers of 10 and more.",
    },
    why=(
        "Your test tries sums and multiples on random inputs, and a function that is not linear breaks at least one of the "
        "two."
    ),
    hints=(
        "f(2x) = 2 f(x) holds for ReLU as well. Which other sentence of the definition could fail for it?",
        "Draw x and y at random, with both signs, and compare f(x + y) with f(x) + f(y).",
        "Do it twice, once with numbers of about 1 and once with numbers of about 20: of shape (5, 3), say. All must hold.",
    ),
)
