"""Sheet 19: which part of the stream wrote how much of each logit, after the final norm."""

import numpy as np

from ..exercise import in_order
from ..families import in_part
from ..families.norm import LAYER_NORM, layer_norm, mean, variance
from ..kinds import Implement, Property
from ..toolkit import softmax

# What goes wrong in the divisor of a norm. Its other mistakes are about steps that are not linear here, or have names of their own.
DIVISOR = (
    "divided by d − 1",
    "divided by d − 1, and ε outside",
    "ε outside the square root",
    "ε twice",
    "ε as the smallest value",
    "no ε",
    "ε fixed",
    "no square root",
    "two square roots",
    "multiplied, not divided",
    "absolute values",
    "the sum of squares",
    "the mean square of the vector itself",
    "not divided",
)


def _with(centre=mean, root=lambda parts, eps: np.sqrt(variance(parts.sum(0)) + eps)):
    """What the exercise asks for, with ``centre(parts)`` subtracted, and divided by ``root(parts, eps)``."""

    def who_wrote(parts, gamma, table, eps):
        return gamma * (parts - centre(parts)) / root(parts, eps) @ table.T

    return who_wrote


who_wrote = _with()


def _draw(rng):
    def sized(*shape, letters, eps=0.125, scale=1.0):
        """Parts with different means that partly cancel each other, in numbers that float32 holds exactly."""
        parts = scale * 2.0 ** rng.integers(-1, 2, (shape[0], *[1] * (len(shape) - 1))) * rng.standard_normal(shape)
        parts = parts + scale * rng.integers(-2, 3, (*shape[:-1], 1))
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
        sized(2, 1, 4, 7, letters=6),  # a batch of texts
        sized(3, 4, letters=2, scale=2.0**-11),  # so little that any ε of one's own shows
    ]


def _centred_table(parts, gamma, table, eps):
    """Centre the output layer's rows instead of the parts, which gives the same result."""
    rows = gamma * table
    return parts @ (rows - mean(rows)).T / np.sqrt(variance(parts.sum(0)) + eps)


def _whole(parts, gamma, table, eps):
    return layer_norm(parts.sum(0), gamma, 0, eps) @ table.T


def _distributed(length):
    """The logits, distributed among the parts by ``length``."""

    def answer(parts, gamma, table, eps):
        lengths = length(parts)
        return _whole(parts, gamma, table, eps) * lengths / lengths.sum(0)

    return answer


def _of_norm(norm):
    """All parts divided by what this norm divides the whole by."""

    def divisor(parts, eps):
        whole = parts.sum(0)
        lengths = (
            np.linalg.norm(vectors, axis=-1, keepdims=True) for vectors in (whole - mean(whole), norm(whole, 1, 0, eps))
        )
        return np.divide(*lengths)

    return _with(root=divisor)


