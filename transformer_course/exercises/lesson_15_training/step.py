"""Sheet 15: the lines of one training step, shuffled, with some that do not belong."""

import numpy as np

from ..kinds import ParsonsProblem
from ..kinds.parsons_problem import lacks, uses
from ..toolkit import known

LINES = {
    "A": "w = w - rate * grad",
    "B": "grad = np.clip(grad, -1.0, 1.0)",
    "C": "grad = np.zeros_like(w)",
    "D": "w = w + rate * grad",
    "E": "grad = cut(grad, 1.0)",
    "F": "grad = grad / len(y)",
    "G": "rate = 0.5 * (steps - step) / steps",
    "H": "grad = grad + backward(w, x, y)",
}

GIVEN = '''\
def backward(w, x, y):
    """The gradient of the mean squared error of x @ w."""
    return 2 * x.T @ (x @ w - y) / len(y)


def cut(grad, most):
    """The same direction, with a length of at most `most`."""
    return grad * min(1, most / np.sqrt((grad**2).sum()))
'''


def one_step(w, grad, x, y, step, steps):
    fresh = 2 * x.T @ (x @ w - y) / len(y)
    length = np.linalg.norm(fresh)
    return w - 0.5 * (1 - step / steps) * fresh / max(1.0, length)


def _draw(rng):
    def sized(rows, width, step):
        x, w = rng.integers(-3, 4, (rows, width)).astype(float), rng.integers(-2, 3, width).astype(float)
        x[:, 0], w[0] = 2.0, 1.0
        y = x @ w - 3 - rng.integers(0, 3, rows)  # every prediction is too large, so the gradient is long
        return {"w": w, "grad": rng.integers(2, 6, width).astype(float), "x": x, "y": y, "step": step, "steps": 8}

    return [sized(5, 3, 2), sized(4, 2, 5)]


def _after(first: str, second: str):
    """Whether both lines are there, and the first one comes later."""
    return lambda order: first in order and second in order and order.index(first) > order.index(second)


step = ParsonsProblem(
    id="training.step",
    prompt="The lines of one training step in order, with three lines left out.",
    lines=LINES,
    needed=5,
    draw=_draw,
    reference=one_step,
    result="w",
    given=GIVEN,
    why="Gradients add up, so the old one is cleared first, and clipping has to come between the backward pass and the step.",
    hints=(
        "Begin at the end: the step that changes w needs a finished gradient and a learning rate.",
        "`grad` still holds the gradient of the previous batch, and H adds to it. What has to happen first?",
        "Clip the new gradient before the step. B looks like E and D looks like A, so use only one of each pair. F divides by "
        "a number that `backward` has already divided by.",
    ),
    mistakes={
        "line D: uphill": uses(
            "Line D moves w in the direction of the gradient, where the loss increases.",
            "Which other line changes w?",
            D=["CHEGD"],
        ),
        "line B: each number clipped by itself": uses(
            "Line B clips each number of the gradient by itself. Large numbers shrink and small ones do not, so the gradient "
            "changes its direction.",
            "Which other line makes the gradient shorter, but keeps its direction?",
            B=["CHBGA"],
        ),
        "line F: divided twice": uses(
            "Line F divides by the size of the batch. The loss is a mean, so `backward` has already done that.",
            "Read the last line of `backward`. Is anything left to divide by?",
            F=["CHFEGA", "CHFGA"],
        ),
        "the new gradient thrown away": known(
            "Line C comes after line H, so it deletes the gradient that H has just added, and the step does not change w.",
            "Which gradient should C delete: that of this batch, or of the previous one?",
            *map(list, ("HCEGA", "HECGA", "GHECA")),
            recognise=lambda order: _after("C", "H")(order) and _after("A", "C")(order),
        ),
        "the old gradient kept": known(
            "When the step is taken, `grad` still contains the gradient of the previous batch: H adds to it and does "
            "not replace it.",
            "Which line sets `grad` to zero? Put it before H.",
            *map(list, ("HEGAC", "HEGA")),
            recognise=lacks("C", before="H"),
        ),
        "the step before the gradient": known(
            "Line A takes the step before line H has computed the gradient of this batch.",
            "What does line A need before it can run?",
            *map(list, ("CGAHE", "CGEAH")),
            recognise=_after("H", "A"),
        ),
        "clipped too late": known(
            "Line A takes its step with a gradient that line E has not clipped yet.",
            "Put line E before line A.",
            *map(list, ("CHGAE", "CHGA")),
            recognise=lacks("E", before="A"),
        ),
        "clipped too early": known(
            "Line E clips before line H has added the new gradient, so it clips the old one, or zeros.",
            "Which gradient should be clipped? Wait until it is there.",
            *map(list, ("CEHGA", "CGEHA")),
            recognise=_after("H", "E"),
        ),
    },
)
