"""Sheet 11: LayerNorm for vectors in an array of any rank."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Implement, Property
from ..toolkit import normalised


def mean(a):
    return a.mean(-1, keepdims=True)


def layer_norm(x, gamma, beta, eps):
    centred = x - mean(x)
    return gamma * centred / np.sqrt(mean(centred**2) + eps) + beta


def _draw(rng):
    def sized(*shape, scale=1.0, eps=1e-5):
        """Vectors of different sizes, around means that differ."""
        sizes = scale * 2.0 ** rng.integers(-1, 3, (*shape[:-1], 1))
        x = sizes * (rng.standard_normal(shape) + rng.integers(-2, 3, (*shape[:-1], 1)))
        gamma, beta = rng.uniform(0.5, 2, shape[-1]) * rng.choice([-1, 1], shape[-1]), rng.uniform(-3, 3, shape[-1])
        return [*(array.astype(np.float32).astype(float) for array in (x, gamma, beta)), float(np.float32(eps))]

    x = np.array([[1.0, 7.0, 9.0, 15.0], [3.0, 3.0, 3.0, 7.0], [5.0, 5.0, 5.0, 5.0]])  # the last one has no spread at all
    return [
        [x, np.array([1.0, 1.0, 2.0, 2.0]), np.array([0.0, 0.5, 0.0, 10.0]), 0.25],
        sized(2, 3, 5),
        sized(7),  # a single vector
        sized(4, 3, scale=2.0**-9),  # variances near ε
        sized(2, 4, 3, 6, eps=0.125),
    ]


def _by_squares(x, gamma, beta, eps):
    variance = mean(x**2) - mean(x) ** 2
    return (x - mean(x)) * (gamma / np.sqrt(variance + eps)) + beta


def _in_loops(x, gamma, beta, eps):
    if x.ndim > 1:
        return [_in_loops(part, gamma, beta, eps) for part in x]
    mu = sum(x) / len(x)
    root = (sum((number - mu) ** 2 for number in x) / len(x) + eps) ** 0.5
    return [g * (number - mu) / root + b for number, g, b in zip(x, gamma, beta, strict=True)]


def _by_einsum(x, gamma, beta, eps):
    centred = x - np.einsum("...d->...", x)[..., None] / x.shape[-1]
    variance = np.einsum("...d,...d->...", centred, centred)[..., None] / x.shape[-1]
    return gamma * centred * (variance + eps) ** -0.5 + beta


def _standard(mu=mean, root=lambda x, eps: np.sqrt(x.var(-1, keepdims=True) + eps)):
    """Vectors less their mean and divided by a root, in another way; then γ and β."""
    return lambda x, gamma, beta, eps: gamma * (x - mu(x)) / root(x, eps) + beta


def _over(axis):
    return _standard(lambda x: x.mean(axis, keepdims=True), lambda x, eps: np.sqrt(x.var(axis, keepdims=True) + eps))


def _over_all_tokens(x, gamma, beta, eps):
    """One mean and variance for each dimension, over the tokens of all texts, as in the lesson's BatchNorm."""
    return _over(tuple(range(x.ndim - 1)))(x, gamma, beta, eps)


def _root(root):
    return _standard(root=lambda x, eps: root(x.var(-1, keepdims=True), eps))


