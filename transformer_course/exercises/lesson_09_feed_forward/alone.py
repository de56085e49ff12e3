"""Sheet 09: a test that tells whether a layer treats each token by itself, and all alike."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Target, WriteTest
from ..toolkit import draw_tokens, normalised, of_a_text, softmax


def _network(x, bend=lambda h: np.maximum(0, h)):
    """A feed-forward network by matrices that depend on the width alone."""
    d = x.shape[1]
    w1, w2 = np.random.default_rng(d).standard_normal((2, d, 3 * d)) / np.sqrt(d)
    return bend(x @ w1 + 0.3) @ w2.T - 0.2


def _attend(x):
    return softmax(x @ x.T / np.sqrt(x.shape[1])) @ x


def _shifted(x):
    """Each token's predecessor; zeros for the first."""
    return np.vstack([0 * x[:1], x[:-1]])


def _each_alone(x):
    return np.vstack([_network(row[None]) for row in x])


def _meets(name, what, answer) -> Mistake:
    return Mistake(name, f"Not each token by itself, or not all alike: {what}.", "Compare with a token alone.", answer)


position_wise = Target(
    reference=lambda x: of_a_text(_network)(x),
    draw=draw_tokens,
    alternatives=(
        of_a_text(_each_alone),
        of_a_text(lambda x: x + _network(x)),
        of_a_text(lambda x: _network(x, bend=np.tanh)),
        of_a_text(normalised),
        of_a_text(lambda x: np.zeros_like(x) + 1),
    ),
    mistakes=(
        _meets("attention", "each token mixes all of them", of_a_text(lambda x: _attend(x))),
        _meets("the mean of all tokens", "their mean is added to each", of_a_text(lambda x: _network(x) + x.mean(0))),
        _meets("a look at the token before", "half of it is added", of_a_text(lambda x: _network(x + 0.5 * _shifted(x)))),
        _meets(
            "a look at the first token",
            "it is added to each",
            of_a_text(lambda x: _network(x) + x[:1] - x[:1] * (len(x) == 1)),
        ),
        _meets(
            "another bias at each place",
            "token i gets 0.1 · i more",
            of_a_text(lambda x: _network(x) + 0.1 * np.arange(len(x))[:, None]),
        ),
        _meets(
            "other matrices for the last token",
            "it goes through the network twice",
            of_a_text(lambda x: np.vstack([_network(x[:-1]), _network(_network(x[-1:]))]) if len(x) > 1 else _network(x)),
        ),
        _meets("the outputs come backwards", "output 0 belongs to the last token", of_a_text(lambda x: _network(x)[::-1])),
        _meets("normalised over the tokens", "each column has mean 0", of_a_text(lambda x: _network(x) - _network(x).mean(0))),
        _meets("divided by their number", "a longer text gives smaller outputs", of_a_text(lambda x: _network(x) / len(x))),
    ),
)

test_alone = WriteTest(
    id="layers.test_position_wise",
    answer_name="is_position_wise",
    prompt="A test that tells whether a layer treats each token by itself, and all alike.",
    target=position_wise,
    false_positive_hint="A token alone is a text of one row: x[i : i + 1] has shape (1, d), and x[i] has not. And rounding may move the last bits: "
    "compare with np.allclose, never with ==. Demand nothing more: such a layer need not be linear, so f(2x) need not be 2 f(x).",
    caught={
        "attention": "a token alone, and the same token among others.",
        "the mean of all tokens": "a token alone, and the same token among others.",
        "a look at the token before": "the second token, alone and after the first.",
        "a look at the first token": "the second token, alone and after the first.",
        "another bias at each place": "the same token at two places, or each token alone.",
        "other matrices for the last token": "every token alone, the last one and the others.",
        "the outputs come backwards": "tokens that all differ; changing one must move its own output.",
        "normalised over the tokens": "a token alone, and the same token among others.",
        "divided by their number": "texts of different lengths: a token alone, and among others.",
    },
    why=(
        "Your test compares each token's output with its output when it is alone, which must match if no token influences "
        "another."
    ),
    hints=(
        "If f treats each token by itself, what should it give for a text of one token?",
        "f(x[i : i + 1]) is the output of token i alone. With what should it agree in f(x)?",
        "For every i, compare f(x[i : i + 1]) with f(x)[i : i + 1] by np.allclose, on tokens that all differ.",
    ),
)
