"""The parts around attention (LayerNorm, feed-forward network, residual connection), and the two layers built from them.

Shapes: ``b`` batch, ``n`` tokens, ``m`` tokens of the memory, ``d`` width.
"""

from collections.abc import Callable
from functools import partial
from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.attention import MultiHeadAttention
from transformer_course.cache import KeyValueCache
from transformer_course.positions import Scheme

NormOrder = Literal["pre", "post"]
Activation = Literal["relu", "gelu", "gelu_tanh"]
ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu, "gelu_tanh": partial(F.gelu, approximate="tanh")}


def layer_norm(
    x: Float[Tensor, "... d"], gamma: Float[Tensor, "d"], beta: Float[Tensor, "d"], eps: float = 1e-5
) -> Float[Tensor, "... d"]:
    """Normalise each vector by its own mean and variance: ``gamma * (x - mean) / sqrt(variance + eps) + beta``.

    Mean and variance are computed from one token's ``d`` numbers; other tokens and samples play no part. The variance
    is the sum of squared differences from the mean, divided by d and not by d - 1. Adding ``eps`` inside the square root
    prevents division by zero when the vector is constant.

    Raises ValueError unless gamma and beta have the width of ``x``.
    Source: Ba, Kiros and Hinton 2016, "Layer Normalization", section 3, equations 3 and 4; gamma and beta are
    their gain and bias.
    """
    if gamma.shape != x.shape[-1:] or beta.shape != x.shape[-1:]:
        raise ValueError(
            f"gamma and beta must have shape {tuple(x.shape[-1:])}, the width of x, "
            f"got {tuple(gamma.shape)} and {tuple(beta.shape)}"
        )
    centred = x - x.mean(-1, keepdim=True)
    variance = (centred**2).mean(-1, keepdim=True)
    return gamma * centred / torch.sqrt(variance + eps) + beta


