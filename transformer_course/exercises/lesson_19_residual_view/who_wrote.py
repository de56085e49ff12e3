"""Sheet 19: which part of the stream wrote how much of each logit, after the final norm."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Implement, Property
from ..toolkit import softmax


def mean(a):
    return a.mean(-1, keepdims=True)


def variance(a):
    return mean((a - mean(a)) ** 2)


def who_wrote(parts, gamma, table, eps):
    root = np.sqrt(variance(parts.sum(0)) + eps)
    return gamma * (parts - mean(parts)) / root @ table.T


def _draw(rng):
    def sized(*shape, letters, eps=0.125):
        """Parts whose means differ, and which partly cancel each other; numbers that float32 holds exactly."""
        parts = 2.0 ** rng.integers(-1, 2, (shape[0], *[1] * (len(shape) - 1))) * rng.standard_normal(shape)
        parts = parts + rng.integers(-2, 3, (*shape[:-1], 1))
        gamma = rng.uniform(0.5, 2, shape[-1]) * rng.choice([-1, 1], shape[-1])
        numbers = (parts, gamma, rng.standard_normal((letters, shape[-1])))
        return [*(array.astype(np.float32).astype(float) for array in numbers), eps]

    plain = np.array([[2.0, 1.0, 0.0], [-1.0, 1.0, 3.0], [-2.0, 1.0, 1.0]])
    return [
        [
            plain,
            np.array([1.0, 2.0, 0.5]),
            np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, -1.0, 2.0]]),
            0.25,
        ],
        sized(3, 5, letters=4),
        sized(4, 2, 6, letters=3, eps=0.5),  # two places
        sized(13, 3, 8, letters=5, eps=0.0625),
        sized(2, 3, 4, 7, letters=6),  # a batch of texts
    ]


def _by_einsum(parts, gamma, table, eps):
    whole = np.einsum("k...d->...d", parts)
    root = (np.einsum("...d,...d->...", c := whole - mean(whole), c) / whole.shape[-1] + eps) ** 0.5
    return np.einsum("k...d,d,vd->k...v", parts - mean(parts), gamma, table) / root[..., None]


def _part_by_part(parts, gamma, table, eps):
    whole = sum(parts)
    root = (whole.var(-1, keepdims=True) + eps) ** 0.5
    return [np.dot((part - mean(part)) * gamma / root, table.T) for part in parts]


def _centred_table(parts, gamma, table, eps):
    """The centring done in the matrix that reads, which is the same."""
    rows = gamma * table
    return parts @ (rows - mean(rows)).T / np.sqrt(variance(parts.sum(0)) + eps)


def _norm(x, gamma, eps):
    return gamma * (x - mean(x)) / np.sqrt(variance(x) + eps)


def _with(centre=mean, root=lambda parts, eps: np.sqrt(variance(parts.sum(0)) + eps)):
    return lambda parts, gamma, table, eps: gamma * (parts - centre(parts)) / root(parts, eps) @ table.T


def _root(root):
    return _with(root=lambda parts, eps: root(parts.sum(0), eps))


def _whole(parts, gamma, table, eps):
    return _norm(parts.sum(0), gamma, eps) @ table.T


residual_who_wrote = Implement(
    id="residual.who_wrote",
    answer_name="who_wrote",
    prompt="What each part of the last stream contributes to each logit, after the final norm.",
    reference=who_wrote,
    draw=_draw,
    alternatives=(_by_einsum, _part_by_part, _centred_table),
    properties=(
        Property(
            "The contributions of all parts should add up to the model's logits, those of the whole stream.",
            lambda result, parts, gamma, table, eps: np.allclose(result.sum(0), _whole(parts, gamma, table, eps), atol=1e-3),
        ),
    ),
    why=(
        "After the norm's scale is fixed by the whole sum, everything else is linear, so the contributions of the parts "
        "add up to the logits."
    ),
    hints=(
        "Write down the norm of the whole stream first: centred, divided by a root, times γ. Which of these steps may be done to each "
        "summand by itself?",
        "Centring and multiplying may. The root belongs to the whole: compute it from the sum of all parts (parts.sum(0)), once.",
        "Each part less its own mean, divided by the root of the whole's variance plus eps, times gamma, times table.T.",
    ),
    mistakes=(
        Mistake(
            "each part by its own root",
            "Each part went through a norm of its own. The model norms the *sum* once: all parts are divided by one root, that of the "
            "whole. So a short part counts for little, as it should.",
            "Whose variance stands in the root?",
            lambda parts, gamma, table, eps: _norm(parts, gamma, eps) @ table.T,
            variants=(_with(root=lambda parts, eps: np.sqrt(variance(parts)) + eps),),
        ),
        Mistake(
            "read height by height",
            "You read the stream after each part: the lens at every height. The exercise asks for what each part adds to the logits at the *top*, "
            "with the last stream's root.",
            "No running sums: each part by itself, over one root.",
            lambda parts, gamma, table, eps: _norm(parts.cumsum(0), gamma, eps) @ table.T,
            variants=(
                lambda parts, gamma, table, eps: who_wrote(parts, gamma, table, eps).cumsum(0),
                lambda parts, gamma, table, eps: np.diff(_norm(parts.cumsum(0), gamma, eps) @ table.T, axis=0, prepend=0),
                _with(root=lambda parts, eps: np.sqrt(variance(parts.cumsum(0)) + eps)),
            ),
        ),
        Mistake(
            "no norm at all",
            "That is the lesson's stream of two numbers, which had no norm. Here the final norm stands before the output layer.",
            "Centre each part, divide by the whole's root, times gamma.",
            lambda parts, gamma, table, eps: parts @ table.T,
            variants=(lambda parts, gamma, table, eps: gamma * parts @ table.T,),
        ),
        Mistake(
            "the means left in",
            "The parts keep their means. The norm takes the mean off the sum, and that is the sum of the parts' means: each part gives up "
            "its own.",
            "parts less their means, along the last axis.",
            _with(centre=lambda parts: 0),
        ),
        Mistake(
            "the whole's mean from each part",
            "You took the mean of the *whole* off every part. Then it is taken off as many times as there are parts.",
            "Each part gives up its own mean; together these are the whole's.",
            _with(centre=lambda parts: mean(parts.sum(0))),
        ),
        Mistake(
            "the whole's mean shared out",
            "You shared the whole's mean out evenly. The sum comes out right, but each part has its own mean to give up, and not the "
            "same share.",
            "parts less their means, along the last axis.",
            _with(centre=lambda parts: mean(parts.sum(0)) / len(parts)),
        ),
        Mistake(
            "the variances added up",
            "You added the parts' variances. The variance of a sum is another number, unless the parts stand at right angles.",
            "First the sum of all parts, then its variance.",
            _with(root=lambda parts, eps: np.sqrt(variance(parts).sum(0) + eps)),
        ),
        Mistake(
            "the mean of the parts",
            "You took the standard deviation of the mean of the parts, which is not the stream.",
            "The stream is their sum: parts.sum(0).",
            _with(root=lambda parts, eps: np.sqrt(variance(parts.mean(0)) + eps)),
        ),
        Mistake(
            "gamma left out",
            "One argument is not used: the norm also multiplies each dimension by its gain.",
            "Times gamma, along the last axis.",
            lambda parts, gamma, table, eps: who_wrote(parts, 1, table, eps),
        ),
        Mistake(
            "epsilon left out",
            "You left out ε, which is not always small here.",
            "The root of (variance + eps).",
            _root(lambda whole, eps: np.sqrt(variance(whole))),
            variants=(_root(lambda whole, eps: np.sqrt(variance(whole) + 1e-5)),),
        ),
        Mistake(
            "epsilon outside the root",
            "You added ε to the standard deviation, outside the square root.",
            "The root of (variance + eps).",
            _root(lambda whole, eps: np.sqrt(variance(whole)) + eps),
        ),
        Mistake(
            "the unbiased variance",
            "You divided the sum of squares by d − 1, as torch's var and std do.",
            "LayerNorm divides by d. In torch, pass `correction=0`.",
            _root(lambda whole, eps: np.sqrt(whole.var(-1, keepdims=True, ddof=1) + eps)),
        ),
        Mistake(
            "divided by the variance",
            "You divided by the variance, which is in squared units.",
            "np.sqrt of (variance + eps).",
            _root(lambda whole, eps: variance(whole) + eps),
        ),
        Mistake(
            "divided by the length",
            "You divided by the length of the whole stream, which is larger than its standard deviation.",
            "The mean of the squares, not their sum.",
            _root(lambda whole, eps: np.sqrt((whole**2).sum(-1, keepdims=True) + eps)),
            variants=(_root(lambda whole, eps: np.linalg.norm(whole, axis=-1, keepdims=True)),),
        ),
        Mistake(
            "probabilities",
            "These are probabilities. Logits are sums, and can be shared out among the parts; softmax of a part means nothing.",
            "Leave the softmax out.",
            lambda parts, gamma, table, eps: softmax(who_wrote(parts, gamma, table, eps)),
        ),
    ),
)
