"""Alternative attention weights with the same output: how different can they be?

Shapes: ``b`` batch, ``h`` heads, ``n`` queries, ``m`` keys, ``d`` width of a value.
"""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from transformer_course.attention import MultiHeadAttention, scaled_dot_product_attention
from transformer_course.family import GPT
from transformer_course.inspection import attentions, hooked


def alternative_weights(weights: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return weights (m,) with the same weighted sum of ``values`` (m, d), with the largest weight reduced as far as we can.

    Among all directions that change neither the output nor the sum of the weights, follow the one in which the largest
    weight falls fastest, until some weight is 0. Repeat with the remaining weights until no such direction is left. There is
    none to begin with unless m > d + 1 (or some values are weighted averages of others). The computation is in float64.

    Source: Brunner et al. 2020, "On Identifiability in Transformers".
    """
    found, largest = weights.astype(float), int(weights.argmax())
    fixed = np.column_stack([values, np.ones(len(values))])  # what must not change: the output and the sum
    free = found > 0
    while free[largest]:
        kept = fixed[free]
        downhill = -(np.flatnonzero(free) == largest).astype(float)
        direction = downhill - kept @ np.linalg.lstsq(kept, downhill, rcond=None)[0]  # the part that changes neither
        if np.abs(direction).max() < 1e-9:
            break
        falling = direction < -1e-12
        steps = found[free][falling] / -direction[falling]
        indices = np.flatnonzero(free)
        found[indices] += steps.min() * direction
        emptied = indices[falling][steps.argmin()]
        found[emptied], free[emptied] = 0.0, False
    return found


def head_rows(model: GPT, tokens: Tensor) -> list[list[tuple[np.ndarray, np.ndarray]]]:
    """Return the attention weights (m,) at the last position and the values (m, d), for each layer and head.

    ``tokens`` is one sequence, (m,). The model should be in float64.
    """
    rows = []
    with torch.no_grad(), hooked(attentions(model), before=lambda module, args: rows.append(_last_rows(module, args))):
        model(tokens[None])
    return rows


@torch.no_grad()
def logits_with_weights(model: GPT, tokens: Tensor, choose: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Tensor:
    """Return the logits at the last position if every head uses the weights ``choose(weights, values)`` there.

    ``choose`` is called in the order of `head_rows`, layer by layer. Each layer reads the changed outputs of those before it.
    """

    def replace(attention, args, output):
        heads = np.concatenate([choose(weights, values) @ values for weights, values in _last_rows(attention, args)])
        output = output.clone()
        output[0, -1] = attention.w_o(torch.from_numpy(heads))
        return output

    with hooked(attentions(model), after=replace):
        return model(tokens[None])[0, -1]


def _last_rows(attention: MultiHeadAttention, args: tuple) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the last query's weights (m,) and the values (m, d) of each head, for one call of an attention module."""
    query, key, value, mask = args[:4]
    inputs = (attention.w_q, query), (attention.w_k, key), (attention.w_v, value)
    q, k, v = (linear(x).unflatten(-1, (attention.num_heads, -1)).transpose(1, 2) for linear, x in inputs)
    weights = scaled_dot_product_attention(q, k, v, mask)[1]
    return [(w[-1].numpy(), v.numpy()) for w, v in zip(weights[0], v[0], strict=True)]
