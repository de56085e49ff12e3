"""Stage B9: RMSNorm, which divides each vector by its root mean square."""

import numpy as np

from ..kinds import Module
from ..toolkit import mistake, normal


def _eps(given):
    return given.get("eps", 1e-5)


def mean_square(x, axis=-1):
    return (x**2).mean(axis, keepdims=True)


def rms_norm(given, x):
    return given["gamma"] * x / np.sqrt(mean_square(x) + _eps(given))


def _divided(divisor):
    """RMSNorm with ``divisor(x, eps)`` in place of the root of the mean square plus ε."""
    return lambda given, x: given["gamma"] * x / divisor(x, _eps(given))


def _centred(given, x):
    return rms_norm(given, x - x.mean(-1, keepdims=True))


def shapes(d_model, eps=1e-5):
    return {"gamma": (d_model,)}


def _draw(rng):
    def calls(d, *shapes):
        drawn = [[2 * normal(rng, *shape, d) + 1] for shape in shapes]
        small = [normal(rng, 3, 4, d) / 256]  # a root mean square about as large as the root of ε
        return [*drawn, small]

    return [
        ({"d_model": 6}, calls(6, (2, 5), (3, 3), (4,))),
        ({"d_model": 4, "eps": 0.25}, calls(4, (3, 5), (2, 2))),
        ({"d_model": 9}, calls(9, (2, 3))),
    ]


