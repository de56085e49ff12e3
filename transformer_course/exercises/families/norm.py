"""What goes wrong in LayerNorm. A piece is ``norm(x, gamma, beta, eps)``, for vectors on the last axis of an array."""

import numpy as np

from ..toolkit import mistake


def mean(a: np.ndarray, axis=-1) -> np.ndarray:
    return a.mean(axis, keepdims=True)


def layer_norm(x, gamma, beta, eps):
    return gamma * standardised(x, eps) + beta


def standardised(x, eps):
    centred = x - mean(x)
    return centred / np.sqrt(mean(centred**2) + eps)


def _with(root=lambda x, eps: np.sqrt(x.var(-1, keepdims=True) + eps), mu=mean):
    """LayerNorm that subtracts ``mu(x)`` and divides by ``root(x, eps)``."""
    return lambda x, gamma, beta, eps: gamma * (x - mu(x)) / root(x, eps) + beta


def _root(root, ddof=0):
    return _with(lambda x, eps: root(x.var(-1, keepdims=True, ddof=ddof), eps))


def _over(axis):
    return _with(lambda x, eps: np.sqrt(x.var(axis, keepdims=True) + eps), lambda x: mean(x, axis))


def _over_all_tokens(x, *given):
    """One mean and variance for each dimension, over the tokens of all texts."""
    return _over(tuple(range(x.ndim - 1)))(x, *given)


def _added_after(x, gamma, beta, eps):
    return gamma * (x - mean(x)) / x.std(-1, keepdims=True) + beta + eps


def _added_before_gamma(x, gamma, beta, eps):
    return gamma * ((x - mean(x)) / x.std(-1, keepdims=True) + eps) + beta


