"""A model's next token: the reader changes temperature, top-k and top-p, and draws."""

from collections.abc import Sequence

import numpy as np
import torch

from transformer_course import figures
from transformer_course.decoding import next_token_distribution
from transformer_course.figures.style import array

from .explorable import Explorable, explorable

SHOWN = 12  # of the most probable tokens, by name
IN_PICTURE = 5


def next_token(texts: Sequence[str], tokens: Sequence[str], logits) -> Explorable:
    """Show a model's distribution over the next token after each of these ``texts`` (s).

    ``logits`` (s, v) are stored with two digits after the point. ``tokens`` (v) are their names. The reader sets temperature,
    top-k and top-p as in `next_token_distribution`, sees which tokens are cut, and draws 1,000 times.

    Raises ValueError unless there is a row of finite logits for each text, and a logit for each token.
    """
    logits = array(logits).astype(float)
    if logits.shape != (len(texts), len(tokens)) or not np.isfinite(logits).all():
        given = f"{logits.shape} for {len(texts)} texts and {len(tokens)} tokens"
        raise ValueError(f"next_token expects finite logits, one row per text and one column per token, got {given}")
    order = np.argsort(-logits, axis=1, kind="stable")
    ranked = np.take_along_axis(logits, order, axis=1).round(2)
    names = [[tokens[i].replace("\n", "\\n").strip() for i in row[:SHOWN]] for row in order]
    axes = figures.panels(len(texts), 3.2, 3.0)
    for text, row, labels, ax in zip(texts, ranked, names, axes, strict=True):
        values = next_token_distribution(torch.from_numpy(row))[:IN_PICTURE]
        staggered = ["\n" * (k % 2) + label for k, label in enumerate(labels[:IN_PICTURE])]
        figures.bars(values, staggered, f"… {' '.join(text.split()[-3:])} …", labels="%.2f", ax=ax)
    return explorable("next_token", {"texts": list(texts), "names": names, "logits": ranked.tolist()}, axes[0].figure)
