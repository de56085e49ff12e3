"""Sheet 23: how unevenly experts are used, as a number with a gradient."""

import numpy as np

from ..kinds import Implement, Property


def _shares(probabilities, chosen):
    experts = probabilities.shape[1]
    return np.bincount(np.asarray(chosen, int).ravel(), minlength=experts)[:experts] / chosen.size


def _mean(probabilities, chosen):
    return probabilities.mean(0)


def _where_chosen(probabilities, chosen):
    hit = (chosen[:, :, None] == np.arange(probabilities.shape[1])).any(1)
    return (probabilities * hit).sum(0) / np.maximum(hit.sum(0), 1)


def _ones(probabilities, chosen):
    return np.ones(probabilities.shape[1])


def _up_to_the_last_chosen(probabilities, chosen):
    """Counts without ``minlength``; NaN where NumPy raises an error, because there are too few of them."""
    counts = np.bincount(np.asarray(chosen, int).ravel())
    return counts / chosen.size if len(counts) in (1, probabilities.shape[1]) else np.array([np.nan])


def _balance(probabilities, chosen, left=_shares, right=_mean, factor=lambda p, c: p.shape[1], gather=np.sum):
    probabilities = np.asarray(probabilities, float)
    return factor(probabilities, chosen) * gather(left(probabilities, chosen) * right(probabilities, chosen))


def _in_a_loop(probabilities, chosen):
    tokens, experts = probabilities.shape
    total = 0.0
    for j in range(experts):
        share = sum(int(number == j) for row in chosen for number in row) / chosen.size
        total += share * sum(row[j] for row in probabilities) / tokens
    return experts * total


def _by_comparison(probabilities, chosen):
    tokens, experts = probabilities.shape
    hits = (chosen[:, :, None] == np.arange(experts)).sum((0, 1)) / (tokens * chosen.shape[1])
    return experts * hits @ probabilities.mean(0)


def _draw(rng):
    def question(t, e, k, unused=False):
        """Probabilities in 1/256, and the experts with the highest of them; the last expert can be unused."""
        parts = rng.integers(1, 24, (t, e))
        parts[:, 0] += rng.integers(10, 30, t)
        if unused:
            parts[:, -1] = 1
        parts = parts * 256 // parts.sum(1, keepdims=True)
        parts[:, 0] += 256 - parts.sum(1)
        return [parts / 256, np.argsort(-parts, axis=1, kind="stable")[:, :k]]

    return [
        [np.array([[0.5, 0.25, 0.25], [0.75, 0.125, 0.125]]), np.array([[0], [0]])],
        question(5, 4, 1),
        question(7, 6, 2),
        question(4, 5, 3),
        question(6, 5, 2, unused=True),
        [np.full((4, 4), 0.25), np.array([[0, 1], [2, 3], [1, 2], [3, 0]])],
    ]


def _one_if_even(result, probabilities, chosen):
    return not np.allclose(probabilities, probabilities[0, 0]) or np.allclose(result, 1, atol=1e-4)


balance = Implement(
    id="today.balance",
    answer_name="balance",
    prompt="The balancing loss: experts times the sum of share and mean probability, from probabilities and choices.",
    reference=_balance,
    draw=_draw,
    alternatives=(_in_a_loop, _by_comparison),
    properties=(Property("If all experts are equally probable, the result should be 1.", _one_if_even),),
    why="The shares say which experts are used too often, and the mean probabilities carry the gradient that lowers them.",
    hints=(
        "`np.bincount(chosen.ravel(), minlength=e)` counts how often each expert was chosen. How many choices are there in all?",
        "The mean probability of each expert is the mean over the tokens, axis 0.",
        "Multiply shares and means expert by expert, add up, and multiply by the number of experts, the columns of "
        "`probabilities`.",
    ),
    mistakes={
        "without the factor": (
            "Your result is too small by the number of experts. Then an even use costs less, the more experts there are.",
            "What should come out if every share and every mean is 1/e?",
            lambda p, c: _balance(p, c, factor=lambda p, c: 1),
        ),
        "multiplied by k": (
            "Your result is k times too large, as if a share were a fraction of the tokens. The shares should sum to 1.",
            "Divide the counts by the number of choices, tokens times k.",
            lambda p, c: _balance(p, c, left=lambda p, c: _shares(p, c) * c.shape[1]),
        ),
        "counts in place of shares": (
            "You multiplied counts by mean probabilities. Then a longer text costs more, however even the use is.",
            "Divide the counts by the number of choices.",
            lambda p, c: _balance(p, c, left=lambda p, c: _shares(p, c) * c.size),
        ),
        "a sum over the tokens": (
            "You added the probabilities of all tokens. Then a longer text costs more, however even the use is.",
            "Take the mean over the tokens.",
            lambda p, c: _balance(p, c, right=lambda p, c: p.sum(0)),
        ),
        "the mean over those that chose it": (
            "You averaged each probability over the tokens that chose the expert. Those have a high one, however few they are.",
            "Take the mean over all tokens.",
            lambda p, c: _balance(p, c, right=_where_chosen),
        ),
        "shares squared": (
            "You multiplied each share by itself. A count has no gradient, so a model cannot learn from this number.",
            "The other factor is the mean probability of the expert.",
            lambda p, c: _balance(p, c, right=_shares),
        ),
        "mean probabilities squared": (
            "You multiplied each mean probability by itself, and did not use `chosen`. A router can be undecided on average, and "
            "still choose the same experts every time.",
            "One of the two factors counts what was really chosen.",
            lambda p, c: _balance(p, c, left=_mean),
        ),
        "k in place of e": (
            "You multiplied by the number of chosen experts. The factor is the number of all experts.",
            "Which axis of `probabilities` has one entry for each expert?",
            lambda p, c: _balance(p, c, factor=lambda p, c: c.shape[1]),
        ),
        "only the first choice": (
            "You counted only the first choice of each token. The others are computed as well.",
            "Use all columns of `chosen`.",
            lambda p, c: _balance(p, c, left=lambda p, c: _shares(p, c[:, :1])),
        ),
        "no count for the last experts": (
            "Your counts end with the last expert that was chosen. If only expert 0 was, there is a single share, and it is "
            "multiplied by the probabilities of *all* experts.",
            "np.bincount has an argument `minlength`.",
            lambda p, c: _balance(p, c, left=_up_to_the_last_chosen),
        ),
        "the most used expert alone": (
            "You looked only at the most used expert. The others count, too.",
            "Add up over all experts.",
            lambda p, c: _balance(p, c, gather=np.max),
        ),
        "only experts that were used": (
            "Your factor is the number of experts that were chosen at least once. If a router uses only two of eight experts, your "
            "result would call that even.",
            "Count all experts, the columns of `probabilities`.",
            lambda p, c: _balance(p, c, factor=lambda p, c: len(np.unique(c))),
        ),
        "probabilities left out": (
            "Your result is the same whatever the shares are: they always sum to 1.",
            "Multiply each share by the mean probability of its expert before you add.",
            lambda p, c: _balance(p, c, right=_ones),
        ),
    },
)
