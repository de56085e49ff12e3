"""One row of random scores at several widths: the reader switches the division by √d_k on and off."""

from collections.abc import Mapping

import numpy as np
import torch

from transformer_course import figures
from transformer_course.attention import softmax

from .explorable import Explorable, explorable


def scale(scores: Mapping[int, object]) -> Explorable:
    """Show softmax of random scores as bars, with the slope of each weight.

    ``scores`` maps each d_k to undivided scores (draws, m), of the same shape for all of them. The reader chooses d_k and the
    draw, and whether the scores are divided by √d_k.

    Raises ValueError unless all scores are finite and of one shape (draws, m).
    """
    rows = {int(d_k): np.asarray(each, dtype=float).round(3) for d_k, each in scores.items()}
    shapes = {each.shape for each in rows.values()}
    if len(shapes) != 1 or len(min(shapes)) != 2 or not all(np.isfinite(each).all() for each in rows.values()):
        raise ValueError(f"scale expects finite scores of one shape (draws, m) for each d_k, got shapes {sorted(shapes)}")
    widest = max(rows)
    row = torch.from_numpy(rows[widest][0])
    left, right = figures.panels(2, 4.2, 3.0)
    figures.bars(softmax(row), title=f"q·k, d_k = {widest}", ax=left)
    figures.bars(softmax(row / np.sqrt(widest)), title=f"q·k / √d_k, d_k = {widest}", ax=right)
    return explorable("scale", {"widths": list(rows), "scores": [each.tolist() for each in rows.values()]}, left.figure)
