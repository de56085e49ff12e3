"""Sheet 06: a test that tells whether a function of tokens depends on their order."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Target, WriteTest
from ..toolkit import draw_tokens, of_a_text, softmax


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

    return of_a_text(attend)


def _only(sees):
    return _biased(lambda i, j, n: 0.0 if sees(i, j, n) else -np.inf)


def _positions(x):
    return np.sin(np.arange(len(x)))[:, None]


def _first_doubled(x):
    return np.concatenate([2 * _attend(x)[:1], _attend(x)[1:]])


def _second_doubled(x):
    rows = _attend(x)
    rows[1:2] *= 2
    return rows


def _last_doubled(x):
    return np.concatenate([_attend(x)[:-1], 2 * _attend(x)[-1:]])


def _in_order_of_size(x):
    rows = _attend(x)
    return rows[np.lexsort(rows.T[::-1])]


def _order(name, what, answer) -> Mistake:
    return Mistake(name, f"This function depends on the order: {what}.", "Shuffle the tokens.", answer)


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
    mistakes=(
        _order(
            "positions are added first", "sinusoids are added to the tokens", of_a_text(lambda x: _attend(x + _positions(x)))
        ),
        _order(
            "positions are added at the end",
            "sinusoids are added to the outputs",
            of_a_text(lambda x: _attend(x) + _positions(x)),
        ),
        _order("a causal mask", "each token sees only itself and earlier tokens", _only(lambda i, j, n: j <= i)),
        _order("near tokens count for more", "scores fall with distance", _biased(lambda i, j, n: -0.3 * abs(i - j))),
        _order(
            "neighbours in a circle",
            "each token sees only itself and the next one, and the last token sees the first",
            _only(lambda i, j, n: (j - i) % n in (0, 1)),
        ),
        _order("the first token counts for more", "the score of key 0 is raised", _biased(lambda i, j, n: 1.0 * (j == 0))),
        _order("the first output is doubled", "whichever token comes first gets a doubled output", of_a_text(_first_doubled)),
        _order(
            "the second output is doubled", "whichever token comes second gets a doubled output", of_a_text(_second_doubled)
        ),
        _order("the last output is doubled", "whichever token comes last gets a doubled output", of_a_text(_last_doubled)),
        _order("the outputs come backwards", "output 0 belongs to the last token", of_a_text(lambda x: _attend(x)[::-1])),
        _order(
            "the outputs come in order of size",
            "the rows are right, but they are sorted by size",
            of_a_text(_in_order_of_size),
        ),
    ),
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
    caught={
        "positions are added first": "five different tokens, in a different order.",
        "positions are added at the end": "five different tokens, in a different order.",
        "a causal mask": "five different tokens, in a different order.",
        "near tokens count for more": "an order that is not simply reversed. Reversing keeps all distances.",
        "neighbours in a circle": "an order that is not simply rotated. If you move all tokens on by one, each keeps its next token.",
        "the first token counts for more": "an order in which a different token comes first.",
        "the first output is doubled": "an order in which a different token comes first.",
        "the second output is doubled": "an order in which a different token comes second.",
        "the last output is doubled": "an order in which a different token comes last.",
        "the outputs come backwards": "an order that is not simply reversed.",
        "the outputs come in order of size": "a comparison row by row. It is not enough that the same rows come out.",
    },
    why=(
        "Your test shuffles the tokens and checks whether the outputs are shuffled in the same way, a property "
        "called permutation equivariance."
    ),
    hints=(
        "Call `f` twice, on x and on x in a different order. How must the two results be related, if f does not depend on the order?",
        "x[order] contains the rows of x in a different order, and f(x)[order] the outputs in that same order.",
        "Compare f(x[order]) with f(x)[order], using np.allclose. Try several random orders, or one that moves every token and is "
        "neither a reversal nor a rotation.",
    ),
)
