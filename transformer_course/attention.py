"""Attention: compare each query with every key, and return a weighted average of the values.

The file climbs from the formula, written out, to several heads with masks, positions and a cache, computed in one kernel.

Shapes use the same letters throughout the course: ``b`` batch, ``h`` heads, ``n`` queries, ``m`` keys, ``d`` width.
Masks are boolean; True means "may attend". The *scores* are the dot products of queries and keys. Softmax turns them into
*weights*.
"""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.cache import KeyValueCache
from transformer_course.masks import causal_mask, check_mask, padding_mask
from transformer_course.positions import Scheme, scheme

__all__ = ["KeyValueCache", "MultiHeadAttention", "causal_mask", "padding_mask", "scaled_dot_product_attention", "softmax"]


def softmax(scores: Float[Tensor, "..."], dim: int = -1) -> Float[Tensor, "..."]:
    """Turn scores into positive weights that sum to 1 along ``dim``: ``exp(s_j) / sum_k exp(s_k)``.

    The scores can have any shape and any finite values. The weights have the same shape, and no unit. Adding the same
    number to every score along ``dim`` does not change the weights, so the largest score is subtracted first to keep
    ``exp`` from overflowing.

    Raises ValueError if the scores are not floating-point.
    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1.
    """
    if not scores.is_floating_point():
        raise ValueError(f"softmax expects floating-point scores, got {scores.dtype}; try scores.float()")
    exponentials = torch.exp(scores - scores.amax(dim, keepdim=True))
    return exponentials / exponentials.sum(dim, keepdim=True)


def scaled_dot_product_attention(
    query: Float[Tensor, "... n d_k"],
    key: Float[Tensor, "... m d_k"],
    value: Float[Tensor, "... m d_v"],
    mask: Bool[Tensor, "... n m"] | None = None,
    scale: float | None = None,
    bias: Float[Tensor, "... n m"] | None = None,
) -> tuple[Float[Tensor, "... n d_v"], Float[Tensor, "... n m"]]:
    """Compute scaled dot-product attention: ``softmax(Q K^T * scale) V``.

    Returns ``(output, weights)``: one output row of width ``d_v`` per query, and the weights, whose rows sum to 1.
    ``scale`` defaults to 1/sqrt(d_k); ``scale=1.0`` gives unscaled attention, as in the first hand-worked example. ``bias`` is
    added to the scaled scores. ``mask`` has two axes, or as many as the scores. Where it is False, the score becomes -inf and
    the weight 0.

    Written out so that you can read it and inspect the weights. `torch.nn.functional.scaled_dot_product_attention`
    computes the same output in one kernel, without keeping the weights.

    Raises ValueError if query and key differ in width, if there are not as many values as keys, if the mask is not boolean
    or leaves a query with no key, or if mask or bias do not fit the scores.
    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1, equation 1; masks: section 3.2.3.
    """
    _check_rows(query, key, value)
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)  # scaled first: unscaled products may overflow in 16 bits
    weights = softmax(_adjusted(scores, mask, bias))
    return weights @ value, weights


def _adjusted(scores: Tensor, mask: Tensor | None, bias: Tensor | None) -> Float[Tensor, "... n m"]:
    """Add the bias to the scores, and replace them by -inf where the mask is False."""
    if bias is not None:
        sizes = [*zip(reversed(bias.shape), reversed(scores.shape), strict=False)]  # from the last axis to the first
        if not bias.is_floating_point() or bias.ndim > scores.ndim or any(size not in (1, fits) for size, fits in sizes):
            raise ValueError(
                f"a bias must be floating-point and have the shape of the scores {tuple(scores.shape)}, or axes of length 1, "
                f"got {bias.dtype} {tuple(bias.shape)}"
            )
        scores = scores + bias
    if mask is not None:
        check_mask(mask, scores.shape)
        scores = scores.masked_fill(~mask, -math.inf)
    return scores


def _check_rows(query: Tensor, key: Tensor, value: Tensor) -> None:
    for name, x in (("query", query), ("key", key), ("value", value)):
        if x.ndim < 2 or not x.is_floating_point():
            raise ValueError(
                f"{name} must be a floating-point tensor of shape (..., rows, width), got {x.dtype} {tuple(x.shape)}"
            )
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"query and key must have the same width d_k, got {tuple(query.shape)} and {tuple(key.shape)}; "
            "project both to the same width first"
        )
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"every key needs one value, got {key.shape[-2]} keys {tuple(key.shape)} and "
            f"{value.shape[-2]} values {tuple(value.shape)}; compute both from the same tokens"
        )


