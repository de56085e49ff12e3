"""Sheet 04: a test that tells whether a function lets a token see what comes later."""

import numpy as np

from ..kinds import Target, WriteTest
from ..toolkit import broken, draw_tokens, of_a_text, softmax
from .late_mask import masked_weights


def _parts(x):
    """Scores and values, by matrices that depend on the width of the tokens alone."""
    d = x.shape[-1]
    w_q, w_k, w_v = np.random.default_rng(d).standard_normal((3, d, d)) / np.sqrt(d)
    return (x @ w_q) @ (x @ w_k).T / np.sqrt(d), x @ w_v


def _attention(sees, weigh=masked_weights):
    """Self-attention in which query i may attend to key j when ``sees(i, j, n)``; outputs 0 where there is no such key."""

    def attend(x):
        scores, values = _parts(x)
        n = len(x)
        mask = np.array([[bool(sees(i, j, n)) for j in range(n)] for i in range(n)])
        if n == 0 or not mask.any():
            return np.zeros_like(values)
        weights = np.zeros_like(scores)
        some = mask.any(-1)
        weights[some] = weigh(scores[some], mask[some])
        return weights @ values

    return of_a_text(attend)


def _one_by_one(x):
    """Each token attends to a list of those so far."""
    scores, values = _parts(x)
    return np.array([softmax(scores[i, : i + 1]) @ values[: i + 1] for i in range(len(x))])


def _running_mean(x):
    """What is left of the total without the later tokens: no leak, though the last bits may move."""
    later = np.flip(np.cumsum(np.flip(x, 0), 0), 0) - x
    return (x.sum(0) - later) / np.arange(1, len(x) + 1)[:, None]


def _by_the_spread_of_all_scores(x):
    scores, values = _parts(x)
    return masked_weights(scores / (1 + scores.std()), np.tri(len(x), dtype=bool)) @ values


_causal = _attention(lambda i, j, n: j <= i)

causal_map = Target(
    reference=lambda x: _causal(x),
    draw=draw_tokens,
    alternatives=(
        of_a_text(_one_by_one),
        of_a_text(_running_mean),
        _attention(lambda i, j, n: j < i),
        _attention(lambda i, j, n: j <= i <= j + 1),
        _attention(lambda i, j, n: j == 0),
        of_a_text(lambda x: np.tanh(x)),
    ),
    mistakes={
        "no mask at all": broken("change the last token, and look at the first output.", _attention(lambda i, j, n: True)),
        "each token sees the next one too": broken(
            "change one token, and look at the output just before it.", _attention(lambda i, j, n: j <= i + 1)
        ),
        "weights set to 0 after softmax": broken(
            "use numbers of about 1 and a change of about 1, make all tokens different, and look at every output before the changed token: the leak is small, because it goes only through the sum.",
            _attention(lambda i, j, n: j <= i, lambda scores, mask: softmax(scores) * mask),
        ),
        "the mask the other way round": broken(
            "give the last token other numbers of about 1 (another order may change nothing), and look at the outputs before it.",
            _attention(lambda i, j, n: j >= i),
        ),
        "only later tokens are seen": broken(
            "give the last token other numbers of about 1 (another order may change nothing), and look at the outputs before it.",
            _attention(lambda i, j, n: j > i),
        ),
        "only the last token is hidden from the others": broken(
            "change a token that is not the last, and look at those before it.",
            _attention(lambda i, j, n: j < n - 1 or i == n - 1),
        ),
        "only the first row is masked": broken(
            "change the last token, and look at all outputs before it, not only at the first.",
            _attention(lambda i, j, n: j <= i or i > 0),
        ),
        "the first row sees all": broken(
            "change any token, and look at the first output.", _attention(lambda i, j, n: j <= i or i == 0)
        ),
        "the second-to-last token sees the last": broken(
            "change the last token, and look at the output just before it.",
            _attention(lambda i, j, n: j <= i or (i == n - 2 and j == n - 1)),
        ),
        "the first token sees the second": broken(
            "change the second token, and look at the first output, with numbers of about 1: with large scores, the leaking weight may be exactly 0.",
            _attention(lambda i, j, n: j <= i or (i, j) == (0, 1)),
        ),
        "the second token sees the fifth": broken(
            "use at least five tokens. Change the last one, and look at every output before it, not only at the one next to it.",
            _attention(lambda i, j, n: j <= i or (i, j) == (1, 4)),
        ),
        "the mean of all tokens is subtracted first": broken(
            "change only the last token, so that the mean changes.", lambda x: _causal(x - x.mean(0))
        ),
        "the scores are divided by the standard deviation of all scores": broken(
            "use numbers of about 1 and a change of about 1, make all tokens different, and look at every output before the changed token: the leak is small.",
            _by_the_spread_of_all_scores,
        ),
        **{
            f"the {which} number of the next token is added": broken(
                "change all numbers of a token, not only one of them.",
                lambda x, column=column: _causal(x) + np.vstack([x[1:, [column]], [[0.0]]]),
            )
            for which, column in (("first", 0), ("last", -1))
        },
    },
)

test_causal = WriteTest(
    id="attention.test_causal",
    answer_name="is_causal",
    prompt="A test of whether an output of f depends on a later token.",
    target=causal_map,
    false_positive_hint="Three mistakes are common here. Rounding may change the last bits of an output: compare "
    "with np.allclose, never with ==. If token j changes, the outputs of j itself and of later "
    "tokens may change, but need not: look only at outputs 0 to j − 1, which must stay the same. And you may "
    "have changed x itself instead of a copy of it.",
    caught={each.name: each.hint for each in causal_map.mistakes},
    why="If f is causal, nothing that happens to later tokens may change an earlier output, and your test looks for that.",
    hints=(
        "Change one token and call `f` again. Which outputs must stay the same?",
        "Token j may change outputs j, j + 1, …, but none of 0 … j − 1. One j is not enough, because a leak may go "
        "from any token to any earlier output.",
        "Loop over all j: copy x, change row j of the copy, and compare `f(copy)[:j]` with `f(x)[:j]`, using np.allclose.",
    ),
)