rms_norm_class = Module(
    id="build.rms_norm",
    answer_name="RMSNorm",
    prompt="RMSNorm as an nn.Module, with a gain per dimension.",
    shapes=shapes,
    reference=rms_norm,
    draw=_draw,
    starts={"gamma": 1.0},
    why="Dividing by the root mean square gives every vector the same size before γ, and leaves its mean in.",
    hints=(
        "Start from your `LayerNorm`. Leave out `beta`, and keep `gamma` and `eps`.",
        "Square the numbers of each vector, and take their mean along the last axis, with `keepdim=True`.",
        "Add ε to the mean square, take the square root, divide x by it, and multiply by `gamma`.",
    ),
    mistakes=(
        mistake(
            "the mean subtracted",
            "You subtracted the mean, as LayerNorm does. RMSNorm keeps it.",
            "Divide x itself by its root mean square.",
            _centred,
            lambda given, x: given["gamma"] * (x - x.mean(-1, keepdims=True)) / np.sqrt(mean_square(x) + _eps(given)),
        ),
        mistake(
            "divided by the standard deviation",
            "You divided by the standard deviation, for which the mean is subtracted first. A vector whose numbers are all 3 "
            "has the standard deviation 0, but the root mean square 3.",
            "Take the mean of the squares of x itself.",
            _divided(lambda x, eps: np.sqrt(x.var(-1, keepdims=True) + eps)),
            _divided(lambda x, eps: np.sqrt(x.var(-1, ddof=1, keepdims=True) + eps)),
            _divided(lambda x, eps: x.std(-1, keepdims=True) + eps),
            _divided(lambda x, eps: x.std(-1, keepdims=True)),
            _divided(lambda x, eps: x.std(-1, ddof=1, keepdims=True) + eps),
            _divided(lambda x, eps: x.std(-1, ddof=1, keepdims=True)),
        ),
        mistake(
            "no square root",
            "You divided by the mean square. If all numbers of a vector become ten times as large, your result shrinks to a "
            "tenth. It should stay the same.",
            "What does the R in RMS stand for?",
            _divided(lambda x, eps: mean_square(x) + eps),
        ),
        mistake(
            "no square",
            "You took the root of the mean of x. Where that mean is negative, the root is NaN; and a mean near 0 says nothing "
            "about how large the numbers are.",
            "What does the S in RMS stand for?",
            _divided(lambda x, eps: np.sqrt(x.mean(-1, keepdims=True) + eps)),
        ),
        mistake(
            "d outside the square root",
            "You took the root of the *sum* of the squares and used the width outside the root, where it counts too much.",
            "Take the mean before the root.",
            _divided(lambda x, eps: np.sqrt((x**2).sum(-1, keepdims=True) + eps) / x.shape[-1]),
            _divided(lambda x, eps: np.sqrt((x**2).sum(-1, keepdims=True)) / x.shape[-1] + eps),
            _divided(lambda x, eps: np.sqrt((x**2).sum(-1, keepdims=True) + eps) * x.shape[-1]),
        ),
        mistake(
            "sum in place of mean",
            "You divided by the length of the vector: the root of the *sum* of the squares. Then wider vectors get smaller "
            "numbers.",
            "Use `mean` where you have `sum` or `norm`.",
            _divided(lambda x, eps: np.sqrt((x**2).sum(-1, keepdims=True) + eps)),
            _divided(lambda x, eps: np.sqrt((x**2).sum(-1, keepdims=True)) + eps),
            _divided(lambda x, eps: np.sqrt((x**2).sum(-1, keepdims=True))),
        ),
        mistake(
            "the mean of the absolute values",
            "You divided by the mean of the absolute values. It is close to the root mean square, but not the same.",
            "Square the numbers, take the mean, then the root.",
            _divided(lambda x, eps: abs(x).mean(-1, keepdims=True) + eps),
            _divided(lambda x, eps: np.sqrt(abs(x).mean(-1, keepdims=True) + eps)),
        ),
        mistake(
            "the mean squared",
            "You squared the mean. RMSNorm takes the mean of the squares.",
            "First `x**2`, then `mean`.",
            _divided(lambda x, eps: np.sqrt(x.mean(-1, keepdims=True) ** 2 + eps)),
        ),
        mistake(
            "averaged over tokens",
            "You average over tokens, so other tokens affect the result.",
            "Use the last axis, `dim=-1`. It holds the numbers of a single vector, however many axes come before it.",
            *(
                lambda given, x, axis=axis: given["gamma"] * x / np.sqrt(mean_square(x, axis) + _eps(given))
                for axis in (-2, 0, 1, (1, 2), (0, 1))
            ),
        ),
        mistake(
            "averaged over everything",
            "You took one mean over the whole input. Each vector needs its own.",
            "Pass `dim=-1` and `keepdim=True`.",
            lambda given, x: given["gamma"] * x / np.sqrt(mean_square(x, None) + _eps(given)),
        ),
        mistake(
            "ε outside the square root",
            "You added ε after the square root. For a vector of small numbers, that makes a large difference.",
            "Take the square root of `mean_square + self.eps`.",
            _divided(lambda x, eps: np.sqrt(mean_square(x)) + eps),
        ),
        mistake(
            "no ε in the divisor",
            "There is no ε in your divisor. ε keeps it away from 0 when all numbers of a vector are nearly 0.",
            "Add `self.eps` to the mean square, inside the square root.",
            _divided(lambda x, eps: np.sqrt(mean_square(x))),
        ),
        mistake(
            "ε fixed",
            "You use a fixed ε, whatever was passed to the constructor.",
            "Keep the argument: `self.eps = eps`.",
            lambda given, x: rms_norm({**given, "eps": 1e-5}, x),
        ),
        mistake(
            "multiplied by the root mean square",
            "You multiplied by the root mean square. That makes large numbers even larger; the norm should make them all "
            "about the same size.",
            "Divide by it.",
            _divided(lambda x, eps: 1 / np.sqrt(mean_square(x) + eps)),
        ),
        mistake(
            "γ left out",
            "You never multiply by γ, so it is never used.",
            "Multiply by `self.gamma` at the end.",
            lambda given, x: rms_norm({**given, "gamma": 1.0}, x),
        ),
        mistake(
            "divided by γ",
            "You divided by γ. It is a gain: the result is multiplied by it.",
            "Write `self.gamma * x / …`.",
            lambda given, x: rms_norm({**given, "gamma": 1 / given["gamma"]}, x),
        ),
        mistake(
            "1 + γ",
            "You multiplied by 1 + γ. Some models do, and start γ at 0. Here γ starts at 1.",
            "Multiply by `self.gamma` alone.",
            lambda given, x: rms_norm({**given, "gamma": 1 + given["gamma"]}, x),
        ),
    ),
)
