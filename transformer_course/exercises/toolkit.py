"""NumPy pieces that several lessons' exercises share: drawing questions, parts of attention, recognising mistakes."""

from collections.abc import Callable

import numpy as np

from .exercise import Mistake


def normal(rng: np.random.Generator, *shape: int, limit: float = np.inf) -> np.ndarray:
    """Draw numbers from a standard normal distribution, cut off at ``limit``. They are exact in float32 too."""
    return rng.standard_normal(shape).clip(-limit, limit).astype(np.float32).astype(float)


def tiny(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Numbers so small that even large angles, which a mistake makes, are rounded in float32 without a trace."""
    return (rng.uniform(1, 2, shape) * rng.choice([-1, 1], shape) / 64).astype(np.float32).astype(float)


def integers(rng: np.random.Generator, largest: int, *shape: int) -> np.ndarray:
    """Draw integers from ``-largest`` to ``largest``, as floats."""
    return rng.integers(-largest, largest + 1, shape).astype(float)


def draw_tokens(rng: np.random.Generator) -> list[list]:
    """Draw one question: five tokens of width 3."""
    return [[normal(rng, 5, 3)]]


def softmax(scores: np.ndarray) -> np.ndarray:
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


def normalised(x: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Each row with mean 0 and, but for ``eps``, variance 1."""
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)


def same(values, *others):
    """The first argument as it is: a step that is left out."""
    return values


def of_a_text(function: Callable) -> Callable:
    """A function of tokens (n, d), in float64, that rejects anything else in one sentence."""

    def f(x):
        x = np.asarray(x, float)
        if x.ndim != 2 or x.size == 0:
            raise ValueError(f"f takes one sequence x of shape (n, d), a row for each token, but got shape {x.shape}")
        if not np.isfinite(x).all():
            raise ValueError("f takes finite numbers, but x contains inf or nan")
        return function(x)

    return f


def number_at(place: int, *values: object, atol: float = 1e-8) -> Callable[[np.ndarray], bool]:
    """A predicate: whether the number, or the row, at this place is one of these, whatever the others are."""
    return lambda given: any(np.allclose(given[place], value, atol=atol) for value in values)


def mistake(name: str, diagnosis: str, hint: str, *answers: object, recognise: Callable | None = None) -> Mistake:
    """A mistake with all its variants; the first answer is the typical one."""
    return Mistake(name, diagnosis, hint, answers[0], answers[1:], recognise)


def known(diagnosis: str, hint: str, *answers: object, recognise: Callable) -> Mistake:
    """A mistake in a table that is recognised by a predicate too."""
    return mistake("", diagnosis, hint, *answers, recognise=recognise)


def broken(exposed_by: str, function: Callable) -> tuple:
    """In a table, a function of tokens (n, d) that a test must reject: what exposes it, and the function."""
    return "This function is broken.", exposed_by, of_a_text(function)
