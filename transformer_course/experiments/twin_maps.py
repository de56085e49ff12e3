"""Other attention weights with the same output: how far can one go?

Shapes: ``n`` queries, ``m`` keys, ``d`` width of a value.
"""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from transformer_course.attention import MultiHeadAttention, scaled_dot_product_attention
from transformer_course.family import GPT


def twin(weights: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return weights (m,) that mix the ``values`` (m, d) into the same output, with as little as we get for the largest one.

    It walks: of all directions that change neither the output nor the sum, the one that takes most from the largest weight,
    until a weight is 0; then the same with the others. Where no such direction is left, it stops; that is at once unless
    m > d + 1 (or values are mixtures of one another). In float64.

    Source: Brunner et al. 2020, "On Identifiability in Transformers".
    """
    found, largest = weights.astype(float), int(weights.argmax())
    fixed = np.column_stack([values, np.ones(len(values))])  # what must stay: each number of the output, and the sum
    free = found > 0
    while free[largest]:
        kept = fixed[free]
        wish = -(np.flatnonzero(free) == largest).astype(float)
        direction = wish - kept @ np.linalg.lstsq(kept, wish, rcond=None)[0]  # the part of the wish that changes neither
        if np.abs(direction).max() < 1e-9:
            break
        falling = direction < -1e-12
        steps = found[free][falling] / -direction[falling]
        places = np.flatnonzero(free)
        found[places] += steps.min() * direction
        emptied = places[falling][steps.argmin()]
        found[emptied], free[emptied] = 0.0, False
    return found


def head_rows(model: GPT, tokens: Tensor) -> list[list[tuple[np.ndarray, np.ndarray]]]:
    """Return, for each layer and head, the last place's weights (m,) and the values (m, d) that it mixes.

    ``tokens`` is one text, (m,); take a model in float64.
    """
    rows = []

    def note(attention, arguments):
        weights, values = _inside(attention, *arguments[:4])
        rows.append([(w[-1].numpy(), v.numpy()) for w, v in zip(weights[0], values[0], strict=True)])

    _run(model, tokens, lambda attention: attention.register_forward_pre_hook(note))
    return rows


def logits_with_other(model: GPT, tokens: Tensor, other: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Tensor:
    """Return the logits at the last place, when each head of each layer mixes by ``other(weights, values)`` there.

    The heads are asked in the order of `head_rows`, layer by layer; each layer reads what the ones before it made.
    """

    def exchange(attention, arguments, output):
        weights, values = _inside(attention, *arguments[:4])
        rows = [(w[-1].numpy(), v.numpy()) for w, v in zip(weights[0], values[0], strict=True)]
        mixed = np.concatenate([other(w, v) @ v for w, v in rows])
        output = output.clone()
        output[0, -1] = attention.w_o(torch.from_numpy(mixed))
        return output

    return _run(model, tokens, lambda attention: attention.register_forward_hook(exchange))


@torch.no_grad()
def _run(model: GPT, tokens: Tensor, hook) -> Tensor:
    """The logits at the last place, while every attention has this hook."""
    hooks = [hook(part) for part in model.modules() if isinstance(part, MultiHeadAttention)]
    try:
        return model(tokens[None])[0, -1]
    finally:
        for each in hooks:
            each.remove()


def _inside(attention: MultiHeadAttention, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """The weights (b, h, n, m) and the values (b, h, m, d) of each head."""
    maps = (attention.w_q, query), (attention.w_k, key), (attention.w_v, value)
    q, k, v = (linear(x).unflatten(-1, (attention.num_heads, -1)).transpose(1, 2) for linear, x in maps)
    return scaled_dot_product_attention(q, k, v, mask)[1], v
