"""Three tokens in the plane. The reader drags them, and self-attention follows, row by row."""

from collections.abc import Sequence

import numpy as np
import torch

from transformer_course import figures
from transformer_course.attention import softmax
from transformer_course.figures.style import inks

from .explorable import Explorable, explorable


def drag_tokens(tokens, names: Sequence[str], outputs: bool = True, goal: float = 0) -> Explorable:
    """Show three tokens (3, 2) to drag, and the scores and weights of the first one as a query.

    The reader may choose a different query or, with ``outputs``, all of them with their outputs and the hull of the tokens.
    Queries, keys and values are the tokens themselves, and the scores are not divided by √d. With a ``goal``, only the first
    row is shown, and the sentence below it says when its weight for the second token is greater than that.

    Raises ValueError unless there are three tokens of two finite numbers, and a name for each.
    """
    tokens = np.asarray(tokens, dtype=float)
    if tokens.shape != (3, 2) or not np.isfinite(tokens).all() or len(names) != 3:
        raise ValueError(
            f"drag_tokens expects three tokens of two numbers, (3, 2), and three names, got {tokens.shape}, {names}"
        )
    left, right = figures.panels(2, 4.2, 3.8)
    figures.plane(tokens, names=names, title="Tokens", ax=left)
    figures.heatmap(softmax(torch.from_numpy(tokens[:1] @ tokens.T)), names[:1], names, f"Weights of {names[0]}", ax=right)
    content = {"tokens": tokens.tolist(), "names": list(names), "inks": inks(names), "outputs": outputs, "goal": goal}
    return explorable("drag_tokens", content, left.figure)
