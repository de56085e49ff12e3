"""Three tokens in the plane. The reader drags them, and self-attention follows."""

from collections.abc import Sequence

import numpy as np
import torch

from transformer_course import figures
from transformer_course.attention import scaled_dot_product_attention
from transformer_course.figures.style import inks

from .explorable import Explorable, explorable


def drag_tokens(tokens, names: Sequence[str]) -> Explorable:
    """Show three tokens (3, 2) to drag, with their self-attention: scores, weights, outputs, and the hull of the tokens.

    Queries, keys and values are the tokens themselves. A switch divides the scores by √2, as √d is for two numbers.

    Raises ValueError unless there are three tokens of two finite numbers, and a name for each.
    """
    tokens = np.asarray(tokens, dtype=float)
    if tokens.shape != (3, 2) or not np.isfinite(tokens).all() or len(names) != 3:
        raise ValueError(
            f"drag_tokens expects three tokens of two numbers, (3, 2), and three names, got {tokens.shape}, {names}"
        )
    outputs, weights = scaled_dot_product_attention(*[torch.from_numpy(tokens)] * 3, scale=1.0)
    left, right = figures.panels(2, 4.2, 3.8)
    figures.plane(tokens, outputs, names, "Tokens and outputs", hull=True, ax=left)
    figures.heatmap(weights, names, names, "Weights", ax=right)
    content = {"tokens": tokens.tolist(), "names": list(names), "inks": inks(names)}
    return explorable("drag_tokens", content, left.figure)