layers_layer_norm = Implement(
    id="layers.layer_norm",
    answer_name="layer_norm",
    prompt="LayerNorm of every vector along the last axis, with γ, β and ε.",
    reference=layer_norm,
    draw=_draw,
    alternatives=(_by_squares, _in_loops, _by_einsum),
    properties=(
        Property(
            "After subtracting β and dividing by γ, each vector's numbers should have mean 0.",
            lambda result, x, gamma, beta, eps: np.allclose(((result - beta) / gamma).mean(-1), 0, atol=1e-3),
        ),
    ),
    why="Mean and variance belong to each vector separately, and ε is added to the variance inside the square root.",
    hints=(
        "Compute each vector's mean and variance along the last axis, whatever axes come before it.",
        "Keep the last axis, with length 1 (keepdims=True, in torch keepdim=True), so that means and vectors line up.",
        "Add ε to the variance, then take the square root. Then divide, multiply by gamma, and add beta.",
    ),
    mistakes=(
        Mistake(
            "over the tokens",
            "You took one mean and variance per dimension, across tokens. That is what BatchNorm does, and it lets "
            "other tokens affect the result.",
            "Use axis -1, which holds the numbers of a single vector.",
            _over(0),
            variants=(
                _over(-2),
                _over_all_tokens,
                _standard(lambda x: x.mean(0), lambda x, eps: np.sqrt(x.var(-1, keepdims=True) + eps)),
            ),
        ),
        Mistake(
            "axis 1",
            "Your function is right for a table with two axes. In an array (b, n, d), axis 1 runs over the tokens of a text, and a single "
            "vector has no axis 1.",
            "The numbers of a vector are always on the last axis, which is -1.",
            _over(1),
        ),
        Mistake(
            "over whole texts",
            "You took one mean and variance for a whole text, or for the whole batch. So a token's result depends on "
            "other tokens.",
            "Choose the axis, axis=-1, and keep it with keepdims=True.",
            _over(None),
            variants=(_over((-2, -1)), _standard(lambda x: x.mean(), lambda x, eps: np.sqrt(x.var(-1, keepdims=True) + eps))),
        ),
        Mistake(
            "the axis lost",
            "It works for a single vector. For more, the means have lost the last axis, so they no longer line up with their vectors.",
            "Pass keepdims=True (in torch keepdim=True) for the mean and for the variance.",
            _standard(lambda x: x.mean(-1), lambda x, eps: np.sqrt(x.var(-1) + eps)),
            variants=(_standard(mu=lambda x: x.mean(-1)), _standard(root=lambda x, eps: np.sqrt(x.var(-1) + eps))),
        ),
        Mistake(
            "the unbiased variance",
            "You divided the sum of squares by d − 1. That estimates a variance from a sample; here the d numbers are"
            " all there is.",
            "Divide by d. In torch, pass `correction=0` to `var` or `std`; NumPy divides by d already.",
            _standard(root=lambda x, eps: np.sqrt(x.var(-1, keepdims=True, ddof=1) + eps)),
        ),
        Mistake(
            "epsilon outside the root",
            "You added ε to the standard deviation. For a vector with very little spread, that makes a large difference.",
            "Take the square root of `variance + eps`.",
            _root(lambda variance, eps: np.sqrt(variance) + eps),
        ),
        Mistake(
            "unbiased, and epsilon outside",
            "Two things are different: the variance is divided by d − 1, and ε is added outside the root. A well-known program does the same "
            "and trains well, but it is a different function.",
            "Take the mean of the squares (divide by d), add eps, and then take the square root.",
            _standard(root=lambda x, eps: x.std(-1, keepdims=True, ddof=1) + eps),
        ),
        Mistake(
            "epsilon twice",
            "You added ε twice: inside the square root and outside it.",
            "Add one ε, inside the square root.",
            _root(lambda variance, eps: np.sqrt(variance + eps) + eps),
        ),
        Mistake(
            "epsilon as the smallest variance",
            "You used ε only where the variance is smaller than ε. It should be added to every variance.",
            "Take the square root of `variance + eps`, whatever the variance.",
            _root(lambda variance, eps: np.sqrt(np.maximum(variance, eps))),
        ),
        Mistake(
            "no epsilon",
            "ε is missing: a vector whose numbers are all equal gives 0/0.",
            "Take the square root of (variance + eps).",
            _root(lambda variance, eps: np.sqrt(variance)),
        ),
        Mistake(
            "an epsilon of its own",
            "Your function uses its own ε of 0.00001, whatever it is given.",
            "Use the argument eps.",
            _root(lambda variance, eps: np.sqrt(variance + 1e-5)),
            variants=(
                _root(lambda variance, eps: np.sqrt(variance + 1e-6)),
                _root(lambda variance, eps: np.sqrt(variance + 1e-8)),
            ),
        ),
        Mistake(
            "divided by the variance",
            "You divided by the variance, which is in squared units.",
            "Take the square root of `variance + eps`.",
            _root(lambda variance, eps: variance + eps),
            variants=(_root(lambda variance, eps: variance),),
        ),
        Mistake(
            "the mean left in",
            "You never subtracted the mean.",
            "Subtract each vector's mean before you divide.",
            _standard(mu=lambda x: 0),
        ),
        Mistake(
            "root mean square",
            "You never subtracted the mean; you divided by the root mean square. That is RMSNorm, which many newer "
            "models use in place of LayerNorm.",
            "Subtract the mean first, then divide by the square root of `variance + eps`.",
            _standard(lambda x: 0, lambda x, eps: np.sqrt(mean(x**2) + eps)),
        ),
        Mistake(
            "the mean square of the vector itself",
            "You subtracted the mean in the numerator. But under the root you took the mean of x², not of the squared distances from the mean.",
            "Which of the two should be squared, x or x − mean?",
            _standard(root=lambda x, eps: np.sqrt(mean(x**2) + eps)),
        ),
        Mistake(
            "the mean distance",
            "You divided by the mean distance from the mean. The variance is the mean of the *squared* distances, so that far "
            "numbers count for more.",
            "Square x − mean before you average, and take the square root of `variance + eps` at the end.",
            _standard(root=lambda x, eps: mean(np.abs(x - mean(x))) + eps),
            variants=(_standard(root=lambda x, eps: mean(np.abs(x - mean(x)))),),
        ),
        Mistake(
            "the sum of squares",
            "Under the root, you took the sum of the squared distances from the mean. The variance is their mean.",
            "Divide the sum by d before you add eps.",
            _standard(root=lambda x, eps: np.sqrt(x.shape[-1] * x.var(-1, keepdims=True) + eps)),
        ),
        Mistake(
            "gamma first",
            "You multiplied by γ before taking the mean and variance. Normalising then removes what γ has done.",
            "Normalise x first, then multiply by gamma, then add beta.",
            lambda x, gamma, beta, eps: normalised(gamma * x, eps) + beta,
            variants=(lambda x, gamma, beta, eps: normalised(gamma * x + beta, eps),),
        ),
        Mistake(
            "beta before gamma",
            "You added β first, so γ multiplied it too.",
            "Multiply by `gamma`, then add `beta`, with no brackets around the sum.",
            lambda x, gamma, beta, eps: gamma * (normalised(x, eps) + beta),
        ),
        Mistake(
            "gamma and beta left out",
            "You normalised, which is right so far. Two of the arguments are not used yet.",
            "Multiply by gamma, then add beta.",
            lambda x, gamma, beta, eps: normalised(x, eps),
        ),
        Mistake(
            "beta left out",
            "You normalised and multiplied by γ. So far, so good, but one argument is not used yet.",
            "Now add beta.",
            lambda x, g, b, eps: g * normalised(x, eps),
        ),
        Mistake(
            "gamma left out",
            "You normalised and added β, but one argument is not used yet.",
            "Multiply by gamma before you add beta.",
            lambda x, gamma, beta, eps: normalised(x, eps) + beta,
        ),
        Mistake(
            "gamma and beta swapped",
            "You swapped γ and β: β multiplies, and γ is added.",
            "γ, the gain, multiplies. β, the bias, is added.",
            lambda x, gamma, beta, eps: beta * normalised(x, eps) + gamma,
        ),
    ),
)
