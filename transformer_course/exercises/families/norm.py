"""What goes wrong in LayerNorm and RMSNorm. A piece is ``norm(x, gamma, beta, eps)``, for vectors on an array's last axis.

The gaps in the texts are filled by each exercise: ``{inside}``, of which the root is taken, such as "`variance + eps`";
``{eps}``, the argument; ``{axis}`` and ``{keepdims}``, as they are passed.
"""

from functools import partial
from itertools import product

import numpy as np

from ..exercise import Mistake
from ..toolkit import mistake
from . import adapted


def mean(x, axis=-1):
    return x.mean(axis, keepdims=True)


def nothing(x, axis=-1):
    return 0 * mean(x, axis)


def variance(x, axis=-1):
    return x.var(axis, keepdims=True)


def unbiased(x, axis=-1):
    return x.var(axis, ddof=1, keepdims=True)


def mean_square(x, axis=-1):
    return mean(x**2, axis)


inside, outside, without = ROOTS = (
    lambda square, eps: np.sqrt(square + eps),
    lambda square, eps: np.sqrt(square) + eps,
    lambda square, eps: np.sqrt(square),
)


def norm(x, gamma, beta, eps, mu=mean, square=variance, root=inside):
    """Both norms: subtract ``mu(x)``, divide by ``root(square(x), eps)``, then times γ, plus β."""
    return gamma * (x - mu(x)) / root(square(x), eps) + beta


def layer_norm(x, gamma, beta, eps):
    return norm(x, gamma, beta, eps)


def rms_norm(x, gamma, beta, eps):
    return norm(x, gamma, beta, eps, nothing, mean_square)


def _of_centred(mu, x, gamma, beta, eps):
    """LayerNorm that takes the variance of what it has made of x by subtracting ``mu(x)``."""
    return rms_norm(x - mu(x), gamma, beta, eps)