class MultiHeadAttention(nn.Module):
    """Run ``num_heads`` attention heads in parallel, each with its own projections, and combine their outputs.

    Each head has width ``d_k`` for queries and keys and ``d_v`` for values; both default to d_model/num_heads. The
    projections map ``d_model -> h·d_k`` (queries, keys), ``d_model -> h·d_v`` (values) and ``h·d_v -> d_model``
    (output). ``dropout`` is the fraction of weights set to 0 during training. ``positions`` is a `Scheme` of positions or its
    name: "rotary" and "alibi" work here, in self-attention; the others leave attention as it is. ``rotary=True`` is an older
    way to write ``positions="rotary"``.

    Raises ValueError unless ``num_heads`` divides ``d_model`` or both ``d_k`` and ``d_v`` are given, if ``dropout`` is not in
    [0, 1), or if ``positions`` is unknown or does not fit the widths.
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
        positions: str | Scheme = "none",
    ):
        super().__init__()
        if num_heads < 1 or ((d_k is None or d_v is None) and d_model % num_heads):
            raise ValueError(
                f"num_heads must divide d_model, got {num_heads} heads for d_model {d_model}; "
                "choose another number, or give both d_k and d_v"
            )
        if not 0 <= dropout < 1:
            raise ValueError(f"dropout must be at least 0 and below 1, got {dropout}")
        if rotary and positions not in ("none", "rotary"):
            raise ValueError(f'rotary=True means positions="rotary", got positions={positions!r} as well; leave one out')
        d_k = d_model // num_heads if d_k is None else d_k
        d_v = d_model // num_heads if d_v is None else d_v
        self.d_model, self.num_heads, self.dropout = d_model, num_heads, dropout
        self.positions = scheme("rotary" if rotary else positions)
        self.positions.check(d_model, d_k)
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
        """Return the output, or ``(output, weights)`` with the weights of each head if ``return_weights`` is True.

        During training the weights are those after dropout, so their rows sum to 1 only on average.

        A mask with three axes holds one mask per sample, which all heads share. With a ``cache``, the new keys and values
        are appended to those of earlier calls, and the queries attend to all of them. ``key`` and ``value`` may then be
        None: there is nothing to append, as when a decoder attends to the same memory again.

        Raises ValueError if a width is not ``d_model``, for the masks that `scaled_dot_product_attention` rejects, and if
        positions that work in attention get queries that are not the new keys' own tokens.
        """
        self._check_sizes(query, key, value, cache)
        start = 0 if cache is None else cache.length  # how many tokens came before these
        mask = self._mask_of_heads(mask, query, start if key is None else start + key.shape[1])
        q = self._split(self.w_q(query))
        k, v = (None, None) if key is None else (self._split(self.w_k(key)), self._split(self.w_v(value)))
        bias = None
        if self.positions.in_attention:
            q, k, bias = self._with_positions(q, k, start)
        if cache is not None:
            k, v = cache.contents() if k is None else cache.extend(k, v)
        return self._attend(q, k, v, mask, bias, return_weights)

    def _split(self, x: Float[Tensor, "b n h*d"]) -> Float[Tensor, "b h n d"]:
        """Give each head its own block of consecutive columns."""
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def _merge(self, x: Float[Tensor, "b h n d"]) -> Float[Tensor, "b n d"]:
        """Concatenate the heads' outputs, and apply the output projection."""
        return self.w_o(x.transpose(1, 2).flatten(2))

    def _attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, bias: Tensor | None, return_weights: bool):
        """Attend in each head, and merge: in one kernel, or step by step if the weights are wanted. Both give the same."""
        dropout = self.dropout if self.training else 0.0
        if not return_weights:  # the kernel works block by block and never holds all the weights
            if bias is not None:  # the kernel takes a mask or a bias: a bias of -inf hides a key as a mask does
                mask = bias if mask is None else bias.masked_fill(~mask, -math.inf)
            return self._merge(F.scaled_dot_product_attention(q, k, v, mask, dropout))
        output, weights = scaled_dot_product_attention(q, k, v, mask, bias=bias)
        if dropout:
            weights = F.dropout(weights, dropout)
            output = weights @ v
        return self._merge(output), weights

    def _with_positions(self, q: Tensor, k: Tensor, start: int) -> tuple[Tensor, Tensor, Tensor | None]:
        """Return queries and keys as the scheme compares them, and the bias of all scores. New tokens begin at ``start``."""
        end = start + q.shape[2]
        every = torch.arange(end, device=q.device)
        new = every[start:]
        bias = self.positions.bias(self.num_heads, new, every)
        bias = None if bias is None else bias.to(q.dtype)[None]  # (1, h, n, m): the same for each sample
        return self.positions.turn(q, new), self.positions.turn(k, new), bias

    def _mask_of_heads(self, mask: Tensor | None, query: Tensor, m: int) -> Tensor | None:
        """Check a mask for ``m`` keys, and give one with three axes an axis for the heads."""
        if mask is None:
            return None
        b, n = query.shape[:2]
        per_sample = mask.ndim == 3
        check_mask(mask, (b, n, m) if per_sample else (b, self.num_heads, n, m))
        return mask.unsqueeze(1) if per_sample else mask

    def _check_sizes(self, query: Tensor, key: Tensor | None, value: Tensor | None, cache: KeyValueCache | None) -> None:
        if (key is None) != (value is None) or (key is None and (cache is None or not cache.length)):
            raise ValueError("key and value can be None only together, and only with a cache that is not empty")
        for name, x in (("query", query), ("key", key), ("value", value)):
            if x is not None and (x.ndim != 3 or x.shape[-1] != self.d_model):
                raise ValueError(f"{name} must have shape (b, n, d_model = {self.d_model}), got {tuple(x.shape)}")
        if key is not None and (key.shape != value.shape or key.shape[0] != query.shape[0]):
            raise ValueError(
                f"query, key and value must have the same batch size, and every key needs one value, "
                f"got {tuple(query.shape)}, {tuple(key.shape)} and {tuple(value.shape)}"
            )
        if self.positions.in_attention and (key is None or key.shape[1] != query.shape[1]):
            keys = "no new keys" if key is None else f"{key.shape[1]} keys"
            raise ValueError(
                f"{type(self.positions).__name__} positions need queries and keys of the same tokens (self-attention), "
                f"got {query.shape[1]} queries and {keys}; for cross-attention, leave positions out"
            )
