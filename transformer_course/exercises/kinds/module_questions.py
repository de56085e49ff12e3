"""What an exercise of the kind ``Module`` asks for, drawn from a seed, and what a forward pass in NumPy gives there."""

import functools
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..toolkit import normal

RATE = 2.0**20  # of the step by which gradients are measured: even one of 1e-17, left by rounding, moves a weight


@dataclass(frozen=True)
class Dropped:
    """A class that takes ``dropout``: what its forward pass gives in training mode with a dropout of 1, also in words."""

    reference: Callable
    expected: str
    hint: str


def drawn(exercise, seed: int) -> list[dict]:
    return _drawn(exercise.draw, exercise.shapes, exercise.tied, exercise.reference, seed)


@functools.lru_cache(maxsize=64)
def _drawn(draw: Callable, shapes: Callable, tied: Callable, reference: Callable, seed: int) -> list[dict]:
    """What to construct and call, with weights; ``probe`` turns the output of the first call into a number.

    ``single`` are the calls to make in float32: the first one, and those that were drawn in float32. An object whose scores
    must be large, say, comes with a mapping of the weights that were chosen for it, and not drawn.
    """
    rng, questions = np.random.default_rng(seed), []
    for sizes, given, *chosen in draw(rng):
        calls = [inputs for inputs in given if not _is_single(inputs)]
        single = [calls[0], *([value.astype(float) for value in inputs] for inputs in given if _is_single(inputs))]
        weights = {name: normal(rng, *shape) / 2 for name, shape in shapes(**sizes).items()}
        for values in chosen:
            weights |= values
        same = dict(tied(**sizes))
        weights |= {name: weights[other] for name, other in same.items()}
        probe = normal(rng, *reference({**sizes, **weights}, *calls[0]).shape)
        question = {"sizes": sizes, "weights": weights, "tied": same, "calls": calls, "single": single}
        questions.append({**question, "probe": probe, "rate": RATE})
    return questions


def _is_single(inputs: list) -> bool:
    return all(isinstance(value, np.ndarray) and value.dtype == np.float32 for value in inputs)


def given_of(question: dict) -> dict:
    """The sizes and weights of an object, as a forward pass of ours gets them."""
    return {**question["sizes"], **question["weights"]}


def outputs_of(exercise, forward: Callable, seed: int) -> Iterator[list[np.ndarray | None]]:
    """What a forward pass of ours gives on every call, one object after another: most mistakes differ on the first."""
    drawn = exercise.draw, exercise.shapes, exercise.tied, exercise.reference, seed
    for index in range(len(_drawn(*drawn))):
        yield _forward(forward, *drawn, index)


@functools.lru_cache(maxsize=4096)
def _forward(
    forward: Callable, draw: Callable, shapes: Callable, tied: Callable, reference: Callable, seed: int, index: int
) -> list[np.ndarray | None]:
    """What a forward pass of ours gives on the calls of one object; None where it raises an error."""
    question = _drawn(draw, shapes, tied, reference, seed)[index]
    return [output(forward, given_of(question), inputs) for inputs in question["calls"]]


def output(forward: Callable, given: dict, inputs: list) -> np.ndarray | None:
    try:
        with warnings.catch_warnings():  # such as one of NumPy's about a standard deviation of one number
            warnings.simplefilter("ignore")
            return np.asarray(forward(given, *inputs), float)
    except Exception:  # such as shapes that do not fit: for a mistake, that is a result too
        return None