def _shared(mu, squares, the_square: str, the_root: str) -> tuple[Mistake, ...]:
    """The mistakes of a norm that subtracts ``mu`` and divides by the root of the first of ``squares``.

    With a mistake about the axis, any of the squares may be taken, with ε inside the root, outside or nowhere.
    """
    right = partial(norm, mu=mu, square=squares[0])
    whole = partial(norm, mu=partial(mu, axis=None), square=partial(squares[0], axis=None))

    def divided(*roots, of=squares):
        return [partial(right, square=square, root=root) for square, root in product(of, roots)]

    def changed(change, roots=ROOTS):
        """Both statistics changed, or one of the two."""
        for square, root in product(squares, roots):
            yield partial(norm, mu=change(mu), square=change(square), root=root)
        if mu is mean:
            yield partial(right, mu=change(mu))
            yield partial(_of_centred, change(mu))
            yield partial(right, square=change(variance))
            yield partial(right, square=change(unbiased), root=outside)

    def over(axis, roots=ROOTS):
        return changed(lambda statistic: partial(statistic, axis=axis), roots)

    def distance(x):
        return mean(np.abs(x - mu(x)))

    def by_width(power):
        """The square times a power of d: 1 for the sum in place of the mean."""
        return lambda x: x.shape[-1] ** power * squares[0](x)

    return {
        "averaged over tokens": (
            "You averaged over the tokens, dimension by dimension. That is how BatchNorm averages, and it lets other tokens "
            "affect the result.",
            "Use the last axis, {axis}. It holds the numbers of a single vector, however many axes come before it.",
            *over(0),
            *over(-2),
            *over((0, 1), [inside]),
            *changed(lambda statistic: lambda x: statistic(x, tuple(range(x.ndim - 1))), [inside]),
        ),
        "axis 1": (
            "Your code is right for a table with two axes. In an array (b, n, d), axis 1 runs over the tokens of a text, and "
            "a single vector has no axis 1.",
            "The numbers of a vector are always on the last axis, {axis}.",
            *over(1),
        ),
        "each x[i] as one vector": (
            "You treat each x[i] as one vector. That is right for a table. But in an array (b, n, d), x[i] is a whole text, "
            "and in a single vector it is one number.",
            "Average over the last axis, {axis}: it holds the numbers of a single vector, and you need no loop.",
            lambda x, *given: np.stack([whole(row, *given) for row in x]),
            *changed(lambda statistic: lambda x: statistic(x, tuple(range(1, x.ndim))), [inside]),
            *changed(lambda statistic: lambda x: statistic(x, tuple(range(1, x.ndim)) or -1), [inside]),
        ),
        "averaged over everything": (
            "You averaged over a whole text, or over the whole batch, so a token's result depends on other tokens.",
            "Each vector needs an average of its own: choose the axis, {axis}, and keep it with {keepdims}.",
            *over(None),
            *over((-2, -1), [inside]),
            *changed(lambda statistic: lambda x: statistic(x, tuple(range(-min(2, x.ndim), 0))), [inside]),
            *over((1, 2), [inside]),
        ),
        "the axis lost": (
            "This works for a single vector. For more, what you averaged has lost the last axis, so it no longer lines up "
            "with the vectors.",
            "Pass {keepdims} wherever you average.",
            *changed(lambda statistic: lambda x: statistic(x)[..., 0]),
        ),
        "ε outside the square root": (
            f"You added ε after the square root, to the {the_root}. For a vector with a small {the_square}, that makes a "
            "large difference.",
            f"Add ε to the {the_square}: take the square root of {{inside}}.",
            *divided(outside, of=squares[:1]),
        ),
        "ε twice": (
            "You added ε twice: inside the square root and outside it.",
            "Add one ε, inside the square root.",
            *divided(lambda square, eps: np.sqrt(square + eps) + eps),
        ),
        "ε as the smallest value": (
            f"You used ε only where the {the_square} is smaller than ε. It should always be added.",
            "Take the square root of {inside}, for all vectors.",
            *divided(lambda square, eps: np.sqrt(np.maximum(square, eps))),
            *divided(lambda square, eps: np.maximum(np.sqrt(square), eps)),
            lambda x, *given: divided(lambda square, eps: np.maximum(np.sqrt(square), eps / np.sqrt(x.shape[-1])))[0](
                x, *given
            ),
        ),
        "ε added after the division": (
            "You added ε after the division: `a / b + eps` is `(a / b) + eps`. It should keep the divisor away from 0.",
            "Brackets decide what is divided by what: take the square root of {inside}, then divide.",
            lambda x, gamma, beta, eps: right(x, gamma, beta + eps, 0),
            lambda x, gamma, beta, eps: right(x, gamma, beta + gamma * eps, 0),
        ),
        "no ε": (
            f"There is no ε in your divisor, and a vector whose {the_square} is 0 gives 0/0.",
            "Take the square root of {inside}.",
            *divided(without),
            # 1e-5, whatever ε is, added after the division: too little to be told from none at all
            lambda x, gamma, beta, eps: right(x, gamma, beta + 1e-5, 0),
            lambda x, gamma, beta, eps: right(x, gamma, beta + gamma * 1e-5, 0),
        ),
        "ε fixed": (
            "You use an ε of your own, whatever is given.",
            "Use the argument: `{eps}`.",
            *(lambda x, gamma, beta, eps, own=own: right(x, gamma, beta, own) for own in (1e-5, 1e-6, 1e-8)),
        ),
        "no square root": (
            f"You divided by the {the_square}, which is in squared units: if all numbers of a vector become ten times as "
            "large, your result shrinks to a tenth. It should stay the same.",
            f"Divide by the {the_root}. How do you get it from the {the_square}?",
            *divided(lambda square, eps: square + eps, lambda square, eps: square),
        ),
        "two square roots": (
            f"You took the square root twice: the {the_root} is a root already.",
            "Take one square root, of {inside}.",
            *divided(lambda square, eps: np.sqrt(np.sqrt(square) + eps), lambda square, eps: (square + eps) ** 0.25),
        ),
        "multiplied, not divided": (
            f"You multiplied by the {the_root}. That makes large numbers even larger; the norm should make them all about the "
            "same size.",
            "Divide by it.",
            *divided(lambda square, eps: 1 / np.sqrt(square + eps)),
        ),
        "not divided": (
            f"You never divided by the {the_root}, so large vectors stay large.",
            "Divide by the square root of {inside} before you multiply by γ.",
            lambda x, gamma, beta, eps: gamma * (x - mu(x)) + beta,
            lambda x, gamma, beta, eps: gamma * (x - mu(x)),
            lambda x, gamma, beta, eps: x - mu(x),
        ),
        "absolute values": (
            f"You averaged absolute values. The {the_square} is a mean of *squares*, so that large numbers count for more.",
            "Square before you average, and take the square root of {inside} at the end.",
            *divided(inside, lambda distance, eps: distance + eps, lambda distance, eps: distance, of=[distance]),
        ),
        "the sum of squares": (
            "Under the root, you have the *sum* of the squares. So your result depends on how long a vector is.",
            f"The {the_square} is the *mean* of the squares: divide the sum by d before you take the root.",
            *divided(*ROOTS, lambda square, eps: np.maximum(np.sqrt(square), eps), of=[by_width(1)]),  # as F.normalize does
            # the root of the sum, divided by d, or multiplied by √d or by d
            *divided(outside, without, of=[by_width(-1), by_width(2), by_width(3)]),
            *(
                lambda x, gamma, beta, eps, power=power: norm(x, gamma * x.shape[-1] ** power, beta, eps, mu, by_width(1))
                for power in (1, -1)
            ),
        ),
        "no average": (
            "You squared, but you did not average: each number is divided by its own size, so almost all become 1 or −1.",
            f"The {the_square} is one number for a whole vector, the mean of its squares.",
            *divided(*ROOTS, of=[lambda x: (x - mu(x)) ** 2]),
        ),
        "γ first": (
            "You multiplied by γ before you normalised. Then the norm removes part of what γ has done.",
            "Normalise x first, and multiply by `gamma` after that.",
            lambda x, gamma, beta, eps: right(gamma * x, 1, beta, eps),
            lambda x, gamma, beta, eps: right(gamma * x + beta, 1, 0, eps),
        ),
        "γ left out": (
            "You normalised, but γ is not used yet.",
            "Multiply by `gamma` after you have divided.",
            lambda x, gamma, beta, eps: right(x, 1, beta, eps),
        ),
        "divided by γ": (
            "You divided by γ. It is a gain: the result is multiplied by it.",
            "Multiply by `gamma`.",
            lambda x, gamma, beta, eps: right(x, 1 / gamma, beta, eps),
        ),
        "1 + γ": (
            "You multiplied by 1 + γ. Some models do, and start γ at 0. Here γ starts at 1.",
            "Multiply by `gamma` alone.",
            lambda x, gamma, beta, eps: right(x, 1 + gamma, beta, eps),
        ),
    }


