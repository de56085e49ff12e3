"""Sheet 04: an input on which a mask after softmax, though right on paper, goes wrong on a computer."""

import numpy as np

from ..families.attention import masking
from ..families.mask import shared_out_again
from ..kinds import Counterexample
from ..toolkit import known

masked_weights = masking()


def _invalid(scores, mask):
    if scores.ndim == 0 or scores.size == 0:
        return f"`scores` should be a matrix (n, m) or a row (m,), but has shape {scores.shape}."
    if mask.shape != scores.shape:
        return f"`mask` should have the shape of `scores`, {scores.shape}, but has {mask.shape}."
    if not np.isin(mask, (0, 1)).all():
        return "`mask` should hold True and False (or 1 and 0), but holds other numbers."
    if not mask.any(-1).all():
        return (
            "Each row needs at least one True. A row that is fully masked has no right answer, so the two "
            "programs cannot differ on it."
        )
    if np.abs(scores).max() > 1e6:
        return "Please keep all scores between −1,000,000 and 1,000,000."
    return None


def _margin(scores, mask) -> float:
    """By how much a forbidden score is above the largest allowed one of its row, at most over all rows."""
    allowed, forbidden = (np.where(kept, scores, -np.inf).max(-1) for kept in (mask > 0, mask == 0))
    return float((forbidden - allowed).max())  # -inf where nothing is forbidden


late_mask = Counterexample(
    id="attention.late_mask",
    prompt="Scores and a mask on which masking after softmax goes wrong, although it is right on paper.",
    faulty=shared_out_again(),
    reference=masked_weights,
    invalid=_invalid,
    why=(
        "Softmax runs before the mask, so if a forbidden score is much larger, the allowed weights are already rounded to "
        "0, and 0 / 0 is not a number."
    ),
    hints=(
        "On paper, dividing by the row's new sum repairs it. What can happen to that sum on a computer?",
        "Softmax comes first, with all the scores. Which score makes the weights of all the others exactly 0?",
        "exp(−1000) is exactly 0 on a computer. Let a forbidden score be 1000 above every allowed one of its row.",
    ),
    mistakes={
        "nothing forbidden": known(
            "Your mask is True everywhere. Multiplying by it changes nothing, and neither does dividing by a sum of 1.",
            "Forbid at least one key.",
            ([[1000.0, 0.0, -1000.0]], [[True, True, True]]),
            recognise=lambda scores, mask: mask.all(),
        ),
        "no forbidden score is the largest": known(
            "In each of your rows, an allowed score is the largest (or equal to the largest). So the sum of the "
            "allowed weights is far from 0, and dividing by it gives the right weights.",
            "The size of the scores does not matter, because softmax subtracts the largest one first. What matters "
            "is which of them is the largest.",
            ([[1000.0, 999.0, -1000.0]], [[True, True, False]]),
            ([[5.0, 5.0]], [[True, False]]),
            ([1.0, 2.0, 0.5], [1, 1, 0]),
            recognise=lambda scores, mask: _margin(scores, mask) <= 0,
        ),
        "not far enough above": known(
            "Your input has a forbidden score above the allowed ones, which is what it takes. But it is not far enough above "
            "them. Even exp(−700) is not 0, and dividing by the sum of such tiny numbers still gives the right "
            "weights, to many digits.",
            "How small must exp become before the computer stores exactly 0? Try np.exp(-700.0) and np.exp(-800.0).",
            ([[100.0, 1.0, 0.0]], [[False, True, True]]),
            ([10.0, 1.0], [0, 1]),
            ([[0.0, -700.0, -701.0]], [[False, True, True]]),
            recognise=lambda scores, mask: _margin(scores, mask) < 760,
        ),
    },
)