residual_who_wrote = Implement(
    id="residual.who_wrote",
    answer_name="who_wrote",
    prompt="What each part of the final stream contributes to each logit, after the final LayerNorm.",
    reference=who_wrote,
    draw=_draw,
    alternatives=(_centred_table,),
    properties=(
        Property(
            "The contributions of all parts should add up to the model's logits, which are those of the whole stream.",
            lambda result, parts, gamma, table, eps: np.allclose(result.sum(0), _whole(parts, gamma, table, eps), atol=1e-3),
        ),
    ),
    why=(
        "Once the whole sum has fixed the square root, everything else is linear, so the contributions of the parts add up "
        "to the logits."
    ),
    hints=(
        "Write down the LayerNorm of the whole stream first: subtract the mean, divide by the square root, multiply by γ. "
        "Which of these steps can you apply to each part separately?",
        "You can subtract means and multiply separately. The square root belongs to the whole: compute it once, from "
        "parts.sum(0).",
        "Subtract each part's own mean. Divide by the square root of the whole's variance plus eps, then multiply by gamma "
        "and by table.T.",
    ),
    mistakes={
        "each part by its own root": (
            "You divided each part by a square root of its own. The model normalises only the *sum*, so a short part "
            "contributes little. In your version, it contributes as much as a long one.",
            "Whose variance is in the model's square root?",
            lambda parts, gamma, table, eps: layer_norm(parts, gamma, 0, eps) @ table.T,
            _with(root=lambda parts, eps: np.sqrt(variance(parts)) + eps),
        ),
        "read height by height": (
            "You worked with running sums: the stream after each part. The exercise asks for what each part contributes to "
            "the logits of the *final* stream.",
            "Use each part by itself, and divide all of them by the same square root, computed from the final stream.",
            lambda parts, gamma, table, eps: layer_norm(parts.cumsum(0), gamma, 0, eps) @ table.T,
            lambda parts, gamma, table, eps: who_wrote(parts, gamma, table, eps).cumsum(0),
            lambda parts, gamma, table, eps: np.diff(layer_norm(parts.cumsum(0), gamma, 0, eps) @ table.T, axis=0, prepend=0),
            _with(root=lambda parts, eps: np.sqrt(variance(parts.cumsum(0)) + eps)),
        ),
        "the mean over the parts": (
            "You subtracted the mean over the parts, dimension by dimension. A LayerNorm takes the mean over a vector's numbers.",
            "The parts are along the first axis, and the numbers of each along the last.",
            _with(lambda parts: mean(parts, 0)),
        ),
        "no norm at all": (
            "You left out the LayerNorm, as in the lesson's stream of two numbers. This model has one before its output "
            "layer.",
            "Subtract means, and divide by the square root, before you apply `table`.",
            lambda parts, gamma, table, eps: parts @ table.T,
            lambda parts, gamma, table, eps: gamma * parts @ table.T,
        ),
        "the means left in": (
            "You did not subtract any means. The LayerNorm subtracts the mean of the sum, which is the sum of the parts' "
            "means.",
            "Subtract each part's own mean, along the last axis.",
            _with(centre=lambda parts: 0),
            _with(centre=lambda parts: 0, root=lambda parts, eps: np.sqrt(mean(parts.sum(0) ** 2) + eps)),
        ),
        "the whole's mean from each part": (
            "You subtracted the mean of the *whole* from every part. In the sum, it is then subtracted once per part instead "
            "of only once.",
            "Subtract each part's own mean. These add up to the mean of the whole.",
            _with(centre=lambda parts: mean(parts.sum(0))),
        ),
        "the whole's mean shared out": (
            "You subtracted an equal part of the whole's mean everywhere. The sum is right, but the contributions are not: "
            "the parts have different means.",
            "Subtract each part's own mean, along the last axis.",
            _with(centre=lambda parts: mean(parts.sum(0)) / len(parts)),
        ),
        "distributed by length": (
            "The sum is right, but you distributed it among the parts by length. What a part contributes depends on its "
            "direction too, and it can have the opposite sign.",
            "Take each part by itself through the steps of the LayerNorm. Only the square root belongs to the whole.",
            _distributed(lambda parts: np.linalg.norm(parts, axis=-1, keepdims=True)),
            _distributed(lambda parts: (parts**2).sum(-1, keepdims=True)),
            _distributed(lambda parts: np.sqrt(variance(parts))),
        ),
        "the variances added up": (
            "You added the parts' variances. The variance of a sum is a different number if the parts are correlated.",
            "Add up the parts first, then compute the variance of the sum.",
            _with(root=lambda parts, eps: np.sqrt(variance(parts).sum(0) + eps)),
        ),
        "the mean of the parts": (
            "You took the standard deviation of the *mean* of the parts, which is not the stream.",
            "The stream is the sum of the parts: parts.sum(0).",
            _with(root=lambda parts, eps: np.sqrt(variance(parts.mean(0)) + eps)),
        ),
        "gamma left out": (
            "You did not use `gamma`. The LayerNorm also multiplies each dimension by its gain.",
            "Multiply by gamma along the last axis.",
            lambda parts, gamma, table, eps: who_wrote(parts, 1, table, eps),
        ),
        **in_part(
            "the final LayerNorm",
            [each for each in in_order(LAYER_NORM) if each.name in DIVISOR],
            _of_norm,
            inside="`variance + eps`",
            eps="eps",
        ),
        "divided by the length": (
            "You divided by the length of the whole stream, which is larger than its standard deviation.",
            "Divide by the square root of the mean of the squares, not of their sum.",
            _with(root=lambda parts, eps: np.sqrt((parts.sum(0) ** 2).sum(-1, keepdims=True) + eps)),
            _with(root=lambda parts, eps: np.linalg.norm(parts.sum(0), axis=-1, keepdims=True)),
        ),
        "averaged over everything": (
            "You averaged over all numbers of an array at once, so what you get for one token depends on the others.",
            "Average along the last axis, and keep it: axis=-1, keepdims=True.",
            _with(centre=lambda parts: parts.mean()),
            _with(root=lambda parts, eps: np.sqrt(parts.sum(0).var() + eps)),
            _with(centre=lambda parts: parts.mean(), root=lambda parts, eps: np.sqrt(parts.sum(0).var() + eps)),
        ),
        "the axis lost": (
            "Your averages have lost the last axis, so they no longer line up with the vectors that they belong to.",
            "Pass keepdims=True (in torch keepdim=True) wherever you average.",
            _with(centre=lambda parts: parts.mean(-1)),
            _with(root=lambda parts, eps: np.sqrt(parts.sum(0).var(-1) + eps)),
            _with(centre=lambda parts: parts.mean(-1), root=lambda parts, eps: np.sqrt(parts.sum(0).var(-1) + eps)),
        ),
        "probabilities": (
            "You returned probabilities. Logits are sums over the parts; probabilities are not, so the parts have no "
            "probabilities of their own.",
            "Leave out the softmax.",
            lambda parts, gamma, table, eps: softmax(who_wrote(parts, gamma, table, eps)),
        ),
    },
)
