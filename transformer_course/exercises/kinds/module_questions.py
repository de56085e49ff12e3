"""What an exercise of the kind ``Module`` asks for, drawn from a seed, and what a forward pass in NumPy gives there."""

import functools
from collections.abc import Callable
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
    """What to construct and call, with weights; ``probe`` turns the output of the first call into a number."""
    rng, questions = np.random.default_rng(seed), []
    for sizes, calls in draw(rng):
        weights = {name: normal(rng, *shape) / 2 for name, shape in shapes(**sizes).items()}
        same = dict(tied(**sizes))
        weights |= {name: weights[other] for name, other in same.items()}
        probe = normal(rng, *reference({**sizes, **weights}, *calls[0]).shape)
        questions.append({"sizes": sizes, "weights": weights, "tied": same, "calls": calls, "probe": probe, "rate": RATE})
    return questions


def outputs_of(exercise, forward: Callable, seed: int) -> list[list[np.ndarray | None]]:
    return _forward(forward, exercise.draw, exercise.shapes, exercise.tied, exercise.reference, seed)


@functools.lru_cache(maxsize=1024)
def _forward(forward: Callable, draw: Callable, shapes: Callable, tied: Callable, reference: Callable, seed: int) -> list:
    """What a forward pass of ours gives on every call; None where it raises an error."""
    outputs = []
    for question in _drawn(draw, shapes, tied, reference, seed):
        given = {**question["sizes"], **question["weights"]}
        outputs.append([output(forward, given, inputs) for inputs in question["calls"]])
    return outputs


def output(forward: Callable, given: dict, inputs: list) -> np.ndarray | None:
    try:
        return np.asarray(forward(given, *inputs), float)
    except Exception:  # such as shapes that do not fit: for a mistake, that is a result too
        return None
