"""Attention: every query looks at every key and takes home a mixture of the values.

Shapes use one legend throughout the course: ``b`` batch, ``h`` heads, ``n`` queries, ``m`` keys, ``d`` width.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor


def softmax(scores: Float[Tensor, "..."], dim: int = -1) -> Float[Tensor, "..."]:
    """Turn scores into positive weights that sum to 1 along ``dim``: ``exp(s_j) / sum_k exp(s_k)``.

    Any shape, any finite scores; the result has the same shape and no unit. Adding the same number to every score
    along ``dim`` changes nothing, so the largest is subtracted first: ``exp`` then never overflows.

    Raises ValueError for scores that are not floating-point.
    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1.
    """
    if not scores.is_floating_point():
        raise ValueError(f"softmax expects floating-point scores, saw {scores.dtype}; try scores.float()")
    exponentials = torch.exp(scores - scores.amax(dim, keepdim=True))
    return exponentials / exponentials.sum(dim, keepdim=True)


def scaled_dot_product_attention(
    query: Float[Tensor, "... n d_k"],
    key: Float[Tensor, "... m d_k"],
    value: Float[Tensor, "... m d_v"],
    scale: float | None = None,
) -> tuple[Float[Tensor, "... n d_v"], Float[Tensor, "... n m"]]:
    """Mix the values, for each query, by how well its dot products match the keys: ``softmax(Q K^T * scale) V``.

    Returns ``(output, weights)``: one row of width ``d_v`` a query, and the weights, whose rows sum to 1.
    ``scale`` is 1/sqrt(d_k) unless given; ``scale=1.0`` is unscaled attention, as in the first example by hand.

    Raises ValueError when the widths of query and key, or the numbers of keys and values, differ.
    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1, equation 1.
    """
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"query and key need the same width d_k, saw {tuple(query.shape)} and {tuple(key.shape)}; "
            "project both to one width first"
        )
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"every key needs one value, saw {key.shape[-2]} keys {tuple(key.shape)} and "
            f"{value.shape[-2]} values {tuple(value.shape)}; make both from the same tokens"
        )
    if scale is None:
        scale = 1 / math.sqrt(query.shape[-1])
    weights = softmax(query @ key.transpose(-2, -1) * scale)
    return weights @ value, weights