class LayerNorm(nn.Module):
    """Apply `layer_norm` with a learned gain and bias per dimension; gamma starts at 1 and beta at 0.

    Raises ValueError if the input's width is not ``d_model``.
    """

    def __init__(self, d_model: int, eps: float = 1e-5):
        super().__init__()
        self.gamma, self.beta = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
        self.d_model, self.eps = d_model, eps

    def forward(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... d"]:
        """Return ``x`` with each vector normalised."""
        if x.shape[-1:] != self.gamma.shape:
            raise ValueError(f"this LayerNorm expects vectors of width {len(self.gamma)}, got {tuple(x.shape)}")
        # The same as our `layer_norm`, but in one kernel and three times as fast.
        return F.layer_norm(x, x.shape[-1:], self.gamma, self.beta, self.eps)


def dropout(x: Tensor, rate: float, training: bool) -> Tensor:
    """Set a random fraction of ``x`` to 0 during training, and scale up the rest to preserve the mean (`F.dropout`)."""
    return F.dropout(x, rate) if training and rate else x  # even a call that does nothing would slow decoding down


class FeedForward(nn.Module):
    """Apply two linear maps with a nonlinearity between them to each token: ``W2 f(W1 x + b1) + b2``.

    The widths are d_model -> d_ff -> d_model. Tokens do not interact here. ``activation`` is the nonlinearity: ``"relu"``,
    which is max(0, x), or the smoother ``"gelu"``; ``"gelu_tanh"`` is GELU's approximation by tanh, which GPT-2 was trained
    with. Without a nonlinearity, the two maps would collapse into one.

    Raises ValueError for any other activation.
    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.3; Hendrycks and Gimpel 2016, "Gaussian Error Linear
    Units", section 2.
    """

    def __init__(self, d_model: int, d_ff: int, dropout: float = 0.0, activation: Activation = "relu"):
        super().__init__()
        if activation not in ACTIVATIONS:
            raise ValueError(f"activation must be one of {', '.join(ACTIVATIONS)}, got {activation!r}")
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation = ACTIVATIONS[activation]
        self.dropout = dropout

    def forward(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... d"]:
        """Return one vector of width ``d_model`` per token. Raises ValueError if the input has a different width."""
        if x.shape[-1] != self.w_1.in_features:
            raise ValueError(
                f"this feed-forward network expects vectors of width {self.w_1.in_features}, got {tuple(x.shape)}"
            )
        return self.w_2(dropout(self.activation(self.w_1(x)), self.dropout, self.training))


class Residual(nn.Module):
    """Add a sublayer's output to its input, with a LayerNorm before the sublayer or after the sum.

    These sums, from layer to layer, form the residual stream. ``norm="pre"`` computes ``x + sublayer(norm(x))``, so the
    stream itself is never rescaled. ``norm="post"`` computes ``norm(x + sublayer(x))``, as in the original Transformer
    paper.

    Raises ValueError for any other ``norm``.
    Source: He et al. 2016, "Deep Residual Learning for Image Recognition", section 3.2, equation 1; Vaswani et al. 2017,
    section 3.1 (post); Xiong et al. 2020, "On Layer Normalization in the Transformer Architecture", table 1 (both).
    """

    def __init__(self, d_model: int, dropout: float = 0.0, norm: NormOrder = "pre"):
        super().__init__()
        if norm not in ("pre", "post"):
            raise ValueError(f'norm must be "pre" or "post", got {norm!r}')
        self.norm, self.order, self.dropout = LayerNorm(d_model), norm, dropout

    def forward(self, x: Float[Tensor, "b n d"], sublayer: Callable[[Tensor], Tensor]) -> Float[Tensor, "b n d"]:
        """Return the residual stream after ``sublayer``, a function from (b, n, d) to (b, n, d)."""
        if self.order == "pre":
            return x + dropout(sublayer(self.norm(x)), self.dropout, self.training)
        return self.norm(x + dropout(sublayer(x), self.dropout, self.training))


class EncoderLayer(nn.Module):
    """Self-attention, then a feed-forward network, each with a residual connection and a LayerNorm.

    With a causal mask, this is also the layer of a GPT.

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.1; dropout on sublayer outputs:
    section 5.4; on attention weights and hidden units: the authors' code, tensor2tensor.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_ff: int,
        dropout: float = 0.0,
        norm: NormOrder = "pre",
        activation: Activation = "relu",
        positions: str | Scheme = "none",
    ):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, positions=positions)
        self.feed_forward = FeedForward(d_model, d_ff, dropout, activation)
        self.attention_residual = Residual(d_model, dropout, norm)
        self.feed_forward_residual = Residual(d_model, dropout, norm)

    def forward(
        self, x: Float[Tensor, "b n d"], mask: Bool[Tensor, "..."] | None = None, cache: KeyValueCache | None = None
    ) -> Float[Tensor, "b n d"]:
        """Return the residual stream after both sublayers; mask, cache and errors are those of `MultiHeadAttention`."""
        x = self.attention_residual(x, lambda y: self.self_attention(y, y, y, mask, cache))
        return self.feed_forward_residual(x, self.feed_forward)


class DecoderLayer(nn.Module):
    """Masked self-attention, then cross-attention to the encoder's output, then a feed-forward network.

    In cross-attention the queries come from the decoder's residual stream, and the keys and values from the memory.
    ``positions`` affects self-attention only, because a distance between a source and a target position has no meaning.

    Source: Vaswani et al. 2017, "Attention Is All You Need", sections 3.1 and 3.2.3; dropout as in `EncoderLayer`.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_ff: int,
        dropout: float = 0.0,
        norm: NormOrder = "pre",
        activation: Activation = "relu",
        positions: str | Scheme = "none",
    ):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout, positions=positions)
        self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout=dropout)
        self.feed_forward = FeedForward(d_model, d_ff, dropout, activation)
        self.self_attention_residual = Residual(d_model, dropout, norm)
        self.cross_attention_residual = Residual(d_model, dropout, norm)
        self.feed_forward_residual = Residual(d_model, dropout, norm)

    def forward(
        self,
        x: Float[Tensor, "b n d"],
        memory: Float[Tensor, "b m d"],
        mask: Bool[Tensor, "..."] | None = None,
        memory_mask: Bool[Tensor, "..."] | None = None,
        caches: tuple[KeyValueCache, KeyValueCache] | None = None,
    ) -> Float[Tensor, "b n d"]:
        """Return the residual stream after all three sublayers.

        ``mask`` says which tokens of ``x`` each token of ``x`` may attend to (usually `causal_mask`); ``memory_mask`` says
        which positions of the memory it may attend to (usually the source's `padding_mask`). ``caches`` holds one cache for
        the tokens so far, and one for the memory, whose keys and values are computed only in the first call.
        """
        self_cache, memory_cache = caches or (None, None)
        new = None if memory_cache is not None and memory_cache.length else memory
        x = self.self_attention_residual(x, lambda y: self.self_attention(y, y, y, mask, self_cache))
        x = self.cross_attention_residual(x, lambda y: self.cross_attention(y, new, new, memory_mask, memory_cache))
        return self.feed_forward_residual(x, self.feed_forward)
