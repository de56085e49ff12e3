"""Attention: every query looks at every key and takes home a mixture of the values.

Shapes use one legend throughout the course: ``b`` batch, ``h`` heads, ``n`` queries, ``m`` keys, ``d`` width.
Masks are boolean, and True means "may attend". The *scores* are the dot products of queries with keys; the *weights* are
what softmax makes of them.
"""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.cache import KeyValueCache
from transformer_course.masks import causal_mask, check_mask, padding_mask
from transformer_course.positions import rotate

__all__ = ["KeyValueCache", "MultiHeadAttention", "causal_mask", "padding_mask", "scaled_dot_product_attention", "softmax"]


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
    mask: Bool[Tensor, "... n m"] | None = None,
    scale: float | None = None,
) -> tuple[Float[Tensor, "... n d_v"], Float[Tensor, "... n m"]]:
    """Mix the values, for each query, by how well its dot products match the keys: ``softmax(Q K^T * scale) V``.

    Returns ``(output, weights)``: one row of width ``d_v`` a query, and the weights, whose rows sum to 1.
    ``mask`` has two axes, or as many as the scores; where it is False, the score becomes -inf and the weight 0.
    ``scale`` is 1/sqrt(d_k) unless given; ``scale=1.0`` is unscaled attention, as in the first example by hand.

    Written out, for reading and for its weights; `torch.nn.functional.scaled_dot_product_attention` gives the same output
    from one kernel, without keeping the weights.

    Raises ValueError when the widths of query and key, or the numbers of keys and values, differ; when the mask is not
    boolean or does not fit the scores; and when it leaves a query no key at all.
    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1, equation 1; masks: section 3.2.3.
    """
    for name, x in (("query", query), ("key", key), ("value", value)):
        if x.ndim < 2 or not x.is_floating_point():
            raise ValueError(
                f"{name} needs floating-point numbers of shape (..., rows, width), saw {x.dtype} {tuple(x.shape)}"
            )
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
    scores = (query * scale) @ key.transpose(-2, -1)  # scaled first: in 16 bits the plain products may overflow
    if mask is not None:
        check_mask(mask, scores.shape)
        scores = scores.masked_fill(~mask, -math.inf)
    weights = softmax(scores)
    return weights @ value, weights


class MultiHeadAttention(nn.Module):
    """Attend ``num_heads`` times at once, each head with projections of its own, and mix what the heads bring.

    Each head has width ``d_k`` for queries and keys and ``d_v`` for values (both d_model/num_heads unless given), so
    the four products are ``d_model -> h·d_k``, ``d_model -> h·d_k``, ``d_model -> h·d_v`` and back ``h·d_v -> d_model``.
    ``dropout`` is the share of weights that are set to 0 while training; ``rotary`` turns queries and keys by their
    positions (`rotate`).

    Raises ValueError when ``num_heads`` does not divide ``d_model`` and no ``d_k`` and ``d_v`` are given, or for a dropout
    outside 0 … 1.
    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2.2.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_k: int | None = None,
        d_v: int | None = None,
        bias: bool = True,
        dropout: float = 0.0,
        rotary: bool = False,
    ):
        super().__init__()
        if num_heads < 1 or ((d_k is None or d_v is None) and d_model % num_heads):
            raise ValueError(
                f"num_heads must divide d_model, saw {num_heads} heads for d_model {d_model}; or give d_k and d_v"
            )
        if not 0 <= dropout < 1:
            raise ValueError(f"dropout is a share from 0 to below 1, saw {dropout}")
        d_k = d_model // num_heads if d_k is None else d_k
        d_v = d_model // num_heads if d_v is None else d_v
        self.d_model, self.num_heads, self.dropout, self.rotary = d_model, num_heads, dropout, rotary
        self.w_q = nn.Linear(d_model, num_heads * d_k, bias)
        self.w_k = nn.Linear(d_model, num_heads * d_k, bias)
        self.w_v = nn.Linear(d_model, num_heads * d_v, bias)
        self.w_o = nn.Linear(num_heads * d_v, d_model, bias)

    def forward(
        self,
        query: Float[Tensor, "b n d"],
        key: Float[Tensor, "b m d"] | None,
        value: Float[Tensor, "b m d"] | None,
        mask: Bool[Tensor, "n m"] | Bool[Tensor, "b n m"] | Bool[Tensor, "b h n m"] | None = None,
        cache: KeyValueCache | None = None,
        return_weights: bool = False,
    ) -> Float[Tensor, "b n d"] | tuple[Float[Tensor, "b n d"], Float[Tensor, "b h n m"]]:
        """Return the outputs, and on request the weights of each head: ``(output, weights)``.

        While training, the weights are those after dropout: their rows sum to 1 only on average.

        A mask of three axes is one a sample, and serves all heads. With a ``cache``, the new keys and values join those
        of earlier calls, and all are attended to; ``key`` and ``value`` may then be None: nothing new, as when a
        decoder looks at the same memory again.

        Raises ValueError for widths other than ``d_model``, and for masks as `scaled_dot_product_attention` does.
        """
        self._check_sizes(query, key, value, cache)
        b, n = query.shape[:2]
        start = 0 if cache is None else cache.length
        m = start if key is None else start + key.shape[1]
        if mask is not None:
            one_a_sample = mask.ndim == 3
            check_mask(mask, (b, n, m) if one_a_sample else (b, self.num_heads, n, m))
            mask = mask.unsqueeze(1) if one_a_sample else mask
        q = self._split(self.w_q(query))
        k, v = (None, None) if key is None else (self._split(self.w_k(key)), self._split(self.w_v(value)))
        if self.rotary:
            q = rotate(q, torch.arange(start, start + n, device=q.device))
            k = k if k is None else rotate(k, torch.arange(start, m, device=k.device))
        if cache is not None:
            k, v = cache.contents() if k is None else cache.extend(k, v)
        dropout = self.dropout if self.training else 0.0
        if not return_weights:  # one kernel, which computes block by block and never holds all weights at once
            return self._merge(F.scaled_dot_product_attention(q, k, v, mask, dropout))
        output, weights = scaled_dot_product_attention(q, k, v, mask)
        if dropout:
            weights = F.dropout(weights, dropout)
            output = weights @ v
        return self._merge(output), weights

    def _split(self, x: Float[Tensor, "b n h*d"]) -> Float[Tensor, "b h n d"]:
        """Give each head its own consecutive columns."""
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def _merge(self, x: Float[Tensor, "b h n d"]) -> Float[Tensor, "b n d"]:
        """Lay the heads' outputs side by side again, and mix them."""
        return self.w_o(x.transpose(1, 2).flatten(2))

    def _check_sizes(self, query: Tensor, key: Tensor | None, value: Tensor | None, cache: KeyValueCache | None) -> None:
        if (key is None) != (value is None) or (key is None and (cache is None or not cache.length)):
            raise ValueError("key and value may be None only together, and only with a cache that holds some already")
        for name, x in (("query", query), ("key", key), ("value", value)):
            if x is not None and (x.ndim != 3 or x.shape[-1] != self.d_model):
                raise ValueError(f"{name} needs the shape (b, n, d_model = {self.d_model}), saw {tuple(x.shape)}")
        if key is not None and (key.shape != value.shape or key.shape[0] != query.shape[0]):
            raise ValueError(
                f"query, key and value need one batch, and every key one value, "
                f"saw {tuple(query.shape)}, {tuple(key.shape)} and {tuple(value.shape)}"
            )
