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
        """Parts with different means that partly cancel each other, in numbers that float32 holds exactly."""
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
    """Centre the output layer's rows instead of the parts, which gives the same result."""
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


def _distributed(length):
    """The logits, distributed among the parts by ``length``."""

    def answer(parts, gamma, table, eps):
        lengths = length(parts)
        return _whole(parts, gamma, table, eps) * lengths / lengths.sum(0)

    return answer


residual_who_wrote = Implement(
    id="residual.who_wrote",
    answer_name="who_wrote",
    prompt="What each part of the final stream contributes to each logit, after the final LayerNorm.",
    reference=who_wrote,
    draw=_draw,
    alternatives=(_by_einsum, _part_by_part, _centred_table),
    properties=(
        Property(
            "The contributions of all parts should add up to the model's logits, which are those of the whole stream.",
            lambda result, parts, gamma, table, eps: np.allclose(result.sum(0), _whole(parts, gamma, table, eps), atol=1e-3),
        ),
    ),
    why=(
        "Once the whole sum has fixed the square root, everything else is linear, so the contributions of the parts "
        "add up to the logits."
    ),
    hints=(
        "Write down the LayerNorm of the whole stream first: subtract the mean, divide by the square root, multiply by γ. Which of these "
        "steps can you apply to each part separately?",
        "You can subtract means and multiply separately. The square root belongs to the whole: compute it once, from parts.sum(0).",
        "Subtract each part's own mean. Divide by the square root of the whole's variance plus eps, then multiply by gamma "
        "and by table.T.",
    ),
    mistakes=(
        Mistake(
            "each part by its own root",
            "You divided each part by a square root of its own. The model normalises only the *sum*, so a short part "
            "contributes little. In your version, it contributes as much as a long one.",
            "Whose variance is in the model's square root?",
            lambda parts, gamma, table, eps: _norm(parts, gamma, eps) @ table.T,
            variants=(_with(root=lambda parts, eps: np.sqrt(variance(parts)) + eps),),
        ),
        Mistake(
            "read height by height",
            "You worked with running sums: the stream after each part. The exercise asks for what each part contributes to the logits "
            "of the *final* stream.",
            "Use each part by itself, and divide all of them by the same square root, computed from the final stream.",
            lambda parts, gamma, table, eps: _norm(parts.cumsum(0), gamma, eps) @ table.T,
            variants=(
                lambda parts, gamma, table, eps: who_wrote(parts, gamma, table, eps).cumsum(0),
                lambda parts, gamma, table, eps: np.diff(_norm(parts.cumsum(0), gamma, eps) @ table.T, axis=0, prepend=0),
                _with(root=lambda parts, eps: np.sqrt(variance(parts.cumsum(0)) + eps)),
            ),
        ),
        Mistake(
            "no norm at all",
            "You left out the LayerNorm, as in the lesson's stream of two numbers. This model has one before its output layer.",
            "Subtract means, and divide by the square root, before you apply `table`.",
            lambda parts, gamma, table, eps: parts @ table.T,
            variants=(lambda parts, gamma, table, eps: gamma * parts @ table.T,),
        ),
        Mistake(
            "the means left in",
            "You did not subtract any means. The LayerNorm subtracts the mean of the sum, which is the sum of the parts' "
            "means.",
            "Subtract each part's own mean, along the last axis.",
            _with(centre=lambda parts: 0),
        ),
        Mistake(
            "the whole's mean from each part",
            "You subtracted the mean of the *whole* from every part. In the sum, it is then subtracted once per part "
            "instead of only once.",
            "Subtract each part's own mean. These add up to the mean of the whole.",
            _with(centre=lambda parts: mean(parts.sum(0))),
        ),
        Mistake(
            "the whole's mean shared out",
            "You subtracted an equal part of the whole's mean everywhere. The sum is right, but the contributions are not: the parts "
            "have different means.",
            "Subtract each part's own mean, along the last axis.",
            _with(centre=lambda parts: mean(parts.sum(0)) / len(parts)),
        ),
        Mistake(
            "distributed by length",
            "The sum is right, but you distributed it among the parts by length. What a part contributes depends on its direction too, and "
            "it can have the opposite sign.",
            "Take each part by itself through the steps of the LayerNorm. Only the square root belongs to the whole.",
            _distributed(lambda parts: np.linalg.norm(parts, axis=-1, keepdims=True)),
            variants=(
                _distributed(lambda parts: (parts**2).sum(-1, keepdims=True)),
                _distributed(lambda parts: np.sqrt(variance(parts))),
            ),
        ),
        Mistake(
            "the variances added up",
            "You added the parts' variances. The variance of a sum is a different number if the parts are correlated.",
            "Add up the parts first, then compute the variance of the sum.",
            _with(root=lambda parts, eps: np.sqrt(variance(parts).sum(0) + eps)),
        ),
        Mistake(
            "the mean of the parts",
            "You took the standard deviation of the *mean* of the parts, which is not the stream.",
            "The stream is the sum of the parts: parts.sum(0).",
            _with(root=lambda parts, eps: np.sqrt(variance(parts.mean(0)) + eps)),
        ),
        Mistake(
            "gamma left out",
            "You did not use `gamma`. The LayerNorm also multiplies each dimension by its gain.",
            "Multiply by gamma along the last axis.",
            lambda parts, gamma, table, eps: who_wrote(parts, 1, table, eps),
        ),
        Mistake(
            "epsilon left out",
            "You left out `eps`, or put a small number in its place. It is not always small here.",
            "Take the square root of (variance + eps).",
            _root(lambda whole, eps: np.sqrt(variance(whole))),
            variants=(_root(lambda whole, eps: np.sqrt(variance(whole) + 1e-5)),),
        ),
        Mistake(
            "epsilon outside the root",
            "You added ε to the standard deviation, outside the square root.",
            "Take the square root of (variance + eps).",
            _root(lambda whole, eps: np.sqrt(variance(whole)) + eps),
        ),
        Mistake(
            "the unbiased variance",
            "You divided the sum of squares by d − 1, as torch's var and std do.",
            "LayerNorm divides by d. In torch, pass `correction=0` to `var` or `std`.",
            _root(lambda whole, eps: np.sqrt(whole.var(-1, keepdims=True, ddof=1) + eps)),
        ),
        Mistake(
            "divided by the variance",
            "You divided by the variance, not by its square root.",
            "Take np.sqrt of (variance + eps) before you divide.",
            _root(lambda whole, eps: variance(whole) + eps),
        ),
        Mistake(
            "divided by the length",
            "You divided by the length of the whole stream, which is larger than its standard deviation.",
            "Divide by the square root of the mean of the squares, not of their sum.",
            _root(lambda whole, eps: np.sqrt((whole**2).sum(-1, keepdims=True) + eps)),
            variants=(_root(lambda whole, eps: np.linalg.norm(whole, axis=-1, keepdims=True)),),
        ),
        Mistake(
            "probabilities",
            "You returned probabilities. Logits are sums over the parts; probabilities are not, so the parts have no probabilities of their own.",
            "Leave out the softmax.",
            lambda parts, gamma, table, eps: softmax(who_wrote(parts, gamma, table, eps)),
        ),
    ),
)
