"""Sheet 25: the rule of speculative sampling, for one position or several."""

from functools import partial

import numpy as np

from ..kinds import Implement, Property


def _keep(p, q):
    return np.minimum(1, p / q)


def _missing(p, q, axis=-1):
    excess = np.maximum(p - q, 0)
    total = excess.sum(axis, keepdims=True)
    return np.where(total > 0, excess / np.where(total > 0, total, 1), p)


def _rule(p, q, keep=_keep, replacement=_missing):
    p, q = np.asarray(p, float), np.asarray(q, float)
    with np.errstate(all="ignore"):
        return np.stack([keep(p, q), replacement(p, q)])


def _by_what_is_kept(p, q):
    """The missing part by what was kept: p - min(p, q)."""
    kept = np.minimum(p, q)
    rest = p - kept
    total = rest.sum(-1, keepdims=True)
    return np.stack([kept / q, np.divide(rest, total, out=np.array(p, float), where=total > 0)])


def _in_a_loop(p, q):
    keep, other = np.ones_like(p), np.array(p, float)
    for place in np.ndindex(p.shape[:-1]):
        excess = np.array([max(0.0, a - b) for a, b in zip(p[place], q[place], strict=True)])
        keep[place] = [1 if a >= b else a / b for a, b in zip(p[place], q[place], strict=True)]
        if excess.sum():
            other[place] = excess / excess.sum()
    return np.array([keep, other])


def _normalised(x):
    return x / x.sum(-1, keepdims=True)


def _replacing(change):
    """Answers with a wrong replacement: p where p and q are equal, and without this exception."""

    def p_where_equal(p, q):
        return np.where(np.abs(p - q).sum(-1, keepdims=True) > 0, change(p, q), p)

    return [partial(_rule, replacement=each) for each in (p_where_equal, change)]


def distribution(rng, *shape):
    """Positive probabilities in 1/256."""
    parts = rng.integers(1, 40, shape)
    parts[..., -1] += 256 - parts.sum(-1)
    return rng.permuted(parts, axis=-1) / 256


def _draw(rng):
    def pair(*shape):
        return [distribution(rng, *shape), distribution(rng, *shape)]

    p, q = pair(3, 5)
    p[1] = q[1]  # nothing is ever rejected here
    certain, guess = pair(4)
    certain = (certain == certain.max()) * 1.0  # a model that is certain
    if certain.sum() > 1:
        certain = np.eye(4)[0]
    return [
        [np.array([0.5, 0.25, 0.1875, 0.0625]), np.array([0.125, 0.25, 0.125, 0.5])],
        pair(5),
        pair(2, 4),
        pair(2, 1, 6),
        [certain, guess],
        [p, q],
    ]


def _gives_p(result, p, q):
    keep, replacement = result
    kept = q * keep
    return np.allclose(kept + (1 - kept.sum(-1, keepdims=True)) * replacement, p, atol=1e-4)


