"""Whether the gradients of a learner's ``nn.Module`` are right, from central differences of a forward pass in NumPy."""

from collections.abc import Callable, Sequence

import numpy as np

from ..exercise import Verdict, listed, parameters
from . import module_faults as faults
from .module_runs import Run

STEP = 1e-6  # along a direction of length 1, in float64
RTOL, ATOL = 1e-4, 1e-5  # wide enough for an answer that computes some of its steps in float32
DIRECTIONS = 3


def gradient_fault(exercise, run: Run, rng: np.random.Generator) -> Verdict | None:
    """The verdict on wrong gradients of ``(output * probe).sum()`` for the first call of an object; None if they are right.

    The gradient is compared with the reference's slope along a few random directions through all weights and inputs together.
    If one differs, each weight and input is compared by itself, to find which.
    """
    name, question, gradients = exercise.answer_name, run.question, run.gradients
    if gradients.get("error"):
        text = f"{gradients['error']}: {gradients.get('message', '')}"
        return faults.BACKWARD_ERROR.verdict(error=text[:1000])
    inputs = question["calls"][0]
    tied = question["tied"]
    point = {weight: value for weight, value in question["weights"].items() if weight not in tied}
    point |= {place: value for place, value in enumerate(inputs) if isinstance(value, np.ndarray) and value.dtype.kind == "f"}
    seen = {key: run.gradient(key) for key in point}

    def scalar(moved: dict) -> float:
        changed = [moved.get(place, value) for place, value in enumerate(inputs)]
        given = {**question["sizes"], **{k: v for k, v in moved.items() if isinstance(k, str)}}
        output = exercise.reference({**given, **{weight: given[other] for weight, other in tied.items()}}, *changed)
        return float((output * question["probe"]).sum())

    if _right(scalar, point, seen, list(point), rng):
        parted = run.parted(tied)
        return parted and faults.NOT_TIED.verdict(name=name, parameter=parted, other=tied[parted])
    wrong = [key for key in point if not _right(scalar, point, seen, [key], rng)]
    if not any(gradient is not None and gradient.any() for gradient in seen.values()):
        return faults.NO_GRADIENT.verdict(name=name)
    lost = [key for key in wrong if seen[key] is None or not seen[key].any()]
    names = parameters(exercise.reference)[1:]
    words = [f"`{key if isinstance(key, str) else names[key]}`" for key in (lost or wrong or list(point))[:4]]
    return (faults.DETACHED if lost else faults.WRONG_GRADIENT).verdict(name=name, parameters=listed(words))


def _right(scalar: Callable, point: dict, seen: dict, keys: Sequence, rng: np.random.Generator) -> bool:
    """Whether the gradient agrees with the slope of ``scalar`` along random directions through these weights and inputs.

    A nonlinearity such as ReLU may have its kink within the step on one side. The slope on the other side is then right.
    """
    here = scalar(point)
    for _ in range(DIRECTIONS):
        direction = {key: rng.standard_normal(point[key].shape) for key in keys}
        length = np.sqrt(sum((part**2).sum() for part in direction.values()))
        direction = {key: part / length for key, part in direction.items()}
        after, before = (
            scalar({**point, **{key: point[key] + sign * STEP * part for key, part in direction.items()}}) for sign in (1, -1)
        )
        slope = sum((seen[key] * part).sum() for key, part in direction.items() if seen[key] is not None)
        candidates = [(after - before) / 2, after - here, here - before]
        if not any(abs(slope - each / STEP) <= ATOL + RTOL * abs(each / STEP) for each in candidates):
            return False
    return True
