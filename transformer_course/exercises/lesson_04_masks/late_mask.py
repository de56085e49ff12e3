"""Sheet 04: an input on which a mask after softmax, though right on paper, goes wrong in the computer."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Counterexample
from ..toolkit import softmax


def masked_weights(scores, mask):
    return softmax(np.where(mask, scores, -np.inf))


def _masked_late(scores, mask):
    weights = softmax(scores) * mask
    return weights / weights.sum(-1, keepdims=True)


def _invalid(scores, mask):
    if scores.ndim == 0 or scores.size == 0:
        return f"`scores` should be a table (n, m) or a row (m,), and has shape {scores.shape}."
    if mask.shape != scores.shape:
        return f"`mask` should have the shape of `scores`, {scores.shape}, and has {mask.shape}."
    if not np.isin(mask, (0, 1)).all():
        return "`mask` should hold True and False (or 1 and 0), and holds other numbers."
    if not mask.any(-1).all():
        return "Each row needs at least one True. A row masked whole has no right answer, so the two cannot differ on it."
    if np.abs(scores).max() > 1e6:
        return "Please keep all scores between −1,000,000 and 1,000,000."
    return None


def _margin(scores, mask) -> float:
    """By how much a forbidden score is above the largest allowed one of its row, at most over all rows."""
    allowed, forbidden = (np.where(kept, scores, -np.inf).max(-1) for kept in (mask > 0, mask == 0))
    return float((forbidden - allowed).max())  # -inf where nothing is forbidden


late_mask = Counterexample(
    id="attention.late_mask",
    answer_name="trap",
    prompt="Scores and a mask on which masking after softmax goes wrong, though it is right on paper.",
    faulty=_masked_late,
    reference=masked_weights,
    invalid=_invalid,
    why=(
        "Softmax runs before the mask, so if a forbidden score is much larger, the allowed weights are already rounded to "
        "0, and 0 / 0 is not a number."
    ),
    hints=(
        "On paper, dividing by the row's new sum makes it right. So what can become of that sum in the computer?",
        "Softmax comes first, with all scores. Which score makes the weights of all others exactly 0?",
        "exp of −1000 is exactly 0 in the computer. Let a forbidden score be 1000 above every allowed one of its row.",
    ),
    mistakes=(
        Mistake(
            "nothing forbidden",
            "Your mask is True throughout. Multiplying by it changes nothing, and dividing by a sum of 1 neither.",
            "Forbid at least one key.",
            ([[1000.0, 0.0, -1000.0]], [[True, True, True]]),
            recognise=lambda scores, mask: mask.all(),
        ),
        Mistake(
            "no forbidden score is the largest",
            "In each row, the largest score is an allowed one (or shared by one). The allowed weights then have a sum that is "
            "far from 0, and dividing by it gives right weights.",
            "It is not the size of the scores that matters, since softmax subtracts the largest first, but which of them is the "
            "largest.",
            ([[1000.0, 999.0, -1000.0]], [[True, True, False]]),
            variants=(([[5.0, 5.0]], [[True, False]]), ([1.0, 2.0, 0.5], [1, 1, 0])),
            recognise=lambda scores, mask: _margin(scores, mask) <= 0,
        ),
        Mistake(
            "not far enough above",
            "You have seen where it breaks: a forbidden score lies above the allowed ones. But not by enough. Even exp(−700) is "
            "not yet 0, and dividing by the sum of such tiny numbers still gives right weights, to many digits.",
            "How far must exp go down before the computer holds exactly 0? Try np.exp(-700.0) and np.exp(-800.0).",
            ([[100.0, 1.0, 0.0]], [[False, True, True]]),
            variants=(([10.0, 1.0], [0, 1]), ([[0.0, -700.0, -701.0]], [[False, True, True]])),
            recognise=lambda scores, mask: _margin(scores, mask) < 760,
        ),
    ),
)
