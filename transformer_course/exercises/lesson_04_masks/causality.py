"""Sheet 04: a test that tells whether a function lets a token see what comes later."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Target, WriteTest
from ..toolkit import draw_tokens, mistake, of_a_text, softmax
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


def _centred(x):
    return _causal(x - x.mean(0))


def _leaking(column):
    """Causal attention to which one number of the next token is added."""

    def attend(x):
        outputs = _causal(x)
        outputs[:-1] += x[1:, [column]]
        return outputs

    return of_a_text(attend)


def _by_the_spread_of_all_scores(x):
    scores, values = _parts(x)
    return masked_weights(scores / (1 + scores.std()), np.tri(len(x), dtype=bool)) @ values


def _leak(name, what, answer) -> Mistake:
    return mistake(name, f"Outputs depend on later tokens: {what}.", "Change each token in turn.", answer)


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
    mistakes=(
        _leak("no mask at all", "every token sees all", _attention(lambda i, j, n: True)),
        _leak("each token sees the next one too", "the mask ends one step too late", _attention(lambda i, j, n: j <= i + 1)),
        _leak(
            "weights set to 0 after softmax",
            "later scores are still in the sum in the denominator",
            _attention(lambda i, j, n: j <= i, lambda scores, mask: softmax(scores) * mask),
        ),
        _leak("the mask the other way round", "every token sees itself and later ones", _attention(lambda i, j, n: j >= i)),
        _leak("only later tokens are seen", "every token sees only later ones", _attention(lambda i, j, n: j > i)),
        _leak(
            "only the last token is hidden from the others",
            "the others see each other",
            _attention(lambda i, j, n: j < n - 1 or i == n - 1),
        ),
        _leak("only the first row is masked", "the other rows see all", _attention(lambda i, j, n: j <= i or i > 0)),
        _leak("the first row sees all", "only the first row is wrong", _attention(lambda i, j, n: j <= i or i == 0)),
        _leak(
            "the second-to-last token sees the last",
            "only the row of the second-to-last token is wrong",
            _attention(lambda i, j, n: j <= i or (i == n - 2 and j == n - 1)),
        ),
        _leak(
            "the first token sees the second",
            "only the first row is wrong",
            _attention(lambda i, j, n: j <= i or (i, j) == (0, 1)),
        ),
        _leak(
            "the second token sees the fifth",
            "one bit of the mask is wrong, and all else is right",
            _attention(lambda i, j, n: j <= i or (i, j) == (1, 4)),
        ),
        _leak("the mean of all tokens is subtracted first", "it includes later ones", of_a_text(_centred)),
        _leak(
            "the scores are divided by the standard deviation of all scores",
            "it is computed from later ones too",
            of_a_text(_by_the_spread_of_all_scores),
        ),
        _leak("the first number of the next token is added", "only one of its numbers leaks", _leaking(0)),
        _leak("the last number of the next token is added", "only one of its numbers leaks", _leaking(-1)),
    ),
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
    caught={
        "no mask at all": "change the last token, and look at the first output.",
        "each token sees the next one too": "change one token, and look at the output just before it.",
        "weights set to 0 after softmax": "use numbers of about 1 and a change of about 1, make all tokens different, and look at "
        "every output before the changed token: the leak is small, because it goes only through the sum.",
        "the mask the other way round": "change the last token, and look at the outputs before it.",
        "only later tokens are seen": "change the last token, and look at the outputs before it.",
        "only the last token is hidden from the others": "change a token that is not the last, and look at those before it.",
        "only the first row is masked": "change the last token, and look at all outputs before it, not only at the first.",
        "the first row sees all": "change any token, and look at the first output.",
        "the second-to-last token sees the last": "change the last token, and look at the output just before it.",
        "the first token sees the second": "change the second token, and look at the first output, with numbers of about 1: with "
        "large scores, the leaking weight may be exactly 0.",
        "the second token sees the fifth": "use at least five tokens. Change the last one, and look at every output before it, not "
        "only at the one next to it.",
        "the mean of all tokens is subtracted first": "change only the last token, so that the mean changes.",
        "the scores are divided by the standard deviation of all scores": "use numbers of about 1 and a change of about 1, "
        "make all tokens different, and look at every output before the changed token: the leak is small.",
        "the first number of the next token is added": "change all numbers of a token, not only one of them.",
        "the last number of the next token is added": "change all numbers of a token, not only one of them.",
    },
    why="If f is causal, nothing that happens to later tokens may change an earlier output, and your test looks for that.",
    hints=(
        "Change one token and call `f` again. Which outputs must stay the same?",
        "Token j may change outputs j, j + 1, …, but none of 0 … j − 1. One j is not enough, because a leak may go "
        "from any token to any earlier output.",
        "Loop over all j: copy x, change row j of the copy, and compare `f(copy)[:j]` with `f(x)[:j]`, using np.allclose.",
    ),
)