LAYER_NORM = (
    mistake(
        "averaged over tokens",
        "You took one mean and variance per dimension, across tokens. That is what BatchNorm does, and it lets other tokens "
        "affect the result.",
        "Use the last axis, {axis}. It holds the numbers of a single vector, however many axes come before it.",
        _over(0),
        _over(-2),
        _over_all_tokens,
        _with(mu=lambda x: x.mean(0)),
    ),
    mistake(
        "axis 1",
        "Your code is right for a table with two axes. In an array (b, n, d), axis 1 runs over the tokens of a text, and a "
        "single vector has no axis 1.",
        "The numbers of a vector are always on the last axis, {axis}.",
        _over(1),
    ),
    mistake(
        "averaged over everything",
        "You took one mean and variance for a whole text, or for the whole batch, so a token's result depends on other "
        "tokens.",
        "Choose the axis, {axis}, and keep it with {keepdims}.",
        _over(None),
        _over((-2, -1)),
        _with(mu=lambda x: x.mean()),
    ),
    mistake(
        "the axis lost",
        "It works for a single vector. For more, the means have lost the last axis, so they no longer line up with their "
        "vectors.",
        "Pass {keepdims} for the mean and for the variance.",
        _with(lambda x, eps: np.sqrt(x.var(-1) + eps), lambda x: x.mean(-1)),
        _with(mu=lambda x: x.mean(-1)),
        _with(lambda x, eps: np.sqrt(x.var(-1) + eps)),
    ),
    mistake(
        "divided by d − 1",
        "You divided the sum of squares by d − 1. That estimates a variance from a sample; here the d numbers are all there "
        "is.",
        "Divide by d. In torch, pass `correction=0` to `var` or `std`; NumPy divides by d already.",
        _root(lambda variance, eps: np.sqrt(variance + eps), ddof=1),
    ),
    mistake(
        "ε outside the square root",
        "You added ε to the standard deviation, after the square root. For a vector with very little spread, that makes a "
        "large difference.",
        "Add ε to the variance: take the square root of `variance + {eps}`.",
        _root(lambda variance, eps: np.sqrt(variance) + eps),
    ),
    mistake(
        "divided by d − 1, and ε outside",
        "Two things are different: the variance is divided by d − 1, and ε is added outside the root. A well-known program "
        "does the same and trains well, but it is a different function.",
        "Take the mean of the squares (divide by d; in torch, `correction=0`), add ε, and then take the square root.",
        _root(lambda variance, eps: np.sqrt(variance) + eps, ddof=1),
    ),
    mistake(
        "ε twice",
        "You added ε twice: inside the square root and outside it.",
        "Add one ε, inside the square root.",
        _root(lambda variance, eps: np.sqrt(variance + eps) + eps),
    ),
    mistake(
        "ε as the smallest variance",
        "You used ε only where the variance is smaller than ε. It should be added to every variance.",
        "Take the square root of `variance + {eps}`, whatever the variance.",
        _root(lambda variance, eps: np.sqrt(np.maximum(variance, eps))),
    ),
    mistake(
        "ε added after the division",
        "You added ε after the division: `a / b + eps` is `(a / b) + eps`. It should keep the divisor away from 0 when all "
        "numbers of a vector are nearly equal.",
        "Brackets decide what is divided by what: take the square root of `variance + {eps}`, then divide.",
        _added_after,
        _added_before_gamma,
    ),
    mistake(
        "no ε",
        "There is no ε in your divisor, and a vector whose numbers are all equal gives 0/0.",
        "Take the square root of `variance + {eps}`.",
        _root(lambda variance, eps: np.sqrt(variance)),
        _root(lambda variance, eps: np.sqrt(variance), ddof=1),
        # 1e-5, whatever ε is, added after the division: too little to be told from none at all
        lambda x, gamma, beta, eps: _added_after(x, gamma, beta, 1e-5),
        lambda x, gamma, beta, eps: _added_before_gamma(x, gamma, beta, 1e-5),
    ),
    mistake(
        "ε fixed",
        "You use an ε of your own, whatever is given.",
        "Use the argument: `{eps}`.",
        *(lambda x, gamma, beta, eps, own=own: layer_norm(x, gamma, beta, own) for own in (1e-5, 1e-6, 1e-8)),
    ),
    mistake(
        "divided by the variance",
        "You divided by the variance, which is in squared units: if all numbers of a vector become ten times as large, your "
        "result shrinks to a tenth. It should stay the same.",
        "Divide by the standard deviation. How do you get it from the variance?",
        _root(lambda variance, eps: variance + eps),
        _root(lambda variance, eps: variance),
        _root(lambda variance, eps: variance + eps, ddof=1),
    ),
    mistake(
        "multiplied by the standard deviation",
        "You multiplied by the standard deviation. That makes large numbers even larger; the norm should make them all about "
        "the same size.",
        "Divide by it.",
        _root(lambda variance, eps: 1 / np.sqrt(variance + eps)),
    ),
    mistake(
        "two roots",
        "You take the square root of a standard deviation. `std` is a square root already.",
        "Take the root of `variance + {eps}`, or use `var` in place of `std`.",
        _root(lambda variance, eps: np.sqrt(np.sqrt(variance) + eps)),
        _root(lambda variance, eps: np.sqrt(np.sqrt(variance) + eps), ddof=1),
    ),
    mistake(
        "the mean distance",
        "You divided by the mean distance from the mean. The variance is the mean of the *squared* distances, so that far "
        "numbers count for more.",
        "Square x − mean before you average, and take the square root of `variance + {eps}` at the end.",
        _with(lambda x, eps: mean(np.abs(x - mean(x))) + eps),
        _with(lambda x, eps: mean(np.abs(x - mean(x)))),
    ),
    mistake(
        "the sum of squares",
        "Under the root, you took the sum of the squared distances from the mean. The variance is their mean.",
        "Divide the sum by d before you add ε.",
        _with(lambda x, eps: np.sqrt(x.shape[-1] * x.var(-1, keepdims=True) + eps)),
    ),
    mistake(
        "RMSNorm",
        "You never subtracted the mean, and you divided by the root mean square. That is RMSNorm, which many newer models use "
        "in place of LayerNorm.",
        "Subtract the mean first, then divide by the square root of `variance + {eps}`.",
        _with(lambda x, eps: np.sqrt(mean(x**2) + eps), lambda x: 0),
    ),
    mistake(
        "the mean square of the vector itself",
        "You subtracted the mean in the numerator. But under the root you took the mean of x², not of the squared distances "
        "from the mean.",
        "Which of the two should be squared, x or x − mean?",
        _with(lambda x, eps: np.sqrt(mean(x**2) + eps)),
    ),
    mistake(
        "mean not subtracted",
        "You divided by the standard deviation, but never subtracted the mean.",
        "Subtract each vector's mean before you divide.",
        _with(mu=lambda x: 0),
    ),
    mistake(
        "the mean added",
        "You added the mean, so it is now counted twice.",
        "Subtract it.",
        _with(mu=lambda x: -mean(x)),
    ),
    mistake(
        "only the mean divided",
        "Only the mean is divided: Python reads `x - mean / std` as `x - (mean / std)`.",
        "Put the difference in brackets: `(x - mean)`.",
        lambda x, gamma, beta, eps: gamma * (x - mean(x) / np.sqrt(x.var(-1, keepdims=True) + eps)) + beta,
        lambda x, gamma, beta, eps: gamma * x - mean(x) / np.sqrt(x.var(-1, keepdims=True) + eps) + beta,
    ),
    mistake(
        "γ first",
        "You multiplied by γ before taking the mean and variance. Normalising then removes what γ has done.",
        "Normalise x first, then multiply by `gamma`, then add `beta`.",
        lambda x, gamma, beta, eps: standardised(gamma * x, eps) + beta,
        lambda x, gamma, beta, eps: standardised(gamma * x + beta, eps),
    ),
    mistake(
        "β before γ",
        "You added β first, so γ multiplied it too.",
        "Multiply by `gamma`, then add `beta`, with no brackets around the sum.",
        lambda x, gamma, beta, eps: gamma * (standardised(x, eps) + beta),
    ),
    mistake(
        "β subtracted",
        "You subtracted β.",
        "Add it.",
        lambda x, gamma, beta, eps: layer_norm(x, gamma, -beta, eps),
    ),
    mistake(
        "γ + β as the gain",
        "You multiplied by γ + β, so β changes the scale and shifts nothing.",
        "First multiply by `gamma`, then add `beta`.",
        lambda x, gamma, beta, eps: (gamma + beta) * standardised(x, eps),
    ),
    mistake(
        "γ and β left out",
        "You normalised. So far, so good, but γ and β have no effect.",
        "Multiply by `gamma` and add `beta`.",
        lambda x, gamma, beta, eps: standardised(x, eps),
    ),
    mistake(
        "β left out",
        "You normalised and multiplied by γ. So far, so good, but β is not used yet.",
        "Add `beta` last.",
        lambda x, gamma, beta, eps: gamma * standardised(x, eps),
    ),
    mistake(
        "γ left out",
        "You normalised and added β, but γ is not used yet.",
        "Multiply by `gamma` before you add `beta`.",
        lambda x, gamma, beta, eps: standardised(x, eps) + beta,
    ),
    mistake(
        "γ and β swapped",
        "You swapped γ and β: β multiplies, and γ is added.",
        "γ, the gain, multiplies. β, the bias, is added.",
        lambda x, gamma, beta, eps: beta * standardised(x, eps) + gamma,
    ),
)

ROUNDED = mistake(
    "variance as a difference",
    "You computed the variance as mean(x²) − mean(x)². In exact arithmetic that is right. But where the mean is large, both "
    "terms are large and nearly equal, and float32 has too few digits for their difference.",
    "Subtract the mean first. The variance is the mean of the squares of what is left.",
    lambda x, gamma, beta, eps: gamma * (x - mean(x)) / np.sqrt(mean(x**2) - mean(x) ** 2 + eps) + beta,
)


def far_from_zero(rng: np.random.Generator) -> np.ndarray:
    """Vectors (3, 8) in float32 with means near 4096. All sums are exact, so only a difference of squares loses digits."""
    spread = rng.permuted(np.tile([-7.0, -5, -3, -1, 1, 3, 5, 7], (3, 1)), axis=1) / 4
    return (4096 + 16 * rng.integers(0, 9, (3, 1)) + spread).astype(np.float32)
