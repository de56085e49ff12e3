"""Sheet 09: a test that tells whether a layer is position-wise."""

import numpy as np

from ..kinds import Target, WriteTest
from ..toolkit import draw_tokens, normalised, of_a_text, softmax


def _network(x, activation=lambda h: np.maximum(0, h)):
    """A feed-forward network by matrices that depend on the width alone."""
    d = x.shape[1]
    w1, w2 = np.random.default_rng(d).standard_normal((2, d, 3 * d)) / np.sqrt(d)
    return activation(x @ w1 + 0.3) @ w2.T - 0.2


def _meets(exposed_by, function):
    return "This function does not treat each token separately, and all alike.", exposed_by, of_a_text(function)


position_wise = Target(
    reference=of_a_text(_network),
    draw=draw_tokens,
    alternatives=(
        of_a_text(lambda x: np.vstack([_network(row[None]) for row in x])),
        of_a_text(lambda x: x + _network(x)),
        of_a_text(lambda x: _network(x, activation=np.tanh)),
        of_a_text(normalised),
        of_a_text(lambda x: np.zeros_like(x) + 1),
    ),
    mistakes={
        "attention": _meets(
            "a token alone, and the same token among others.", lambda x: softmax(x @ x.T / np.sqrt(x.shape[1])) @ x
        ),
        "the mean of all tokens": _meets("a token alone, and the same token among others.", lambda x: _network(x) + x.mean(0)),
        "a look at the token before": _meets(
            "the second token, alone and after the first.",
            lambda x: _network(x + 0.5 * np.vstack([0 * x[:1], x[:-1]])),
        ),
        "a look at the token after": _meets(
            "the first token, alone and before the second.",
            lambda x: _network(x + 0.5 * np.vstack([x[1:], 0 * x[:1]])),
        ),
        "a look two tokens back": _meets(
            "the third token, alone and after two others.",
            lambda x: _network(x + 0.5 * np.vstack([0 * x[:2], x[:-2]])),
        ),
        "a look at the first token": _meets(
            "the second token, alone and after the first.",
            lambda x: _network(x) + x[:1] * (len(x) > 1),
        ),
        "a different bias at each position": _meets(
            "the same token at two positions, or each token alone.",
            lambda x: _network(x) + 0.1 * np.arange(len(x))[:, None],
        ),
        "other matrices for the last token": _meets(
            "every token alone, the last one too.",
            lambda x: np.vstack([_network(x[:-1]), _network(_network(x[-1:]))]) if len(x) > 1 else _network(x),
        ),
        "the outputs in reverse order": _meets(
            "tokens that all differ; changing one must change its own output.",
            lambda x: _network(x)[::-1],
        ),
        "normalised over the tokens": _meets(
            "a token alone, and the same token among others.",
            lambda x: _network(x) - _network(x).mean(0),
        ),
        "divided by the number of tokens": _meets(
            "texts of different lengths: a token alone, and among others.",
            lambda x: _network(x) / len(x),
        ),
    },
)

test_alone = WriteTest(
    id="layers.test_position_wise",
    answer_name="is_position_wise",
    prompt="A test that tells whether a layer treats each token separately, and all in the same way.",
    target=position_wise,
    false_positive_hint=(
        "Each row of x is a token. A token alone is a text of one row: x[i : i + 1] has shape (1, d), but x[i] has shape "
        "(d,). Rounding may change the last digits: compare with np.allclose, not with ==. Demand nothing more: such a layer "
        "need not be linear, so f(2x) need not be 2 f(x)."
    ),
    caught={each.name: each.hint for each in position_wise.mistakes},
    why=(
        "Your test compares each token's output with its output when it is alone, which must match if no token influences "
        "another."
    ),
    hints=(
        "If f treats each token separately, what should it return for a text of one token?",
        "f(x[i : i + 1]) is the output of token i alone. Which part of f(x) should equal it?",
        "For every i, compare f(x[i : i + 1]) with f(x)[i : i + 1], using np.allclose and tokens that all differ.",
    ),
)