LAYER_NORM = {
    **_shared(mean, (variance, unbiased), "variance", "standard deviation"),
    "divided by d − 1": (
        "You divided the sum of squares by d − 1. That estimates a variance from a sample; here the d numbers are all there "
        "is.",
        "Divide by d. In torch, pass `correction=0` to `var` or `std`; NumPy divides by d already.",
        partial(norm, square=unbiased),
    ),
    "divided by d − 1, and ε outside": (
        "Two things are different: the variance is divided by d − 1, and ε is added outside the root. A well-known program "
        "does the same and trains well, but it is a different function.",
        "Take the mean of the squares (divide by d; in torch, `correction=0`), add ε, and then take the square root.",
        partial(norm, square=unbiased, root=outside),
    ),
    "RMSNorm": (
        "You never subtracted the mean, and you divided by the root mean square. That is RMSNorm, which many newer models use "
        "in place of LayerNorm.",
        "Subtract the mean first, then divide by the square root of {inside}.",
        *(partial(norm, mu=nothing, square=mean_square, root=root) for root in ROOTS),
    ),
    "the mean square of the vector itself": (
        "You subtracted the mean in the numerator. But under the root you took the mean of x², not of the squared distances "
        "from the mean.",
        "Which of the two should be squared, x or x − mean?",
        partial(norm, square=mean_square),
    ),
    "mean not subtracted": (
        "You divided by the standard deviation, but never subtracted the mean.",
        "Subtract each vector's mean before you divide.",
        *(partial(norm, mu=nothing, square=square, root=root) for square, root in product((variance, unbiased), ROOTS)),
    ),
    "the mean added": (
        "You added the mean, so it is now counted twice.",
        "Subtract it.",
        partial(norm, mu=lambda x: -mean(x)),
        partial(_of_centred, lambda x: -mean(x)),
    ),
    "the signs turned": (
        "You subtracted x from its mean, so all signs are flipped.",
        "Which of the two comes first, x or its mean?",
        lambda x, gamma, beta, eps: layer_norm(x, -gamma, beta, eps),
    ),
    "only the mean divided": (
        "Only the mean is divided: Python reads `x - mean / std` as `x - (mean / std)`.",
        "Put the difference in brackets: `(x - mean)`.",
        lambda x, gamma, beta, eps: gamma * (x - mean(x) / inside(variance(x), eps)) + beta,
        lambda x, gamma, beta, eps: gamma * x - mean(x) / inside(variance(x), eps) + beta,
    ),
    "β before γ": (
        "You added β first, so γ multiplied it too.",
        "Multiply by `gamma`, then add `beta`, with no brackets around the sum.",
        lambda x, gamma, beta, eps: layer_norm(x, gamma, gamma * beta, eps),
    ),
    "β subtracted": (
        "You subtracted β.",
        "Add it.",
        lambda x, gamma, beta, eps: layer_norm(x, gamma, -beta, eps),
    ),
    "γ + β as the gain": (
        "You multiplied by γ + β, so β changes the scale and shifts nothing.",
        "First multiply by `gamma`, then add `beta`.",
        lambda x, gamma, beta, eps: layer_norm(x, gamma + beta, 0, eps),
    ),
    "γ and β left out": (
        "You normalised. So far, so good, but γ and β have no effect.",
        "Multiply by `gamma` and add `beta`.",
        lambda x, gamma, beta, eps: layer_norm(x, 1, 0, eps),
    ),
    "γ and β left out, and a different divisor": (
        "γ and β are not used yet, and you do not divide by the square root of {inside}.",
        "First look at your divisor: is it d or d − 1, and is ε inside the root? Then multiply by `gamma`, and add `beta`.",
        *(
            lambda x, gamma, beta, eps, square=square, root=root: norm(x, 1, 0, eps, mean, square, root)
            for square, root in [*product((variance, unbiased), ROOTS)][1:]
        ),
    ),
    "β left out": (
        "You normalised and multiplied by γ. So far, so good, but β is not used yet.",
        "Add `beta` last.",
        lambda x, gamma, beta, eps: layer_norm(x, gamma, 0, eps),
    ),
    "γ and β swapped": (
        "You swapped γ and β: β multiplies, and γ is added.",
        "γ, the gain, multiplies. β, the bias, is added.",
        lambda x, gamma, beta, eps: layer_norm(x, beta, gamma, eps),
    ),
}

