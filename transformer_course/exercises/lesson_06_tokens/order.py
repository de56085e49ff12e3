"""Sheet 06: a test that tells whether a function of tokens depends on their order."""

import numpy as np

from ..kinds import Target, WriteTest
from ..toolkit import broken, draw_tokens, of_a_text, softmax


def _attend(x, bias=0.0):
    """Self-attention with matrices that depend only on the width; ``bias`` is added to the scores."""
    d = x.shape[1]
    w_q, w_k, w_v = np.random.default_rng(d).standard_normal((3, d, d)) / np.sqrt(d)
    return softmax((x @ w_q) @ (x @ w_k).T / np.sqrt(d) + bias) @ (x @ w_v)


def _biased(bias):
    """Attention with something added to the score of query i and key j: bias(i, j, n)."""

    def attend(x):
        n = len(x)
        return _attend(x, np.array([[bias(i, j, n) for j in range(n)] for i in range(n)], float))

    return attend


def _only(sees):
    return _biased(lambda i, j, n: 0.0 if sees(i, j, n) else -np.inf)


def _positions(x):
    return np.sin(np.arange(len(x)))[:, None]


def _doubled(place):
    """The output at one place is doubled, counted from the end if negative."""
    return lambda x: _attend(x) * np.where(np.arange(len(x)) == place + len(x) * (place < 0), 2, 1)[:, None]


def _in_order_of_size(x):
    rows = _attend(x)
    return rows[np.lexsort(rows.T[::-1])]


orderless = Target(
    reference=lambda x: of_a_text(_attend)(x),
    draw=draw_tokens,
    alternatives=(
        of_a_text(lambda x: x + _attend(x)),
        of_a_text(lambda x: _attend(_attend(x))),
        of_a_text(lambda x: np.tanh(x)),
        of_a_text(lambda x: x - x.mean(0)),
        of_a_text(lambda x: np.zeros_like(x) + x.max(0)),
    ),
    mistakes={
        "positions are added first": broken(
            "five different tokens, in a different order.", lambda x: _attend(x + _positions(x))
        ),
        "positions are added at the end": broken(
            "five different tokens, in a different order, and a comparison row by row: sums over the tokens may be equal.",
            lambda x: _attend(x) + _positions(x),
        ),
        "a causal mask": broken("five different tokens, in a different order.", _only(lambda i, j, n: j <= i)),
        "near tokens count for more": broken(
            "an order that is not simply reversed. Reversing keeps all distances.", _biased(lambda i, j, n: -0.3 * abs(i - j))
        ),
        "neighbours in a circle": broken(
            "an order that is not simply rotated. If you move all tokens on by one, each keeps its next token.",
            _only(lambda i, j, n: (j - i) % n in (0, 1)),
        ),
        "the first token counts for more": broken(
            "an order in which a different token comes first.", _biased(lambda i, j, n: 1.0 * (j == 0))
        ),
        "the first output is doubled": broken("an order in which a different token comes first.", _doubled(0)),
        "the second output is doubled": broken("an order in which a different token comes second.", _doubled(1)),
        "the last output is doubled": broken("an order in which a different token comes last.", _doubled(-1)),
        "the outputs come backwards": broken("an order that is not simply reversed.", lambda x: _attend(x)[::-1]),
        "the outputs come in order of size": broken(
            "a comparison row by row. It is not enough that the same rows come out.", _in_order_of_size
        ),
    },
)

test_order = WriteTest(
    id="embedding.test_order",
    answer_name="is_blind_to_order",
    prompt="A test that tells whether shuffled tokens get the same outputs, shuffled.",
    target=orderless,
    false_positive_hint="There are four common causes. The rows of x are the tokens: x[order] shuffles them, but x[:, order] shuffles the numbers of each "
    "token. If the order does not matter, shuffled tokens get *shuffled* outputs, so shuffle f(x) in the "
    "same way before you compare. A reordering must contain every row exactly once; if you leave out rows, the outputs of the others "
    "change. And sums may be rounded differently, so compare with np.allclose, never with ==.",
    caught={each.name: each.hint for each in orderless.mistakes},
    why=(
        "Your test shuffles the tokens and checks whether the outputs are shuffled in the same way, a property called "
        "permutation equivariance."
    ),
    hints=(
        "Call `f` twice, on x and on x in a different order. How must the two results be related, if f does not depend on "
        "the order?",
        "x[order] contains the rows of x in a different order, and f(x)[order] the outputs in that same order.",
        "Compare f(x[order]) with f(x)[order], using np.allclose. Try several random orders, or one that moves every token "
        "and is neither a reversal nor a rotation.",
    ),
)