rule = Implement(
    id="fast.rule",
    answer_name="rule",
    prompt="How probably a drafted token is kept, and the distribution that replaces it, for any number of axes.",
    reference=_rule,
    draw=_draw,
    alternatives=(_by_what_is_kept, _in_a_loop),
    properties=(Property("What is kept and what replaces the rest should add up to p.", _gives_p),),
    why="Whatever the draft, what is kept, min(p, q), and what is missing, max(p − q, 0), add up to p.",
    hints=(
        "Which tokens does the draft propose too often, and which too rarely? Those of the second kind are always kept.",
        "The first part is np.minimum(1, p / q). For the second, np.maximum(p - q, 0) is what is missing; divide it by its "
        "sum along the last axis.",
        "If p and q are equal in a row, that sum is 0. total = excess.sum(axis=-1, keepdims=True), and "
        "np.where(total > 0, excess / np.where(total > 0, total, 1), p). np.stack([keep, replacement]) puts both together.",
    ),
    mistakes={
        "the ratio upside down": (
            "You keep with probability q/p. That keeps what the draft proposes too often, and rejects what is rare anyway.",
            "A token that the draft proposes twice as often as it should is kept half of the time. Which ratio is that?",
            lambda p, q: _rule(p, q, keep=lambda p, q: np.minimum(1, np.divide(q, p, out=np.ones_like(p), where=p > 0))),
        ),
        "p and q swapped": (
            "You took p for the draft and q for the model, as one of the two papers does, in both parts. Here p is the model.",
            "Swap the two letters everywhere.",
            lambda p, q: _rule(q, p),
            lambda p, q: _rule(q, p, replacement=lambda q, p: np.where((q > p).any(-1, keepdims=True), _missing(q, p), p)),
        ),
        "no minimum": (
            "Some of your probabilities are above 1.",
            "A token that the draft proposes too rarely is always kept.",
            lambda p, q: _rule(p, q, keep=lambda p, q: p / q),
        ),
        "kept with the model's probability": (
            "You keep each token with probability p, so even a perfect draft is mostly rejected.",
            "What should happen if p and q are equal?",
            lambda p, q: _rule(p, q, keep=lambda p, q: p),
        ),
        "kept or not, without chance": (
            "You keep a token if p is at least q, and never otherwise. A token that the draft proposes too often is then never "
            "kept.",
            "It should be kept sometimes: with which probability are there as many as p says?",
            lambda p, q: _rule(p, q, keep=lambda p, q: (p >= q) * 1.0),
        ),
        "what is kept, not how probably": (
            "Your first part is min(p, q): how often a token is drafted and kept. The question is how probably it is kept once "
            "it has been drafted.",
            "Divide by how often it is drafted.",
            lambda p, q: _rule(p, q, keep=np.minimum),
        ),
        "drawn again from p": (
            "You replace a rejected token by a draw from p. Together with the kept tokens, that is not p: what the draft "
            "proposes too rarely stays too rare.",
            "Which tokens are missing after the kept ones, and how many of each?",
            lambda p, q: _rule(p, q, replacement=lambda p, q: p),
        ),
        "not divided by its sum": (
            "Your second part is what is missing, max(p − q, 0), as it is. Its sum is how probably a token is rejected, so it is "
            "not 1, and this is no distribution.",
            "Divide by the sum along the last axis.",
            *_replacing(lambda p, q: np.maximum(p - q, 0)),
        ),
        "too many in place of too few": (
            "Your replacement prefers tokens that the draft proposes too often. Of those, there are enough already.",
            "Which is larger for a token that is missing, p or q?",
            *_replacing(lambda p, q: _normalised(np.maximum(q - p, 0))),
        ),
        "differences of both signs": (
            "Your replacement contains tokens that are not missing: you used the size of the difference, without its sign.",
            "Set negative differences to 0.",
            *_replacing(lambda p, q: _normalised(np.abs(p - q))),
        ),
        "negative probabilities": (
            "Your replacement has negative numbers.",
            "What is not missing needs no replacement: np.maximum(p - q, 0).",
            lambda p, q: _rule(p, q, replacement=lambda p, q: p - q),
        ),
        "all of p where it is larger": (
            "Your replacement uses all of p for the tokens that are missing. But some of these were drafted and kept.",
            "How many of such a token are still missing after q of them have been kept?",
            *_replacing(lambda p, q: _normalised(p * (p > q))),
        ),
        "softmax of the difference": (
            "You took the softmax of p − q. Then every token gets something, even those that are not missing.",
            "The numbers are probabilities already: dividing by their sum is enough.",
            *_replacing(lambda p, q: _normalised(np.exp(p - q))),
            *_replacing(lambda p, q: _normalised(np.exp(np.maximum(p - q, 0)))),
        ),
        "one sum for all rows": (
            "You divided by the sum over all rows. Each position needs a distribution of its own.",
            "Sum along the last axis, with keepdims=True.",
            *_replacing(lambda p, q: np.maximum(p - q, 0) / np.maximum(p - q, 0).sum()),
            lambda p, q: _rule(p, q, replacement=lambda p, q: _missing(p, q, axis=0)),
        ),
        "nothing where p and q are equal": (
            "Where p and q are equal, your replacement is 0 for every token, or the same for each. It should be p there.",
            "Where the sum is 0, return p: np.where.",
            lambda p, q: _rule(p, q, replacement=lambda p, q: np.nan_to_num(_normalised(np.maximum(p - q, 0)))),
            lambda p, q: _rule(
                p, q, replacement=lambda p, q: np.nan_to_num(_normalised(np.maximum(p - q, 0)), nan=1 / p.shape[-1])
            ),
        ),
        "zero divided by zero": (
            "Where p and q are equal, your replacement is NaN: nothing is missing, and you divide 0 by 0.",
            "There the replacement is never needed. The exercise asks for p.",
            lambda p, q: _rule(p, q, replacement=lambda p, q: _normalised(np.maximum(p - q, 0))),
        ),
    },
)