RMS_NORM = {
    **_shared(nothing, (mean_square,), "mean square", "root mean square"),
    "the mean subtracted": (
        "You subtracted the mean, as LayerNorm does. RMSNorm keeps it.",
        "Divide x itself by its root mean square.",
        *(partial(norm, square=square, root=root) for square, root in product((variance, unbiased, mean_square), ROOTS)),
    ),
    "divided by the standard deviation": (
        "You divided by the standard deviation, for which the mean is subtracted first. A vector whose numbers are all 3 "
        "has the standard deviation 0, but the root mean square 3.",
        "Take the mean of the squares of x itself.",
        *(partial(norm, mu=nothing, square=square, root=root) for square, root in product((variance, unbiased), ROOTS)),
    ),
    "averaged before squaring": (
        "You averaged x itself, and then squared that mean or not at all. But positive and negative numbers cancel in a mean: "
        "one near 0 says nothing about how large they are.",
        "What does the S in RMS stand for? First `x**2`, then `mean`.",
        partial(norm, mu=nothing, square=mean),
        *(partial(norm, mu=nothing, square=lambda x: mean(x) ** 2, root=root) for root in ROOTS),
    ),
}

OF_SEVERAL = ("averaged over tokens", "axis 1", "each x[i] as one vector", "averaged over everything", "the axis lost")

ROUNDED = mistake(
    "variance as a difference",
    "You computed the variance as mean(x²) − mean(x)². In exact arithmetic that is right. But where the mean is large, both "
    "terms are large and nearly equal, and float32 has too few digits for their difference.",
    "Subtract the mean first. The variance is the mean of the squares of what is left.",
    partial(norm, square=lambda x: mean_square(x) - mean(x) ** 2),
)


def as_class(norm):
    """A norm of arrays as the forward pass of a class, from the parameters that it has."""
    return lambda given, x: norm(x, given["gamma"], given.get("beta", 0.0), given.get("eps", 1e-5))


def of_class(family, norm, variance: str) -> tuple[Mistake, ...]:
    """The mistakes of a norm that is a class; ``variance`` is what the sheet calls the number to which ε is added."""
    return {
        **adapted(
            family, as_class, axis="`dim=-1`", keepdims="`keepdim=True`", eps="self.eps", inside=f"`{variance} + self.eps`"
        ),
        "another ε by default": (
            "Without an `eps`, your class uses a different default from the one in the exercise.",
            "Write `eps=1e-5` in the signature of `__init__`.",
            *(lambda given, x, own=own: as_class(norm)({"eps": own, **given}, x) for own in (1e-6, 1e-8, 1e-12)),
        ),
    }


def far_from_zero(rng: np.random.Generator) -> np.ndarray:
    """Vectors (3, 8) in float32 with means near 4096. All sums are exact, so only a difference of squares loses digits."""
    spread = rng.permuted(np.tile([-7.0, -5, -3, -1, 1, 3, 5, 7], (3, 1)), axis=1) / 4
    return (4096 + 16 * rng.integers(0, 9, (3, 1)) + spread).astype(np.float32)
